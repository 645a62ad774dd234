#include "experiments/toy.hpp"

#include "numeric/linalg/eigh.hpp"
#include "support/expect_message.hpp"
#include "support/symmetric_solve.hpp"

namespace mkc {
namespace {

// The weights A of samples after the basis: X = A B, from views side by side that span enough.
Matrix weights_of(const Example& toy, const Indices& views, Index basis) {
  Index columns = 0;
  for (const Index m : views) columns += toy.views[std::size_t(m)].features.cols();
  Matrix X(Index(toy.samples.size()), columns);
  columns = 0;
  for (const Index m : views) {
    const Matrix& part = toy.views[std::size_t(m)].features;
    X.middleCols(columns, part.cols()) = part;
    columns += part.cols();
  }
  const Matrix B = X.topRows(basis), rest = X.bottomRows(X.rows() - basis);
  return test::symmetric_solve(B * B.transpose(), B * rest.transpose()).transpose();
}

void expect_unit_interval(const Matrix& A) {
  EXPECT_GT(A.minCoeff(), -1e-6);
  EXPECT_LT(A.maxCoeff(), 1 + 1e-6);
  EXPECT_NEAR(A.mean(), 0.5, 0.05);
  EXPECT_LT(A.minCoeff(), 0.1);
  EXPECT_GT(A.maxCoeff(), 0.9);
}

Index rank_of(const MatrixRef& K) {
  const Vector values = linalg::eigenvalues(K);
  return (values.array() > 1e-9 * values.maxCoeff()).count();
}

TEST(Toy, PaperRecipeIsWhatTheTextSays) {
  const Example toy = make_toy("TOYL", ToyRecipe::paper, 3);
  ASSERT_EQ(toy.samples.size(), 100u);
  ASSERT_EQ(toy.views.size(), 5u);
  const Index dimensions[] = {5, 5, 10, 10, 10};
  for (std::size_t m = 0; m < 5; ++m) {
    EXPECT_EQ(toy.views[m].features.cols(), dimensions[m]);
    const Matrix basis = toy.views[m].features.topRows(10);
    EXPECT_LE(basis.cwiseAbs().maxCoeff(), 1);
    EXPECT_LT(basis.minCoeff(), -0.5);
    EXPECT_GT(basis.maxCoeff(), 0.5);
  }
  // A1 = A2 and A3 = A4 = A5, uniform in [0, 1]
  const Matrix first = weights_of(toy, {0, 1}, 10), second = weights_of(toy, {2}, 10);
  expect_unit_interval(first);
  expect_unit_interval(second);
  for (const Index m : {3, 4})
    EXPECT_LT((weights_of(toy, {m}, 10) - second).cwiseAbs().maxCoeff(), 1e-6);
  for (const Index m : {0, 1}) {
    const Matrix& X = toy.views[std::size_t(m)].features;
    EXPECT_LT((first * X.topRows(10) - X.bottomRows(90)).cwiseAbs().maxCoeff(), 1e-8);
  }
  EXPECT_GT((first - second).cwiseAbs().mean(), 0.1);
  EXPECT_TRUE(toy.observed.all());
}

TEST(Toy, ReleasedRecipeHasTheFactsOfTheReleasedFiles) {
  const Example toy = make_toy("TOYG1", ToyRecipe::released, 4);
  ASSERT_EQ(toy.samples.size(), 50u);
  const Matrix one = weights_of(toy, {0}, 5), two = weights_of(toy, {1}, 5);
  expect_unit_interval(one);
  EXPECT_LT((weights_of(toy, {2}, 5) - one).cwiseAbs().maxCoeff(), 1e-6);
  for (const Index m : {3, 4})
    EXPECT_LT((weights_of(toy, {m}, 5) - two).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_GT((one - two).cwiseAbs().mean(), 0.1);
  double mean_distance = 0;  // the released files have 3.0 to 4.8
  for (const auto& view : toy.views) {
    EXPECT_GE(view.features.topRows(5).minCoeff(), 0);
    const Matrix centred = view.features.rowwise() - view.features.colwise().mean();
    mean_distance += 2 * centred.squaredNorm() / 49 / 5;
  }
  EXPECT_GT(mean_distance, 2.8);
  EXPECT_LT(mean_distance, 5);
  const Problem linear = toy_problem("TOYL", ToyRecipe::released, 4);
  for (const auto& view : linear.views()) EXPECT_EQ(rank_of(view.block), 5);
}

TEST(Toy, KernelsAreThoseOfTheSet) {
  const Example points = make_toy("TOYL", ToyRecipe::paper, 1);
  for (const auto& name : toy_names()) {
    const Problem problem = toy_problem(name, ToyRecipe::paper, 1);
    for (Index m = 0; m < 5; ++m) {
      const Matrix& X = points.views[std::size_t(m)].features;
      const bool linear = name == "TOYL" || (name == "TOYLG1" && m < 3);
      const double gamma = name == "TOYG0.1" ? 10 : 1;
      for (const auto& [i, j] : {std::pair{0, 0}, {3, 40}, {12, 99}, {50, 51}}) {
        const double expected = linear ? X.row(i).dot(X.row(j)) / X.row(i).norm() / X.row(j).norm()
                                       : std::exp(-gamma * (X.row(i) - X.row(j)).squaredNorm());
        EXPECT_NEAR(problem.view(m).block(i, j), expected, 1e-12) << name << " view " << m + 1;
      }
    }
  }
}

TEST(Toy, TheSeedDecides) {
  const auto block = [](std::uint64_t seed) {
    return toy_problem("TOYG1", ToyRecipe::paper, seed).view(2).block;
  };
  EXPECT_EQ(block(5), block(5));
  EXPECT_NE(block(5), block(6));
  test::expect_message([] { make_toy("TOYG2", ToyRecipe::paper, 0); }, "TOYG1");
}

}  // namespace
}  // namespace mkc
