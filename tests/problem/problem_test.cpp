#include "mkc/problem/problem.hpp"

#include <cmath>
#include <limits>

#include "mkc/base/error.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/eigh.hpp"
#include "support/expect_message.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using test::expect_message;
using test::random_psd;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const Strings abc = {"a", "b", "c"};

std::vector<ObservedKernel> one_view(const Matrix& K, const Indices& rows = {0, 1, 2}) {
  return {{"rna", rows, K, "rna.csv"}};
}

TEST(NotANumber, IsStillNotANumber) {
  // -ffast-math would make this false: missing values would count as numbers.
  volatile double value = nan;
  EXPECT_TRUE(std::isnan(value));
  EXPECT_TRUE(value != value);
  EXPECT_FALSE(Matrix::Constant(1, 1, nan).allFinite());
}

TEST(Problem, KnowsWhatIsObservedAndWhatIsMissing) {
  const Problem problem({"a", "b", "c", "d"}, {{"x", {0, 1, 2}, random_psd(3, 5, 1), ""},
                                               {"y", {1, 3}, random_psd(2, 5, 2), ""}});
  EXPECT_EQ(problem.n_samples(), 4);
  EXPECT_EQ(problem.n_views(), 2);
  EXPECT_EQ(problem.missing(0), (Indices{3}));
  EXPECT_EQ(problem.missing(1), (Indices{0, 2}));
  EXPECT_FALSE(problem.nothing_missing());
  EXPECT_TRUE(problem.observed()(3, 1));
  EXPECT_FALSE(problem.observed()(0, 1));
}

TEST(Problem, FromFullMatricesReadsObservedRowsOnly) {
  Matrix K = random_psd(3, 4, 3);
  const Matrix other = random_psd(3, 4, 4), kept = K;
  K.row(1).setConstant(nan);
  K.col(1).setConstant(nan);
  Mask observed = Mask::Constant(3, 2, true);
  observed(1, 0) = false;
  const Problem problem({K, other}, observed);
  EXPECT_EQ(problem.view(0).rows, (Indices{0, 2}));
  EXPECT_EQ(problem.view(0).block(1, 0), kept(2, 0));
}

TEST(Problem, RefusesKernelsThatAreNotSquare) {
  expect_message([] { Problem(abc, one_view(Matrix::Ones(3, 2))); },
                 "view 'rna' (rna.csv): the kernel is not square: 3 rows, 2 columns");
}

TEST(Problem, RefusesSizesThatDoNotMatch) {
  expect_message([] { Problem(abc, one_view(Matrix::Identity(2, 2))); },
                 "the block has 2 rows, but 3 samples are given as observed");
  expect_message([] { Problem(abc, one_view(Matrix::Identity(3, 3), {0, 1, 3})); },
                 "ascending indices from 0 to 2; position 2 holds 3");
  expect_message([] { Problem({Matrix::Identity(2, 2)}, Mask::Constant(3, 1, true)); },
                 "the kernel is 2 x 2, but there are 3 samples");
  expect_message([] { Problem({Matrix::Identity(2, 2)}, Mask::Constant(2, 2, true)); },
                 "1 kernels, but the table of observed samples has 2 columns");
}

TEST(Problem, RefusesRepeatedNames) {
  expect_message([] { Problem({"a", "b", "a"}, one_view(Matrix::Identity(3, 3))); },
                 "sample 'a' appears twice: at positions 1 and 3");
  auto views = one_view(Matrix::Identity(3, 3));
  views.push_back(views[0]);
  expect_message([&] { Problem(abc, views); }, "view 'rna' appears twice");
}

TEST(Problem, RefusesValuesThatAreNotFinite) {
  Matrix K = random_psd(3, 4, 5);
  K(2, 1) = nan;
  expect_message([&] { Problem(abc, one_view(K)); },
                 "entry ('c', 'b') of the observed part is NaN");
  K(2, 1) = std::numeric_limits<double>::infinity();
  expect_message([&] { Problem(abc, one_view(K)); },
                 "entry ('c', 'b') of the observed part is infinite");
}

