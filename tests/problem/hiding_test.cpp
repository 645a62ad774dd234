// Held-out rows: which may be hidden, invariance to order, errors on them.
#include "mkc/problem/hiding.hpp"
#include "numeric/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "mkc/base/error.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

using test::random_problem;
using test::RandomProblem;

using NamedPairs = std::set<std::pair<std::string, std::string>>;  // (sample, view)

NamedPairs named(const Problem& problem, const HeldOut& held) {
  NamedPairs pairs;
  for (Index m = 0; m < problem.n_views(); ++m)
    for (const Index i : held.hidden[at(m)])
      pairs.emplace(problem.samples()[at(i)], problem.view(m).name);
  return pairs;
}

void expect_sound(const Problem& problem, const HeldOut& held, bool complete_views_stay = true) {
  for (Index m = 0; m < problem.n_views(); ++m) {
    const Indices& hidden = held.hidden[at(m)];
    EXPECT_TRUE(std::is_sorted(hidden.begin(), hidden.end()));
    for (Index i = 0; i < problem.n_samples(); ++i) {
      const bool is_hidden = std::binary_search(hidden.begin(), hidden.end(), i);
      EXPECT_LE(is_hidden, problem.observed()(i, m)) << "only what was observed is hidden";
      EXPECT_EQ(held.problem.observed()(i, m), problem.observed()(i, m) && !is_hidden);
    }
    const auto before = problem.view(m).rows.size(), after = held.problem.view(m).rows.size();
    EXPECT_TRUE(hidden.empty() || after >= 3);
    EXPECT_GE(2 * after, before) << "a view keeps half of its samples";
    EXPECT_TRUE(!complete_views_stay || !problem.complete(m) || hidden.empty());
  }
  EXPECT_TRUE(held.problem.observed().rowwise().any().all()) << "a sample keeps a view";
}

TEST(HideRows, EverySampleKeepsAViewAndEveryViewHalfOfItsSamples) {
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    for (const double missing : {0.1, 0.4, 0.7}) {
      const Problem problem =
          random_problem(seed, {.n_samples = static_cast<Index>(8 + 3 * (seed % 8)),
                                .n_views = static_cast<Index>(2 + seed % 4),
                                .missing = missing,
                                .first_view_complete = seed % 2 == 0})
              .problem();
      for (const double fraction : {0.1, 0.5, 1.0})
        expect_sound(problem, hide_rows(problem, fraction, seed));
    }
}

TEST(HideRows, KeepsTheValuesOfObservedRows) {
  const RandomProblem p = random_problem(3);
  const Problem problem = p.problem();
  const HeldOut held = hide_rows(problem, 0.2, 1);
  for (Index m = 0; m < problem.n_views(); ++m)
    EXPECT_EQ(held.problem.view(m).block,
              submatrix(p.truth[at(m)], held.problem.view(m).rows, held.problem.view(m).rows));
}

TEST(HideRows, HidesAboutTheFraction) {
  const Problem problem =
      random_problem(4, {.n_samples = 200, .n_views = 4, .missing = 0.2}).problem();
  const HeldOut held = hide_rows(problem, 0.15, 2);
  for (Index m = 0; m < problem.n_views(); ++m) {
    const double share = static_cast<double>(held.hidden[at(m)].size()) /
                         static_cast<double>(problem.view(m).rows.size());
    EXPECT_GT(share, 0.10) << "view " << m;
    EXPECT_LT(share, 0.30) << "view " << m;
  }
}

TEST(HideRows, HidesTheSamePairsWhateverTheOrderOfSamplesAndViews) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomProblem original = random_problem(seed, {.n_samples = 30, .n_views = 4});
    const RandomProblem other = test::permuted(original, test::random_permutation(30, seed + 1),
                                               test::random_permutation(4, seed + 2));
    const Problem a = original.problem(), b = other.problem();
    const NamedPairs pairs = named(a, hide_rows(a, 0.15, 9));
    EXPECT_FALSE(pairs.empty());
    EXPECT_EQ(pairs, named(b, hide_rows(b, 0.15, 9)));
  }
}

