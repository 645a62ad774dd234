// The only file that uses LIBSVM.
#include <svm.h>

#include <memory>

#include "evaluate/nested.hpp"

namespace mkc {

namespace {

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

// Classes of the samples `asked` by a machine trained on `known`.
Vector classify(PrecomputedKernel& kernel, const Labels& labels, const Indices& known,
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
  Vector predicted(static_cast<Index>(asked.size()));
  for (std::size_t i = 0; i < asked.size(); ++i)
    predicted(static_cast<Index>(i)) = svm_predict(model.get(), kernel.row(asked[i]));
  return predicted;
}

}  // namespace

Learner svm_learner(const Matrix& K, const Labels& labels) {
  svm_set_print_string_function([](const char*) {});
  const auto kernel = std::make_shared<PrecomputedKernel>(K);
  const auto predict = [kernel, &labels](const Indices& known, const Indices& asked, double cost) {
    return classify(*kernel, labels, known, asked, cost);
  };
  const auto wrong = [predict, &labels](const Indices& known, const Indices& asked, double cost) {
    const Vector predicted = predict(known, asked, cost);
    double count = 0;
    for (std::size_t i = 0; i < asked.size(); ++i)
      count +=
          static_cast<Index>(predicted(static_cast<Index>(i))) != labels.of_sample[at(asked[i])];
    return count;
  };
  return {{0.01, 0.1, 1, 10, 100, 1000}, predict, wrong};
}

}  // namespace mkc
