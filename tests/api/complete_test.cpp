#include "mkc/complete.hpp"

#include <atomic>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "methods/knn.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/eigh.hpp"
#include "select/stacking.hpp"
#include "support/complete_with.hpp"
#include "support/expect_message.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

using test::expect_message;
using test::random_problem;

TEST(Complete, RefusesUnknownMethodsAndOptionsWithASuggestion) {
  const Problem problem = random_problem(1).problem();
  expect_message([&] { complete(problem, "wkn"); },
                 "there is no method 'wkn' (did you mean 'wknn'?)");
  expect_message([&] { complete(problem, "knn,K=3"); },
                 "knn has no option 'K' (did you mean 'k'?)");
  expect_message([&] { complete(problem, "knn,k=0"); }, "option 'k'");
  expect_message([&] { test::complete_with(knn_options("knn"), problem, {.k = -1}); },
                 "option 'k'");
}

TEST(Complete, TransformsAreUndoneAndObservedEntriesKept) {
  const Problem problem = random_problem(4, {.n_samples = 16, .n_views = 3}).problem();
  for (const auto normalize : {Normalization::none, Normalization::unit, Normalization::trace})
    for (const bool center : {false, true}) {
      RunOptions run;
      run.transforms = {{normalize, center}};
      const Completion c = complete(problem, "knn", run);
      for (Index m = 0; m < 3; ++m) {
        const Matrix& K = c.kernels[at(m)];
        EXPECT_EQ(submatrix(K, problem.view(m).rows, problem.view(m).rows), problem.view(m).block);
        EXPECT_EQ(K, K.transpose());
        const Vector values = linalg::eigenvalues(K);
        EXPECT_GE(values(0), -1e-10 * values(values.size() - 1));
      }
    }
}

TEST(Complete, UncertaintyIsInTheUnitsOfTheInput) {
  const Problem problem = test::random_problem(3).problem();
  std::vector<SharedMatrix> large;
  for (const auto& view : problem.views()) large.push_back(SharedMatrix(Matrix(1000 * view.block)));
  for (const auto normalize : {Normalization::none, Normalization::trace, Normalization::unit}) {
    RunOptions run;
    run.transforms = {{normalize, false}};
    const Matrix small = *complete(problem, "wknn", run).uncertainty;
    const Matrix thousandfold = *complete(problem.with_blocks(large), "wknn", run).uncertainty;
    EXPECT_GT(small.maxCoeff(), 0);
    EXPECT_LT((thousandfold - 1000 * small).norm(), 1e-9 * thousandfold.norm());
  }
}

TEST(Complete, ABlockThatIsNotPsdAffectsOnlyItself) {
  test::RandomProblem p = random_problem(8, {.n_samples = 30});
  for (auto& K : p.truth) {  // a smallest eigenvalue of -0.1 % of the largest
    linalg::Eigh e = linalg::eigh(K);
    e.values(0) = -1e-3 * e.values(29);
    K = e.vectors * e.values.asDiagonal() * e.vectors.transpose();
    K = (0.5 * (K + K.transpose())).eval();
  }
  std::vector<ObservedKernel> views;
  for (Index m = 0; m < 3; ++m) {
    ObservedKernel view{p.views[at(m)], {}, {}, ""};
    for (Index i = 0; i < 30; ++i)
      if (p.observed(i, m)) view.rows.push_back(i);
    view.block = submatrix(p.truth[at(m)], view.rows, view.rows);
    views.push_back(std::move(view));
  }
  ProblemChecks checks;
  checks.psd = PsdPolicy::ignore;
  const Problem problem(p.samples, views, checks);
  ASSERT_TRUE(problem.indefinite());
  for (const std::string method : {"embd_hm", "transfer", "latent", "wknn", "auto"}) {
    const Completion c = complete_with_quality(problem, method);
    for (Index m = 0; m < 3; ++m) {
      const Vector block = linalg::eigenvalues(problem.view(m).block),
                   all = linalg::eigenvalues(c.kernels[at(m)]);
      EXPECT_GE(all(0), std::min(0.0, block(0)) - 1e-9 * all(29)) << method;
      EXPECT_EQ(submatrix(c.kernels[at(m)], problem.view(m).rows, problem.view(m).rows),
                problem.view(m).block)
          << method;
    }
  }
}

TEST(Complete, RefusesAWrongNumberOfTransforms) {
  RunOptions run;
  run.transforms.resize(2);
  expect_message([&] { complete(random_problem(5).problem(), "knn", run); },
                 "transforms: 2 entries for 3 views");
}

TEST(ParallelFor, RunsEveryTaskOnceAndRethrows) {
  std::vector<std::atomic<int>> runs(100);
  parallel_for(100, 3, [&](Index i) { ++runs[at(i)]; });
  for (const auto& count : runs) EXPECT_EQ(count, 1);
  EXPECT_THROW(parallel_for(5, 2, [](Index) { throw std::runtime_error("x"); }),
               std::runtime_error);
  EXPECT_GE(available_threads(), 1);
}

TEST(Random, DependsOnTheKeyAlone) {
  EXPECT_EQ(Random(1, "a", "b").next(), Random(1, "a", "b").next());
  EXPECT_NE(Random(1, "a", "b").next(), Random(2, "a", "b").next());
  EXPECT_NE(Random(1, "ab", "c").next(), Random(1, "a", "bc").next());
}

TEST(Random, HasTheMomentsItShouldHave) {
  Random random(3);
  double sum = 0, squares = 0, uniform = 0;
  constexpr int n = 200000;
  for (int i = 0; i < n; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    uniform += random.uniform();
  }
  EXPECT_NEAR(sum / n, 0, 0.01);
  EXPECT_NEAR(squares / n, 1, 0.02);
  EXPECT_NEAR(uniform / n, 0.5, 0.005);
  for (int i = 0; i < 1000; ++i) EXPECT_LT(random.below(7), 7u);
}

}  // namespace
}  // namespace mkc