TEST(HideRows, FollowsTheSeed) {
  const Problem problem = random_problem(5, {.n_samples = 40}).problem();
  EXPECT_EQ(hide_rows(problem, 0.15, 1).hidden, hide_rows(problem, 0.15, 1).hidden);
  EXPECT_NE(hide_rows(problem, 0.15, 1).hidden, hide_rows(problem, 0.15, 2).hidden);
}

TEST(HideRows, HidesNothingWhereNothingIsMissing) {
  const Problem problem = random_problem(6, {.missing = 0}).problem();
  for (const Indices& hidden : hide_rows(problem, 0.5, 1).hidden) EXPECT_TRUE(hidden.empty());
}

TEST(HideAtRandom, EverySampleKeepsAViewAndEveryViewHalfOfItsSamples) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const double missing : {0.0, 0.4}) {
      const Problem problem =
          random_problem(seed, {.n_samples = 20, .n_views = 3, .missing = missing}).problem();
      for (const double fraction : {0.1, 0.5, 0.9})
        for (const Index views : {0, 1, 2})
          expect_sound(problem, hide_at_random(problem, fraction, views, seed), false);
    }
}

TEST(HideAtRandom, HidesTheFractionOfEveryView) {
  const Problem problem =
      random_problem(4, {.n_samples = 200, .n_views = 4, .missing = 0}).problem();
  for (const Indices& hidden : hide_at_random(problem, 0.15, 0, 2).hidden)
    EXPECT_EQ(hidden.size(), 30u);
}

TEST(HideAtRandom, HidesTheGivenNumberOfViewsFromTheGivenShareOfSamples) {
  const Problem problem =
      random_problem(4, {.n_samples = 200, .n_views = 5, .missing = 0}).problem();
  const HeldOut held = hide_at_random(problem, 0.5, 2, 3);
  std::vector<Index> lost(200, 0);
  for (const Indices& hidden : held.hidden)
    for (const Index i : hidden) ++lost[at(i)];
  EXPECT_EQ(std::count(lost.begin(), lost.end(), 2), 100);
  EXPECT_EQ(std::count(lost.begin(), lost.end(), 0), 100);
  EXPECT_THROW(hide_at_random(problem, 0.5, 5, 3), InputError);
}

TEST(HideAtRandom, HidesTheSamePairsWhateverTheOrderOfSamplesAndViews) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const RandomProblem original = random_problem(seed, {.n_samples = 30, .n_views = 4});
    const RandomProblem other = test::permuted(original, test::random_permutation(30, seed + 1),
                                               test::random_permutation(4, seed + 2));
    const Problem a = original.problem(), b = other.problem();
    for (const Index views : {0, 2})
      EXPECT_EQ(named(a, hide_at_random(a, 0.15, views, 9)),
                named(b, hide_at_random(b, 0.15, views, 9)));
  }
}

TEST(HeldOutError, FollowsItsDefinition) {
  const RandomProblem p = random_problem(7, {.n_samples = 25, .n_views = 3});
  const Problem problem = p.problem();
  const HeldOut held = hide_rows(problem, 0.2, 3);
  std::vector<Matrix> kernels;
  for (std::size_t m = 0; m < 3; ++m)
    kernels.push_back(p.truth[m] + 0.1 * test::random_symmetric(25, 20 + m));

  double sum = 0, views = 0;
  for (Index m = 0; m < 3; ++m) {
    double errors = 0;
    for (const Index t : held.hidden[at(m)]) {
      double difference = 0, size = 0;
      for (const Index i : problem.view(m).rows) {  // columns the view has, hidden ones included
        difference += std::pow(kernels[at(m)](t, i) - p.truth[at(m)](t, i), 2);
        size += std::pow(p.truth[at(m)](t, i), 2);
      }
      errors += std::sqrt(difference / size);
    }
    if (held.hidden[at(m)].empty()) continue;
    sum += 100 * errors / static_cast<double>(held.hidden[at(m)].size());
    ++views;
  }
  ASSERT_GT(views, 0);
  EXPECT_NEAR(held_out_error(problem, held, kernels), sum / views, 1e-10);
  EXPECT_NEAR(held_out_error(problem, held, p.truth), 0, 1e-12);
}

