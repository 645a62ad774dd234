#include "methods/transfer/transfer.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "methods/shared/conditional.hpp"
#include "methods/shared/log_domain.hpp"
#include "methods/shared/relations.hpp"
#include "methods/transfer/transfer_model.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/linalg/eigh.hpp"
#include "support/complete_with.hpp"
#include "support/expect_message.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"
#include "support/slow_transfer.hpp"

namespace mkc {
namespace {

TransferOptions fixed_options(double gamma, double ridge, Intercept intercept) {
  TransferOptions options;
  options.gamma = gamma;
  options.ridge = ridge;
  options.intercept = intercept;
  options.weights = SourceWeights::equal;
  options.sources = SourceViews::all;
  options.target = TargetDomain::kernel;
  options.diagonal = TransferDiagonal::none;
  return options;
}

// The kernels at unit mean diagonal of the observed block.
std::vector<Matrix> scaled(const Problem& problem, std::vector<Matrix> kernels) {
  for (std::size_t m = 0; m < kernels.size(); ++m)
    kernels[m] /= problem.views()[m].block.diagonal().mean();
  return kernels;
}

// Gaussian kernels of random linear images of the same points.
std::vector<Matrix> gaussian_views(Index N, Index M, std::uint64_t seed) {
  const Matrix X = test::random_matrix(N, 3, seed);
  std::vector<Matrix> views;
  for (Index m = 0; m < M; ++m) {
    const Matrix F = X * test::random_matrix(3, 3, seed + 1 + static_cast<std::uint64_t>(m));
    Matrix K(N, N);
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < N; ++j) K(i, j) = std::exp(-0.1 * (F.row(i) - F.row(j)).squaredNorm());
    views.push_back(K);
  }
  return views;
}

TEST(Conditional, LeaveOneOutDistanceIsThatOfRefits) {
  const Matrix K = test::random_psd(9, 5, 1);
  const Matrix G = test::random_psd(9, 9, 2);
  EXPECT_NEAR(leave_one_out_distance(K, ridge_inverse(G, 0.3)),
              test::slow_leave_one_out_distance(K, G, 0.3), 1e-10);
}

TEST(Conditional, RidgeIsRaisedUntilTheInverseExists) {
  const Matrix Q = ridge_inverse(test::random_psd(6, 2, 3), 0);
  EXPECT_TRUE(Q.allFinite());
  EXPECT_TRUE(ridge_inverse(Matrix::Zero(3, 3), 0).allFinite());
}

TEST(LogDomain, GramGivesTheKernelBack) {
  const Matrix K = gaussian_views(10, 1, 4)[0];
  const auto B = euclidean_log_gram(3 * K);
  ASSERT_TRUE(B.has_value());
  EXPECT_LT((from_log_gram(*B) - K).norm(), 1e-12 * K.norm());
  EXPECT_LT(B->rowwise().sum().norm(), 1e-10);
}

TEST(LogDomain, RefusesKernelsThatAreNotGaussian) {
  const Matrix K = gaussian_views(10, 1, 5)[0];
  EXPECT_FALSE(euclidean_log_gram(test::random_psd(10, 3, 6)).has_value());  // entries below 0
  Matrix uneven = K;
  uneven(0, 0) += 0.1;
  EXPECT_FALSE(euclidean_log_gram(uneven).has_value());
  // 0 and 1 far apart, both near all others: no points have such distances
  Matrix D = Matrix::Ones(10, 10) - Matrix::Identity(10, 10);
  D(0, 1) = D(1, 0) = 100;
  EXPECT_FALSE(euclidean_log_gram((-D).array().exp().matrix()).has_value());
}

TEST(Transfer, FollowsItsFormulas) {
  const auto p = test::random_problem(1, {.n_samples = 14, .n_views = 3, .missing = 0.3});
  const Problem problem = p.problem();
  for (const double gamma : {0.0, 0.7})
    for (const bool intercept : {false, true}) {
      const auto options = fixed_options(gamma, 0.05, intercept ? Intercept::yes : Intercept::no);
      TransferModel model(problem, options, 1);
      for (int round = 0; round < 3; ++round) {
        const auto before = scaled(problem, model.kernels());
        model.round();
        const auto after = scaled(problem, model.kernels());
        for (Index m = 0; m < 3; ++m) {
          const Matrix expected =
              test::slow_transfer_view(problem, before, m, Vector::Ones(3), gamma, 0.05, intercept);
          EXPECT_LT((after[at(m)] - expected).norm(), 1e-8 * expected.norm());
        }
      }
    }
}

TEST(Transfer, LastPassUsesOnlyTheViewsThatASampleHas) {
  const auto p = test::random_problem(2, {.n_samples = 16, .n_views = 4, .missing = 0.4});
  const Problem problem = p.problem();
  auto options = fixed_options(0.5, 0.05, Intercept::yes);
  options.sources = SourceViews::observed;
  TransferModel model(problem, options, 1);
  model.round();
  const auto before = scaled(problem, model.kernels());
  model.round_from_observed();
  const auto after = scaled(problem, model.kernels());
  for (Index m = 0; m < 4; ++m) {
    const Matrix& K = after[at(m)];
    const Vector values = linalg::eigenvalues(K);
    EXPECT_GE(values(0), -1e-10 * values(values.size() - 1));
    for (const Index t : problem.missing(m)) {
      Vector weights = Vector::Zero(4);
      for (Index l = 0; l < 4; ++l)
        if (l != m && problem.observed()(t, l)) weights(l) = 1;
      const Matrix expected =
          test::slow_transfer_view(problem, before, m, weights, 0.5, 0.05, true);
      for (const Index i : problem.view(m).rows) EXPECT_NEAR(K(i, t), expected(i, t), 1e-8);
      EXPECT_NEAR(K(t, t), expected(t, t), 1e-7);
    }
  }
}

TEST(Transfer, LowRankKernelsWithoutRidgeStayPsdInTheLastPass) {
  // sources that explain a sample to the last digit: what is left of it is rounding, and no ratio
  // may be made of that
  test::RandomProblem p = test::random_problem(5, {.n_samples = 40, .missing = 0.3});
  const Matrix state = test::random_matrix(40, 4, 1);
  for (Index m = 0; m < 3; ++m) {
    const Matrix X = state * test::random_matrix(4, 6, std::uint64_t(m + 2)) * 3;
    p.truth[at(m)] = X * X.transpose();
  }
  const Problem problem = p.problem();
  auto options = fixed_options(0, 0, Intercept::no);
  options.sources = SourceViews::observed;
  TransferModel model(problem, options, 1);
  model.round();
  model.round_from_observed();
  for (const Matrix& K : scaled(problem, model.kernels())) {
    const Vector values = linalg::eigenvalues(K);
    EXPECT_GE(values(0), -1e-6 * values(values.size() - 1));
    EXPECT_LT(K.diagonal().maxCoeff(), 100 * K.diagonal().mean());
  }
}

TEST(Transfer, TriesNoOptionsTwice) {
  const Problem problem = test::random_problem(3, {.n_samples = 20}).problem();
  Index most = 0;  // 12 copies of every candidate
  RunOptions run;
  run.progress = [&](const Progress& p) {
    if (p.phase == "transfer: choosing gamma") most = std::max(most, p.max_iterations);
    return true;
  };
  const std::string rest = "target=kernel,diagonal=none,ridge=0.02,sources=all";
  complete(problem, "transfer,gamma=0.3," + rest, run);
  EXPECT_EQ(most, 12);  // without intercept; with it is tried before
  most = 0;
  complete(problem, "transfer,intercept=no," + rest, run);
  EXPECT_EQ(most, 24);  // gamma 0 and 1
}

TEST(Transfer, ViewsThatPredictBetterCountMore) {
  const auto views = gaussian_views(30, 2, 8);
  const Matrix noise = test::random_psd(30, 30, 9);
  Mask observed = Mask::Constant(30, 3, true);
  for (Index i = 0; i < 6; ++i) observed(5 * i, 0) = false;
  const Problem problem({views[0], views[1], noise}, observed);
  auto options = fixed_options(0.5, 0.05, Intercept::yes);
  options.weights = SourceWeights::loo;
  const TransferModel model(problem, options, 1);
  EXPECT_GT(model.weights()(0, 1), 0.8);
  EXPECT_NEAR(model.weights().row(0).sum(), 1, 1e-12);
}

TEST(Transfer, RecoversAViewThatHasADuplicate) {
  const Matrix K = test::random_psd(15, 4, 10);
  Mask observed = Mask::Constant(15, 2, true);
  for (const Index i : {1, 6, 7, 12}) observed(i, 1) = false;
  const Completion c = test::complete_with(transfer_options(), Problem({K, 2.5 * K}, observed),
                                           fixed_options(0, 1e-8, Intercept::no));
  EXPECT_EQ(c.info.status, Status::converged);
  EXPECT_LT((c.kernels[1] - 2.5 * K).norm(), 1e-5 * K.norm());
  EXPECT_LT(c.uncertainty->maxCoeff(), 1e-5);
}

TEST(Transfer, LogTargetHelpsWhereViewsAreGaussian) {
  const auto views = gaussian_views(40, 3, 11);
  Mask observed = Mask::Constant(40, 3, true);
  for (Index i = 0; i < 12; ++i) observed(3 * i, i % 3) = false;
  const Problem problem(views, observed);
  auto options = fixed_options(0, 1e-3, Intercept::yes);
  const auto error = [&](TargetDomain target) {
    options.target = target;
    const Completion c = test::complete_with(transfer_options(), problem, options);
    double sum = 0;
    for (std::size_t m = 0; m < 3; ++m) sum += (c.kernels[m] - views[m]).norm();
    for (Index i = 0; i < 40; ++i)
      for (Index m = 0; m < 3; ++m) {
        EXPECT_GE((*c.uncertainty)(i, m), 0);
        EXPECT_TRUE(!observed(i, m) || (*c.uncertainty)(i, m) == 0);
      }
    return sum;
  };
  EXPECT_LT(error(TargetDomain::log), error(TargetDomain::kernel));
}

TEST(Transfer, KnownDiagonalIsKeptWhereAsked) {
  const auto views = gaussian_views(20, 3, 12);
  Mask observed = Mask::Constant(20, 3, true);
  for (Index i = 0; i < 9; ++i) observed(2 * i, i % 3) = false;
  auto options = fixed_options(0.5, 0.05, Intercept::yes);
  options.diagonal = TransferDiagonal::add;
  const Completion c = test::complete_with(transfer_options(), Problem(views, observed), options);
  for (const Matrix& K : c.kernels)
    EXPECT_LT((K.diagonal() - Vector::Ones(20)).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Transfer, RowsScaledToTheirDiagonalKeepTheirDirection) {
  // Cosines of one state seen through different maps: linear up to a factor per sample.
  const Matrix state = test::random_matrix(24, 3, 13);
  std::vector<Matrix> views;
  for (std::uint64_t m = 0; m < 3; ++m) {
    const Matrix X = state * test::random_matrix(3, 4, 14 + m);
    const Vector length = X.rowwise().norm();
    views.push_back(length.cwiseInverse().asDiagonal() * (X * X.transpose()) *
                    length.cwiseInverse().asDiagonal());
    views.back().diagonal().setOnes();
  }
  Mask observed = Mask::Constant(24, 3, true);
  for (Index i = 0; i < 9; ++i) observed(2 * i, i % 3) = false;
  const Problem problem(views, observed);
  auto options = fixed_options(0, 0.003, Intercept::no);
  options.max_iter = 1;
  const Completion plain = test::complete_with(transfer_options(), problem, options);
  options.diagonal = TransferDiagonal::scale;
  const Completion scaled = test::complete_with(transfer_options(), problem, options);
  double before = 0, after = 0;
  for (Index m = 0; m < 3; ++m) {
    const Indices &I = problem.view(m).rows, &T = problem.missing(m);
    const Matrix &K = scaled.kernels[std::size_t(m)], &P = plain.kernels[std::size_t(m)];
    for (const Index t : T) {
      EXPECT_NEAR(K(t, t), 1, 1e-10);
      const Vector a = K(I, Indices{t}), b = P(I, Indices{t});
      EXPECT_NEAR(a.dot(b), a.norm() * b.norm(), 1e-10);
      before += (b - views[std::size_t(m)](I, Indices{t})).norm();
      after += (a - views[std::size_t(m)](I, Indices{t})).norm();
    }
  }
  EXPECT_LT(after, 0.8 * before);
}

TEST(Transfer, ChoosesWhatIsLeftOpenAndKeepsWhatIsGiven) {
  const Problem problem =
      test::random_problem(3, {.n_samples = 20, .n_views = 3, .missing = 0.3}).problem();
  const Completion c = complete(problem, "transfer,gamma=0.3,sources=all");
  for (const auto& [name, value] : c.info.parameters) {
    EXPECT_NE(value, "auto") << name;
    EXPECT_TRUE(name != "gamma" || value == "0.3");
    EXPECT_TRUE(name != "sources" || value == "all");
  }
  ASSERT_EQ(c.info.notices.size(), 1u);
  EXPECT_NE(c.info.notices[0].find("chosen on held-out rows"), std::string::npos);
  std::string again = "transfer";
  for (const auto& [name, value] : c.info.parameters) again += "," + name + "=" + value;
  const Completion repeated = complete(problem, again);
  for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(c.kernels[m], repeated.kernels[m]);
}

TEST(Transfer, ReportsThatItStoppedEarly) {
  const Problem problem =
      test::random_problem(4, {.n_samples = 20, .n_views = 3, .missing = 0.4}).problem();
  auto options = fixed_options(0.5, 0.05, Intercept::yes);
  options.tol = 0;
  options.max_iter = 2;
  const Completion limited = test::complete_with(transfer_options(), problem, options);
  EXPECT_EQ(limited.info.status, Status::max_iterations);
  EXPECT_EQ(limited.info.iterations, 2);
  EXPECT_GT(limited.info.residual, 0);
  RunOptions run;
  run.progress = [](const Progress&) { return false; };
  options.max_iter = 10;
  const Completion stopped = test::complete_with(transfer_options(), problem, options, run);
  EXPECT_EQ(stopped.info.status, Status::interrupted);
  EXPECT_EQ(stopped.info.iterations, 1);
}

TEST(Transfer, NeedsAnotherView) {
  Mask observed = Mask::Constant(8, 1, true);
  EXPECT_FALSE(transfer_method().obstacle(Problem({test::random_psd(8, 3, 13)}, observed)).empty());
}

}  // namespace
}  // namespace mkc