TEST(Problem, RefusesAsymmetryBeyondTolerance) {
  Matrix K = Matrix::Identity(3, 3);
  K(2, 0) = 0.5;
  expect_message([&] { Problem(abc, one_view(K)); },
                 "not symmetric: entry ('c', 'a') is 0.5, but ('a', 'c') is 0");
}

TEST(Problem, AveragesOutAsymmetryWithinTolerance) {
  Matrix K = 2 * Matrix::Identity(3, 3);
  K(2, 0) = 1e-9;
  const Problem problem(abc, one_view(K));
  EXPECT_EQ(problem.view(0).block(0, 2), 5e-10);
  EXPECT_EQ(problem.view(0).block(2, 0), 5e-10);
}

TEST(Problem, RefusesANegativeDiagonal) {
  Matrix K = Matrix::Identity(3, 3);
  K(1, 1) = -2;
  expect_message([&] { Problem(abc, one_view(K)); },
                 "sample 'b' has a negative diagonal entry, -2");
}

TEST(Problem, RefusesClipsOrIgnoresIndefiniteKernels) {
  Matrix K(3, 3);
  K << 1, 2, 0, 2, 1, 0, 0, 0, 1;  // eigenvalues -1, 1, 3
  expect_message([&] { Problem(abc, one_view(K)); },
                 "not positive semi-definite: smallest eigenvalue -1, largest 3");
  ProblemChecks checks;
  checks.psd = PsdPolicy::clip;
  const Problem clipped(abc, one_view(K), checks);
  EXPECT_GE(linalg::eigenvalues(clipped.view(0).block)(0), -1e-14);
  ASSERT_EQ(clipped.notices().size(), 1u);
  EXPECT_NE(clipped.notices()[0].find("clipped"), std::string::npos);
  checks.psd = PsdPolicy::ignore;
  const Problem ignored(abc, one_view(K), checks);
  EXPECT_EQ(ignored.view(0).block, K);
  EXPECT_TRUE(ignored.indefinite());
  EXPECT_EQ(ignored.notices().size(), 1u);
  EXPECT_FALSE(ignored.nearest_psd().indefinite());
  EXPECT_EQ(ignored.nearest_psd().view(0).block, clipped.view(0).block);
}

TEST(Problem, RefusesNumbersWhoseSquaresOverflow) {
  expect_message([] { Problem(abc, one_view(Matrix::Identity(3, 3) * 1e160)); },
                 "view 'rna' (rna.csv): entries up to 1e+160 are too large");
}

TEST(Problem, RefusesSamplesWithoutAnyView) {
  auto views = one_view(Matrix::Identity(3, 3));
  views.push_back({"protein", {0, 1, 2}, Matrix(Matrix::Identity(3, 3)), ""});
  expect_message([&] { Problem({"a", "b", "c", "lost"}, views); },
                 "1 sample is not observed in any view: 'lost'");
}

TEST(Problem, RefusesOneViewAloneWithMissingRows) {
  expect_message([] { Problem({"a", "b", "c", "d"}, one_view(Matrix::Identity(3, 3))); },
                 "view 'rna' (rna.csv) is the only view and lacks 1 of 4 samples");
}

TEST(Problem, RefusesAViewWithFewerThanTwoSamples) {
  expect_message([] { Problem(abc, one_view(Matrix::Identity(1, 1), {1})); },
                 "only 1 sample is observed, at least 2 are needed");
  expect_message([] { Problem(abc, {}); }, "there is no view");
}

TEST(GatherObserved, TakesWholeNanRowsAsMissing) {
  Matrix K = random_psd(4, 5, 6);
  const Matrix full = K;
  K.row(2).setConstant(nan);
  K.col(2).setConstant(nan);
  const ObservedKernel view = gather_observed("x", K);
  EXPECT_EQ(view.rows, (Indices{0, 1, 3}));
  EXPECT_EQ(view.block, submatrix(full, view.rows, view.rows));
}

TEST(GatherObserved, RefusesPartlyMissingRows) {
  Matrix K = random_psd(4, 5, 7);
  K(1, 3) = nan;
  expect_message([&] { gather_observed("x", K); },
                 "view 'x': row 1 is partly missing: 1 of 4 entries are NaN");
}

}  // namespace
}  // namespace mkc
