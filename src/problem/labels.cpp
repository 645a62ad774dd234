#include "mkc/problem/labels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/random.hpp"
#include "mkc/base/error.hpp"

namespace mkc {

namespace {

// n_kl: samples in part k of a and part l of b.
Matrix contingency(const Indices& a, const Indices& b) {
  const auto parts = [](const Indices& x) {
    return x.empty() ? 0 : *std::max_element(x.begin(), x.end()) + 1;
  };
  Matrix counts = Matrix::Zero(parts(a), parts(b));
  for (std::size_t i = 0; i < a.size(); ++i) counts(a[i], b[i]) += 1;
  return counts;
}

// sum of n log(n) over the entries, with 0 log(0) = 0.
double sum_n_log_n(const Matrix& counts) {
  return (counts.array() > 0).select(counts.array() * counts.array().max(1e-300).log(), 0).sum();
}

double pairs(const Matrix& counts) { return (counts.array() * (counts.array() - 1)).sum() / 2; }

}  // namespace

Indices Labels::labelled() const {
  Indices rows;
  for (std::size_t i = 0; i < of_sample.size(); ++i)
    if (of_sample[i] >= 0) rows.push_back(static_cast<Index>(i));
  return rows;
}

Labels Labels::restricted(const Indices& rows) const { return {classes, picked(of_sample, rows)}; }

Labels make_labels(const Strings& texts) {
  std::set<std::string> names(texts.begin(), texts.end());
  names.erase("");
  Labels labels;
  labels.classes.assign(names.begin(), names.end());
  for (const auto& text : texts)
    labels.of_sample.push_back(
        text.empty() ? -1
                     : std::lower_bound(labels.classes.begin(), labels.classes.end(), text) -
                           labels.classes.begin());
  return labels;
}

void check_classes(const Labels& labels, const Strings& samples) {
  std::map<Index, Indices> members;
  for (const Index i : labels.labelled()) members[labels.of_sample[at(i)]].push_back(i);
  if (members.size() < 2)
    throw InputError(members.empty() ? std::string("no sample has a class")
                                     : fmt::format("all {} labelled samples are of class '{}'",
                                                   labels.labelled().size(),
                                                   labels.classes[at(members.begin()->first)]),
                     "two classes or more are needed");
  for (const auto& [k, rows] : members)
    if (rows.size() == 1)
      throw InputError(fmt::format("class '{}' has one member only, sample '{}'",
                                   labels.classes[at(k)], samples[at(rows.front())]),
                       "cross-validation needs two: leave its label empty, or merge the class");
}

Indices stratified_folds(const Labels& labels, const Strings& samples, Index folds,
                         std::uint64_t seed) {
  struct Member {
    Index of_class;
    std::uint64_t key;
    std::size_t sample;
  };
  std::vector<Member> members;
  for (std::size_t i = 0; i < samples.size(); ++i)
    members.push_back({labels.of_sample[i], Random(seed, samples[i], "fold").next(), i});
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
    return std::tie(a.of_class, a.key) < std::tie(b.of_class, b.key);
  });
  // in turn, class after class: folds differ by at most one sample, in each class and in total
  Indices fold(samples.size());
  Index next = 0;
  for (const auto& member : members) fold[member.sample] = next++ % folds;
  return fold;
}

double accuracy(const Indices& truth, const Indices& predicted) {
  Index right = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) right += truth[i] == predicted[i];
  return static_cast<double>(right) / static_cast<double>(truth.size());
}

double balanced_accuracy(const Indices& truth, const Indices& predicted) {
  std::map<Index, std::pair<double, double>> right_of;  // per class: right, all
  for (std::size_t i = 0; i < truth.size(); ++i) {
    right_of[truth[i]].first += truth[i] == predicted[i];
    right_of[truth[i]].second += 1;
  }
  double sum = 0;
  for (const auto& [k, counts] : right_of) sum += counts.first / counts.second;
  return sum / static_cast<double>(right_of.size());
}

double normalized_mutual_information(const Indices& a, const Indices& b) {
  const Matrix counts = contingency(a, b);
  const double n = static_cast<double>(a.size());
  const double joint = sum_n_log_n(counts), rows = sum_n_log_n(counts.rowwise().sum()),
               cols = sum_n_log_n(counts.colwise().sum()), all = n * std::log(n);
  // n H(a) = n log n - sum_k n_k log n_k; n I = sum_kl n_kl log(n n_kl / (n_k n_l))
  const double entropies = 2 * all - rows - cols;
  return entropies > 0 ? std::max(0.0, 2 * (all + joint - rows - cols) / entropies) : 1;
}

double adjusted_rand_index(const Indices& a, const Indices& b) {
  const Matrix counts = contingency(a, b);
  const double both = pairs(counts), in_a = pairs(counts.rowwise().sum()),
               in_b = pairs(counts.colwise().sum()), n = static_cast<double>(a.size());
  const double expected = in_a * in_b / (n * (n - 1) / 2), most = (in_a + in_b) / 2;
  return most == expected ? 1 : (both - expected) / (most - expected);
}

}  // namespace mkc
