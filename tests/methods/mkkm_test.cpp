#include "methods/mkkm.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "methods/shared/observed_block.hpp"
#include "numeric/blocks.hpp"
#include "support/complete_with.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

Problem incomplete_problem(std::uint64_t seed) {
  return test::random_problem(seed, {.n_samples = 15, .n_views = 3, .missing = 0.3}).problem();
}

// The published iteration from its definition, with U = I - HH' and explicit inverses.
struct SlowMkkm {
  const Problem& problem;
  Index k;
  double eps, mutual;  // mutual: 0 = none
  std::vector<Matrix> K;
  Vector b;
  Matrix U;

  SlowMkkm(const Problem& p, Index clusters, double e, double m)
      : problem(p), k(clusters), eps(e), mutual(m / double(p.n_samples())) {
    for (const auto& view : p.views()) {
      K.emplace_back(Matrix::Zero(p.n_samples(), p.n_samples()));
      paste(view.block / view.block.diagonal().mean(), view.rows, K.back());
    }
    b = Vector::Constant(p.n_views(), 1.0 / double(p.n_views()));
  }

  Matrix others(std::size_t m) const {  // sum_l b_l K_l
    Matrix sum = Matrix::Zero(U.rows(), U.cols());
    for (std::size_t l = 0; l < K.size(); ++l)
      if (l != m) sum += b(Index(l)) * K[l];
    return sum;
  }

  double objective() const {
    double value = 0;
    for (std::size_t m = 0; m < K.size(); ++m) {
      double term = (K[m] * U).trace();
      for (const Index t : problem.missing(Index(m)))
        if (mutual == 0) term += eps * K[m](t, t);
      value += b(Index(m)) * b(Index(m)) * term + mutual / 2 * (K[m] - others(m)).squaredNorm();
    }
    return value;
  }

  void find_U() {
    Matrix sum = Matrix::Zero(K[0].rows(), K[0].rows());
    for (std::size_t m = 0; m < K.size(); ++m) sum += b(Index(m)) * b(Index(m)) * K[m];
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(sum);
    const Matrix H = eigen.eigenvectors().rightCols(k);
    U = Matrix::Identity(sum.rows(), sum.rows()) - H * H.transpose();
  }

  // K_TT = U_TT^-1 U_TI K_II U_IT U_TT^-1, K_IT = -K_II U_IT U_TT^-1
  void complete(std::size_t m) {
    const Indices &I = problem.views()[m].rows, &T = problem.missing(Index(m));
    const auto n = Index(T.size());
    const Matrix U_TT = submatrix(U, T, T) + eps * Matrix::Identity(n, n);
    const Matrix W = -submatrix(U, I, T) * Matrix(U_TT.inverse());
    const Matrix K_II = submatrix(K[m], I, I), K_IT = K_II * W;
    paste(W.transpose() * K_IT, T, K[m]);
    for (std::size_t i = 0; i < I.size(); ++i)
      for (std::size_t t = 0; t < T.size(); ++t)
        K[m](I[i], T[t]) = K[m](T[t], I[i]) = K_IT(Index(i), Index(t));
  }

  void round() {
    find_U();
    for (std::size_t m = 0; m < K.size(); ++m) complete(m);
    for (Index m = 0; m < b.size(); ++m) {
      double z = (K[std::size_t(m)] * U).trace();
      for (const Index t : problem.missing(m)) z += eps * K[std::size_t(m)](t, t);
      b(m) = 1 / z;
    }
    b /= b.sum();
  }
};

MkkmOptions with_clusters(Index k, Index rounds) {
  MkkmOptions o;
  o.k = k;
  o.eps = 1e-2;
  o.max_iter = rounds;
  o.tol = 1e-14;
  o.diagonal = DiagonalRule::none;
  return o;
}

TEST(Mkkm, FollowsThePublishedIteration) {
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (const Index rounds : {1, 2, 5}) {
      const Problem problem = incomplete_problem(seed);
      SlowMkkm slow(problem, 3, 1e-2, 0);
      for (Index r = 0; r < rounds; ++r) slow.round();
      const Completion c = test::complete_with(mkkm_options(), problem, with_clusters(3, rounds));
      EXPECT_NEAR(c.info.objective.back(), slow.objective(), 1e-9 * slow.objective());
      for (std::size_t m = 0; m < 3; ++m) {
        const double scale = problem.views()[m].block.diagonal().mean();
        EXPECT_LT((c.kernels[m] / scale - slow.K[m]).norm(), 1e-8 * slow.K[m].norm());
        EXPECT_NEAR(c.info.terms[m].second, slow.b(Index(m)), 1e-9);
      }
    }
}

