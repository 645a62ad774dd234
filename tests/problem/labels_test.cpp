#include "mkc/problem/labels.hpp"

#include <cmath>
#include <map>

#include "support/expect_message.hpp"

namespace mkc {
namespace {

Strings names(Index n) {
  Strings result;
  for (Index i = 0; i < n; ++i) result.push_back("s" + std::to_string(i));
  return result;
}

TEST(Labels, AreNumberedByNameAndMayBeMissing) {
  const Labels labels = make_labels({"b", "", "a", "b"});
  EXPECT_EQ(labels.classes, (Strings{"a", "b"}));
  EXPECT_EQ(labels.of_sample, (Indices{1, -1, 0, 1}));
  EXPECT_EQ(labels.labelled(), (Indices{0, 2, 3}));
  EXPECT_EQ(labels.restricted({3, 2}).of_sample, (Indices{1, 0}));
}

TEST(Labels, ClassesThatCannotBeCrossValidatedAreRefused) {
  test::expect_message([] { check_classes(make_labels({"", ""}), names(2)); }, "no sample has");
  test::expect_message([] { check_classes(make_labels({"a", "a"}), names(2)); },
                       "all 2 labelled samples are of class 'a'");
  test::expect_message([] { check_classes(make_labels({"a", "a", "b"}), names(3)); },
                       "class 'b' has one member only, sample 's2'");
  EXPECT_NO_THROW(check_classes(make_labels({"a", "a", "b", "b", ""}), names(5)));
}

TEST(Labels, FoldsAreEvenInTotalAndInEveryClass) {
  Strings texts;
  for (Index i = 0; i < 53; ++i) texts.push_back(i % 7 == 0 ? "rare" : i % 2 == 0 ? "x" : "y");
  const Labels labels = make_labels(texts);
  const Indices fold = stratified_folds(labels, names(53), 5, 1);
  std::map<Index, Index> total;
  std::map<std::pair<Index, Index>, Index> of_class;
  for (std::size_t i = 0; i < fold.size(); ++i) {
    ++total[fold[i]];
    ++of_class[{labels.of_sample[i], fold[i]}];
  }
  const auto even = [](Index count, Index all) { return count == all / 5 || count == all / 5 + 1; };
  for (const auto& [f, count] : total) EXPECT_TRUE(even(count, 53));
  for (const auto& [key, count] : of_class)
    EXPECT_TRUE(
        even(count, std::count(labels.of_sample.begin(), labels.of_sample.end(), key.first)));
  EXPECT_NE(fold, stratified_folds(labels, names(53), 5, 2));
}

TEST(Labels, FoldsFollowTheNames) {
  const Strings samples = names(12), backwards(samples.rbegin(), samples.rend());
  const Labels labels = make_labels(Strings(12, "a"));
  Indices fold = stratified_folds(labels, backwards, 3, 4);
  std::reverse(fold.begin(), fold.end());
  EXPECT_EQ(fold, stratified_folds(labels, samples, 3, 4));
}

TEST(Labels, Accuracies) {
  const Indices truth = {0, 0, 0, 1}, predicted = {0, 0, 1, 1};
  EXPECT_DOUBLE_EQ(accuracy(truth, predicted), 0.75);
  EXPECT_DOUBLE_EQ(balanced_accuracy(truth, predicted), (2.0 / 3 + 1) / 2);
}

// From the definition, over all pairs of samples.
double slow_rand_index(const Indices& a, const Indices& b) {
  double both = 0, in_a = 0, in_b = 0, all = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      both += a[i] == a[j] && b[i] == b[j];
      in_a += a[i] == a[j];
      in_b += b[i] == b[j];
      all += 1;
    }
  const double expected = in_a * in_b / all;
  return (both - expected) / ((in_a + in_b) / 2 - expected);
}

// From the definition, over all pairs of parts.
double slow_nmi(const Indices& a, const Indices& b) {
  const auto n = static_cast<double>(a.size());
  std::map<Index, double> p, q;
  std::map<std::pair<Index, Index>, double> joint;
  for (std::size_t i = 0; i < a.size(); ++i) {
    p[a[i]] += 1 / n;
    q[b[i]] += 1 / n;
    joint[{a[i], b[i]}] += 1 / n;
  }
  double information = 0, entropies = 0;
  for (const auto& [k, share] : joint)
    information += share * std::log(share / (p[k.first] * q[k.second]));
  for (const auto& [k, share] : p) entropies -= share * std::log(share);
  for (const auto& [k, share] : q) entropies -= share * std::log(share);
  return 2 * information / entropies;
}

TEST(Labels, PartitionsAreComparedAsDefined) {
  const Indices a = {0, 0, 0, 1, 1, 2, 2, 2, 2, 0}, b = {1, 1, 0, 0, 0, 2, 2, 1, 2, 1};
  EXPECT_NEAR(adjusted_rand_index(a, b), slow_rand_index(a, b), 1e-14);
  EXPECT_NEAR(normalized_mutual_information(a, b), slow_nmi(a, b), 1e-14);
}

TEST(Labels, PartitionsThatDifferByNameOnlyAreTheSame) {
  const Indices a = {0, 0, 1, 1, 2}, renamed = {2, 2, 0, 0, 1}, one(5, 0);
  EXPECT_NEAR(adjusted_rand_index(a, renamed), 1, 1e-14);
  EXPECT_NEAR(normalized_mutual_information(a, renamed), 1, 1e-14);
  EXPECT_NEAR(adjusted_rand_index(a, one), 0, 1e-14);
  EXPECT_NEAR(normalized_mutual_information(a, one), 0, 1e-14);
}

}  // namespace
}  // namespace mkc