TEST(HeldOutError, IsNotANumberWhereNothingWasHidden) {
  const RandomProblem p = random_problem(8, {.missing = 0});
  const Problem problem = p.problem();
  EXPECT_TRUE(std::isnan(held_out_error(problem, hide_rows(problem, 0.5, 1), p.truth)));
}

TEST(Subsample, IsThePartOfTheProblemOnThoseSamples) {
  const RandomProblem p = random_problem(9, {.n_samples = 60, .n_views = 3});
  const Problem problem = p.problem(), part = subsample(problem, 40, 1);
  ASSERT_EQ(part.n_samples(), 40);
  Indices original;  // place of the part's samples in the problem
  for (const auto& name : part.samples())
    original.push_back(std::find(p.samples.begin(), p.samples.end(), name) - p.samples.begin());
  EXPECT_TRUE(std::is_sorted(original.begin(), original.end()));
  for (Index m = 0; m < 3; ++m) {
    Indices rows;
    for (const Index i : part.view(m).rows) rows.push_back(original[at(i)]);
    EXPECT_EQ(part.view(m).block, submatrix(p.truth[at(m)], rows, rows));
    EXPECT_EQ(part.view(m).name, problem.view(m).name);
    for (Index i = 0; i < 40; ++i)
      EXPECT_EQ(part.observed()(i, m), problem.observed()(original[at(i)], m));
  }
}

TEST(HidePairs, HidesWhatIsAskedAndNothingElse) {
  const RandomProblem p = random_problem(12, {.n_samples = 20});
  const Problem problem = p.problem();
  Mask hidden = Mask::Constant(20, 3, false);
  for (Index i = 0; i < 6; ++i) hidden(i, i % 2) = true;
  const HeldOut copy = hide_pairs(problem, hidden);
  for (Index m = 0; m < 3; ++m)
    for (Index i = 0; i < 20; ++i) {
      const bool taken = hidden(i, m) && problem.observed()(i, m);
      const Indices& rows = copy.hidden[at(m)];
      EXPECT_EQ(std::find(rows.begin(), rows.end(), i) != rows.end(), taken);
      EXPECT_EQ(copy.problem.observed()(i, m), problem.observed()(i, m) && !taken);
    }
}

TEST(Subsample, ChoosesTheSameSamplesWhateverTheirOrder) {
  const RandomProblem p = random_problem(10, {.n_samples = 60});
  const auto chosen = [](const Problem& problem) {
    const Strings names = subsample(problem, 40, 5).samples();
    return std::set<std::string>(names.begin(), names.end());
  };
  EXPECT_EQ(chosen(p.problem()),
            chosen(test::permuted(p, test::random_permutation(60, 1), {2, 1, 0}).problem()));
}

TEST(Subsample, KeepsTheSamplesOfRareViews) {
  RandomProblem p = random_problem(13, {.n_samples = 100, .missing = 0.1});
  for (Index i = 0; i < 100; ++i) p.observed(i, 1) = i % 8 == 0;  // 13 samples
  for (Index i = 0; i < 100; ++i) p.observed(i, 2) = i >= 96;     // 4
  p.observed.col(0).setConstant(true);
  const Problem part = subsample(p.problem(), 30, 1);
  EXPECT_EQ(part.n_samples(), 30);
  EXPECT_EQ(part.view(1).rows.size(), 10u);
  EXPECT_EQ(part.view(2).rows.size(), 4u);
}

TEST(Subsample, ReturnsTheProblemWhereItIsSmallOrViewsWouldKeepTooFew) {
  const Problem problem = random_problem(11, {.n_samples = 30}).problem();
  EXPECT_EQ(subsample(problem, 30, 1).n_samples(), 30);
  EXPECT_EQ(subsample(problem, 8, 1).n_samples(), 30);  // no view would keep 10 samples
}

}  // namespace
}  // namespace mkc
