#include "methods/shared/observed_block.hpp"

#include <cmath>

#include "numeric/blocks.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/linalg/eigh.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using test::random_psd;
using test::random_symmetric;

const Strings names = {"a", "b", "c", "d", "e", "f", "g", "h"};

ObservedKernel observed_part(const Matrix& K, const Indices& rows) {
  return {"x", rows, submatrix(K, rows, rows), ""};
}

TEST(KeepObserved, MakesAnyAnswerPsdAndKeepsTheBlock) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const ObservedKernel view = observed_part(random_psd(8, 3, seed), {0, 2, 3, 5, 7});
    const Matrix K = keep_observed(view, names, random_symmetric(8, seed + 100));
    EXPECT_EQ(submatrix(K, view.rows, view.rows), view.block);
    EXPECT_EQ(K, K.transpose());
    const Vector values = linalg::eigenvalues(K);
    EXPECT_GE(values(0), -1e-10 * values(7));
  }
}

TEST(KeepObserved, LeavesAGoodAnswerAlone) {
  const Matrix K = random_psd(8, 12, 6);
  EXPECT_EQ(keep_observed(observed_part(K, {0, 1, 4, 6}), names, K), K);
}

TEST(KeepObserved, RecoversTheTruthFromTheScaledTruth) {
  // G = 2K has W = K_II^-1 K_IT (up to the ridge): the off-diagonal block is right.
  const Matrix K = random_psd(8, 20, 7);
  const Matrix kept = keep_observed(observed_part(K, {0, 1, 2, 3, 4, 5}), names, 2 * K);
  EXPECT_LT((kept.topRightCorner(6, 2) - K.topRightCorner(6, 2)).norm(), 1e-3 * K.norm());
}

TEST(KeepObserved, QuickIsAsSafeOnAnyAnswer) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5})
    for (const Matrix& answer : {random_symmetric(8, seed + 100), random_psd(8, 9, seed + 200)}) {
      const ObservedKernel view = observed_part(random_psd(8, 3, seed), {0, 2, 3, 5, 7});
      const Matrix K = keep_observed(view, names, answer, Effort::quick);
      EXPECT_EQ(submatrix(K, view.rows, view.rows), view.block);
      EXPECT_EQ(K, K.transpose());
      const Vector values = linalg::eigenvalues(K);
      EXPECT_GE(values(0), -1e-10 * values(7));
    }
}

TEST(KeepObserved, QuickIsTheSameWhereAllRowsAreLeftOut) {
  // below 384 observed rows both efforts choose lambda from all of them, in another order
  const ObservedKernel view = observed_part(random_psd(8, 9, 10), {0, 1, 3, 4, 6});
  const Matrix answer = random_psd(8, 9, 11) + Matrix::Identity(8, 8);
  const Matrix full = keep_observed(view, names, answer),
               quick = keep_observed(view, names, answer, Effort::quick);
  EXPECT_LT((full - quick).norm(), 1e-12 * full.norm());
}

TEST(LeaveOneOutRidge, ClosedFormIsTheBruteForceChoice) {
  const Matrix K = random_psd(8, 6, 8), G = random_psd(8, 10, 9) + K;
  const Indices all = {0, 1, 2, 3, 4, 5, 6, 7};
  double best = 0, best_error = 1e300;
  for (const double relative : {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0}) {
    const double lambda = relative * G.diagonal().mean();
    double error = 0;
    for (const Index t : all) {
      Indices rest;
      for (const Index i : all)
        if (i != t) rest.push_back(i);
      Matrix ridged = submatrix(G, rest, rest) + lambda * Matrix::Identity(7, 7);
      const Matrix w = linalg::Cholesky::factor(ridged)->solve(submatrix(G, rest, {t}));
      const Matrix truth = submatrix(K, rest, {t});
      error += (submatrix(K, rest, rest) * w - truth).norm() / truth.norm();
    }
    if (error < best_error) {
      best_error = error;
      best = lambda;
    }
  }
  EXPECT_DOUBLE_EQ(leave_one_out_ridge(K, G, all), best);
}

}  // namespace
}  // namespace mkc