TEST(Mkkm, ObjectiveNeverRises) {
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const std::optional<double> mutual : {std::optional<double>(), std::optional(0.1)}) {
      MkkmOptions o = with_clusters(4, 40);
      o.mutual = mutual;
      if (mutual) o.eps.reset();
      const Completion c = test::complete_with(mkkm_options(), incomplete_problem(seed), o);
      for (std::size_t k = 1; k < c.info.objective.size(); ++k)
        EXPECT_LE(c.info.objective[k], c.info.objective[k - 1] + 1e-10);
    }
}

// One round from equal weights: every missing entry where the derivative of the objective is zero,
// the kernel then made PSD; and the weights where no other weights are better.
TEST(Mkkm, MutualCompletionFollowsItsFormula) {
  const Problem problem = incomplete_problem(2);
  MkkmOptions o = with_clusters(3, 1);
  o.mutual = 2;
  o.eps.reset();
  const Completion c = test::complete_with(mkkm_options(), problem, o);
  SlowMkkm slow(problem, 3, 0, 2);
  slow.find_U();
  for (std::size_t m = 0; m < 3; ++m) {
    const Indices& T = problem.missing(Index(m));
    const double b = slow.b(Index(m)), denominator = 1 + 2 * b * b;
    Matrix best = -b * b / slow.mutual * slow.U;
    for (std::size_t l = 0; l < 3; ++l)
      if (l != m) best += (slow.b(Index(l)) + b - b * slow.b(Index(l))) * slow.K[l];
    Matrix& K = slow.K[m];
    for (const Index t : T)
      for (Index i = 0; i < K.rows(); ++i) K(i, t) = K(t, i) = best(i, t) / denominator;
    const double value = slow.objective();
    for (const Index t : T)
      for (Index i = 0; i < K.rows(); ++i) {
        double slope = 0;
        for (const double h : {1e-4, -1e-4}) {
          SlowMkkm moved = slow;
          moved.K[m](i, t) += h;
          if (i != t) moved.K[m](t, i) += h;
          slope += moved.objective() / h;
        }
        EXPECT_NEAR(slope / 2, 0, 1e-6 * value) << m << " " << i << " " << t;
      }
    const double scale = problem.views()[m].block.diagonal().mean();
    K = keep_observed(problem.views()[m], problem.samples(), scale * K) / scale;
    EXPECT_LT((c.kernels[m] / scale - K).norm(), 1e-8 * K.norm());
  }
  for (Index m = 0; m < 3; ++m) slow.b(m) = c.info.terms[std::size_t(m)].second;
  const double best = slow.objective();
  EXPECT_NEAR(best, c.info.objective.back(), 1e-9 * best);
  for (Index m = 0; m < 3; ++m) {
    SlowMkkm moved = slow;
    moved.b = 0.999 * slow.b;
    moved.b(m) += 0.001;
    EXPECT_GE(moved.objective(), best - 1e-12);
  }
}

TEST(Mkkm, ChoosesWhatIsLeftOpen) {
  const Problem problem =
      test::random_problem(5, {.n_samples = 24, .n_views = 3, .missing = 0.3}).problem();
  const Completion c = test::complete_with(mkkm_options(), problem);
  ASSERT_FALSE(c.info.notices.empty());
  EXPECT_NE(c.info.notices[0].find("k = "), std::string::npos);
  for (const auto& [name, value] : c.info.parameters)
    EXPECT_TRUE((name != "k" && name != "eps") || value != "auto") << name;
  MkkmOptions given;
  given.k = 3;
  given.mutual = 1;
  EXPECT_TRUE(test::complete_with(mkkm_options(), problem, given).info.notices.empty());
}

TEST(Mkkm, EpsAndMutualExcludeEachOther) {
  EXPECT_THROW(complete(incomplete_problem(1), "mkkm,k=2,eps=0.1,mutual=1"), OptionError);
}

}  // namespace
}  // namespace mkc
