// The only file that uses LIBSVM.
#include "evaluate/svm.hpp"

#include <libsvm/svm.h>

#include <algorithm>
#include <memory>
#include <numeric>

namespace mkc {

namespace {

constexpr double costs[] = {0.01, 0.1, 1, 10, 100, 1000};
constexpr Index inner_folds = 3;

struct FreeModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};
using Model = std::unique_ptr<svm_model, FreeModel>;

// A kernel in the format of LIBSVM: sample i is the list (0: i + 1), (1: k_i1), ..., (n: k_in), and
// the value of samples i and j is looked up as entry (number of j) of list i. Any subset can be
// trained on without copying.
class PrecomputedKernel {
 public:
  explicit PrecomputedKernel(const MatrixRef& K)
      : width_(at(K.rows()) + 2), nodes_(at(K.rows()) * width_) {
    for (Index i = 0; i < K.rows(); ++i) {
      svm_node* node = row(i);
      node[0] = {0, static_cast<double>(i + 1)};
      for (Index j = 0; j < K.rows(); ++j) node[j + 1] = {static_cast<int>(j + 1), K(j, i)};
      node[K.rows() + 1] = {-1, 0};
    }
  }

  svm_node* row(Index i) { return nodes_.data() + at(i) * width_; }

 private:
  std::size_t width_;
  std::vector<svm_node> nodes_;
};

// Predicted classes of the samples `asked`, by a machine trained on `known`.
Indices classify(PrecomputedKernel& kernel, const Labels& labels, const Indices& known,
                 const Indices& asked, double cost) {
  std::vector<double> y;
  std::vector<svm_node*> x;
  for (const Index i : known) {
    y.push_back(static_cast<double>(labels.of_sample[at(i)]));
    x.push_back(kernel.row(i));
  }
  const svm_problem problem{static_cast<int>(known.size()), y.data(), x.data()};
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = PRECOMPUTED;
  parameter.C = cost;
  parameter.eps = 1e-3;
  parameter.cache_size = 100;  // MB
  parameter.shrinking = 1;
  const Model model(svm_train(&problem, &parameter));
  Indices predicted;
  for (const Index i : asked)
    predicted.push_back(static_cast<Index>(svm_predict(model.get(), kernel.row(i))));
  return predicted;
}

// Splits `rows` by their fold.
void split(const Indices& rows, const Indices& fold, Index left_out, Indices& known,
           Indices& asked) {
  known.clear();
  asked.clear();
  for (std::size_t i = 0; i < rows.size(); ++i)
    (fold[i] == left_out ? asked : known).push_back(rows[i]);
}

double choose_cost(PrecomputedKernel& kernel, const Labels& labels, const Strings& samples,
                   const Indices& rows, std::uint64_t seed) {
  const Indices fold =
      stratified_folds(labels.restricted(rows), picked(samples, rows), inner_folds, seed);
  double best = costs[0];
  Index most = -1;
  for (const double cost : costs) {
    Index right = 0;
    Indices known, asked;
    for (Index f = 0; f < inner_folds; ++f) {
      split(rows, fold, f, known, asked);
      const Indices predicted = classify(kernel, labels, known, asked, cost);
      for (std::size_t i = 0; i < asked.size(); ++i)
        right += predicted[i] == labels.of_sample[at(asked[i])];
    }
    if (right > most) {
      most = right;
      best = cost;
    }
  }
  return best;
}

}  // namespace

Indices cross_validated_svm(const MatrixRef& K, const Labels& labels, const Strings& samples,
                            std::uint64_t seed, Index folds) {
  svm_set_print_string_function([](const char*) {});
  PrecomputedKernel kernel(K);
  // by name: the rounding of the machine depends on the order of its samples
  Indices rows(samples.size());
  std::iota(rows.begin(), rows.end(), Index{0});
  std::sort(rows.begin(), rows.end(),
            [&](Index a, Index b) { return samples[at(a)] < samples[at(b)]; });
  const Indices fold =
      stratified_folds(labels.restricted(rows), picked(samples, rows), folds, seed);
  Indices result(samples.size(), -1), known, asked;
  for (Index f = 0; f < folds; ++f) {
    split(rows, fold, f, known, asked);
    if (asked.empty()) continue;
    const double cost = choose_cost(kernel, labels, samples, known, seed);
    const Indices predicted = classify(kernel, labels, known, asked, cost);
    for (std::size_t i = 0; i < asked.size(); ++i) result[at(asked[i])] = predicted[i];
  }
  return result;
}

}  // namespace mkc
