#include "methods/latent/latent.hpp"

#include <cmath>

#include "methods/latent/latent_em.hpp"
#include "methods/latent/latent_kernels.hpp"
#include "methods/latent/latent_model.hpp"
#include "methods/shared/log_domain.hpp"
#include "numeric/blocks.hpp"
#include "support/complete_with.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"
#include "support/slow_latent.hpp"
#include "support/symmetric_solve.hpp"

namespace mkc {
namespace {

Matrix gaussian_kernel(const Matrix& X) {
  Matrix K(X.rows(), X.rows());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.rows(); ++j) K(i, j) = std::exp(-(X.row(i) - X.row(j)).squaredNorm());
  return K;
}

// Gaussian kernels on linear images of two unrelated states: views 0 and 2 of one, 1 and 3 of the
// other. Samples 12, 13, ... lack one view each.
struct TwoGroups {
  std::vector<Matrix> truth;
  Mask observed;

  explicit TwoGroups(Index n = 36) : observed(Mask::Constant(n, 4, true)) {
    const Matrix a = test::random_matrix(n, 2, 1), b = test::random_matrix(n, 2, 2);
    for (Index m = 0; m < 4; ++m)
      truth.push_back(gaussian_kernel(
          (m % 2 == 0 ? a : b) * test::random_matrix(2, 2, static_cast<std::uint64_t>(10 + m))));
    for (Index i = 12; i < n; ++i) observed(i, i % 4) = false;
  }
  Problem problem() const { return Problem(truth, observed); }
};

std::vector<latent::ViewFeatures> features_of(const Problem& problem, bool log, Index rank) {
  std::vector<latent::ViewFeatures> features;
  for (const auto& view : problem.views())
    features.push_back(latent::view_features(view.block, log, rank));
  return features;
}

TEST(LatentFeatures, OfTheLogGiveBackTheDistancesBehindAGaussianKernel) {
  const Matrix X = test::random_matrix(9, 3, 4), K = 2 * gaussian_kernel(X);
  const auto view = latent::view_features(K, true, 100);
  ASSERT_TRUE(view.log);
  EXPECT_EQ(view.sources.cols(), 3);
  for (Index i = 0; i < 9; ++i)
    for (Index j = 0; j < 9; ++j)
      EXPECT_NEAR((view.all.row(i) - view.all.row(j)).squaredNorm(),
                  (X.row(i) - X.row(j)).squaredNorm(), 1e-12);
  EXPECT_NEAR(view.sources.squaredNorm() / 9, 1, 1e-12);
}

TEST(LatentFeatures, FallBackToTheKernelWhereTheLogIsNotEuclidean) {
  const Matrix K = test::random_psd(8, 3, 5);  // has negative entries
  const auto view = latent::view_features(K, true, 100);
  EXPECT_FALSE(view.log);
  EXPECT_EQ(view.sources.cols(), 3);
  const Matrix J = Matrix::Identity(8, 8) - Matrix::Constant(8, 8, 1.0 / 8);
  EXPECT_LT((view.gram - J * K * J).norm(), 1e-12);
}

TEST(LatentFeatures, ARankDoesNotCutThroughEqualEigenvalues) {
  EXPECT_EQ(latent::view_features(Matrix::Identity(7, 7), false, 3).sources.cols(), 6);
  EXPECT_EQ(latent::view_features(test::random_psd(9, 9, 2), false, 3).sources.cols(), 3);
}

TEST(LatentFeatures, OfEqualSamplesAreNone) {
  EXPECT_EQ(latent::view_features(Matrix::Ones(5, 5), true, 3).sources.cols(), 0);
}

TEST(LatentEm, AgreesWithTheTextbookFormulasSampleBySample) {
  const Problem problem = test::random_problem(3, {.n_samples = 14, .n_views = 3}).problem();
  const auto features = features_of(problem, false, 4);
  for (const double ridge : {1e-2, 0.3}) {
    const auto fast = latent::complete_features(problem, features, {0, 1, 2},
                                                view_patterns(problem.observed()), ridge);
    const Matrix slow = test::slow_gaussian_em(problem, features, ridge, fast.iterations);
    Index column = 0;
    for (const Matrix& F : fast.features) {
      EXPECT_LT((F - slow.middleCols(column, F.cols())).norm(), 1e-8 * F.norm());
      column += F.cols();
    }
  }
}

TEST(LatentComponents, TheLikelihoodNeverFallsAndTheEndIsStationary) {
  std::vector<Matrix> sources;
  for (const Index rank : {3, 4, 2})
    sources.push_back(kernel_gram(test::random_psd(10, rank, static_cast<std::uint64_t>(rank))));
  const Matrix T = kernel_gram(0.5 * sources[0] + 2 * sources[2] + 0.1 * Matrix::Identity(10, 10));
  const latent::Grams grams(sources);
  auto components = latent::equal_components(grams, T);
  const auto covariance = [&] {
    Matrix C = components.noise * Matrix::Identity(10, 10);
    for (std::size_t l = 0; l < 3; ++l) C += components.weights(static_cast<Index>(l)) * sources[l];
    return C;
  };
  double before = test::slow_log_likelihood(covariance(), T, components.noise);
  for (int k = 0; k < 50; ++k) {
    latent::improve(components, grams, T, 1);
    const double now = test::slow_log_likelihood(covariance(), T, components.noise);
    EXPECT_GE(now, before - 1e-10 * std::abs(before));
    before = now;
  }
  latent::improve(components, grams, T, 3000);
  EXPECT_NEAR(components.weights(0), 0.5, 1e-4);  // T is the covariance of these components
  EXPECT_NEAR(components.weights(1), 0, 1e-4);
  EXPECT_NEAR(components.weights(2), 2, 1e-4);
  EXPECT_NEAR(components.noise, 0.1, 1e-4);
}

TEST(LatentReader, PredictsByRidgeRegressionAndMeasuresWhatIsOpenByLeavingRowsOut) {
  // view 1 lacks samples 12..14, view 0 has all
  Mask observed = Mask::Constant(15, 2, true);
  for (Index i = 12; i < 15; ++i) observed(i, 1) = false;
  const std::vector<Matrix> truth = {test::random_psd(15, 4, 1), test::random_psd(15, 6, 2)};
  const Problem problem(truth, observed);
  const auto features = features_of(problem, false, 20);
  const std::vector<Matrix> grams = {truth[0], truth[0]};
  const latent::Reader reader(problem, view_patterns(problem.observed()), features, grams, 1, {0},
                              120, true, nullptr);
  const auto reading = reader.read(2);
  EXPECT_LT((reading.weights.colwise().sum().array() - 1).abs().maxCoeff(), 1e-12);

  const Indices I = problem.view(1).rows, T = problem.missing(1);
  const double noise = 2 * reader.components().noise, w = reader.components().weights(0);
  const Matrix G = w * submatrix(truth[0], I, I), K(problem.view(1).block);
  const Matrix J = Matrix::Identity(12, 12) - Matrix::Constant(12, 12, 1.0 / 12);
  const Matrix C = J * G * J + noise * Matrix::Identity(12, 12);
  const Matrix Q = test::symmetric_solve(C, Matrix::Identity(12, 12));
  // the variance of a row left out, its mean unknown: 1 / Q_ii on vectors that sum to zero
  double open = 0, predicted = 0;  // means over the rows left out
  for (Index i = 0; i < 12; ++i) {
    open += test::slow_left_out_error(G, K, noise, i) / 12;
    predicted += 1 / (Q(i, i) - 1 / (12 * noise)) / 12;
  }
  for (Index t = 0; t < 3; ++t) {
    const Index sample = T[at(t)];
    // a sample whose features are the weighted sum is predicted without error
    Indices with = I;
    with.push_back(sample);
    const Vector weights = reading.weights.col(t);
    Matrix K_with(13, 13);
    K_with << K, K * weights, (K * weights).transpose(), weights.dot(K * weights);
    const Matrix G_with = w * submatrix(truth[0], with, with);
    EXPECT_NEAR(test::slow_left_out_error(G_with, K_with, noise, 12), 0, 1e-10 * K_with(12, 12));

    const Vector g = G_with.col(12).head(12);
    const Vector c = J * (g - G.rowwise().mean());
    const double own = G_with(12, 12) - 2 * g.mean() + G.mean();
    EXPECT_NEAR(reading.variance(t),
                open * (own + noise * (1 + 1.0 / 12) - c.dot(Q * c)) / predicted, 1e-10 * open);
  }
}

TEST(LatentKernels, InTheLogDomainAreExpectedKernels) {
  // one feature; rows 4 and 5 are missing
  Matrix x(6, 1);
  x << 0, 0.5, 1.2, -0.7, 0, 0;
  Mask observed = Mask::Constant(6, 2, true);
  observed(4, 0) = observed(5, 0) = false;
  const Matrix K = 3 * gaussian_kernel(x);
  const Problem problem({K, Matrix::Identity(6, 6)}, observed);
  const auto view = latent::view_features(problem.view(0).block, true, 5);
  ASSERT_TRUE(view.log);
  latent::Reading reading;
  reading.weights = Matrix::Zero(4, 2);
  reading.weights.col(0) << 0.5, 0.5, 0, 0;  // at 0.25
  reading.weights.col(1) << 0, 0, 1, 0;      // at 1.2
  reading.variance = Vector(2);
  reading.variance << 0.3, 0.8;
  reading.covariance = Matrix::Zero(view.all.cols(), view.all.cols());
  reading.covariance(0, 0) = 0.4;
  const auto completed = latent::completed_view(problem, 0, view, reading, LatentLength::balance);
  for (Index i = 0; i < 4; ++i) {
    EXPECT_NEAR(completed.kernel(i, 4), 3 * test::slow_expected_gaussian(x(i, 0), 0.25, 0.3), 1e-6);
    EXPECT_NEAR(completed.kernel(i, 5), 3 * test::slow_expected_gaussian(x(i, 0), 1.2, 0.8), 1e-6);
  }
  EXPECT_NEAR(completed.kernel(4, 5), 3 * test::slow_expected_gaussian(0.25, 1.2, 0.3 + 0.8), 1e-6);
  EXPECT_NEAR(completed.kernel(4, 4), 3, 1e-12);
  // k_tt - |E phi|^2, where |E phi|^2 is the expected kernel of two independent draws
  EXPECT_NEAR(completed.uncertainty(0), 3 - 3 * test::slow_expected_gaussian(0, 0, 0.6), 1e-6);
}

TEST(LatentKernels, LengthsFollowTheirDefinitions) {
  Mask observed = Mask::Constant(5, 2, true);
  observed(4, 0) = false;
  const Problem problem({Matrix::Identity(5, 5) * 2, Matrix::Identity(5, 5)}, observed);
  const auto view = latent::view_features(problem.view(0).block, false, 5);
  latent::Reading reading{Matrix::Constant(4, 1, 0.25), Vector::Constant(1, 0.5), {}};  // length .5
  const auto squared = [&](LatentLength length) {
    const Matrix K = latent::completed_view(problem, 0, view, reading, length).kernel;
    EXPECT_NEAR(K(4, 4), 2, 1e-12);
    return K.col(4).head(4).squaredNorm() / 2;  // w'Kw with K = 2 I
  };
  EXPECT_NEAR(squared(LatentLength::shorten), 0.5, 1e-12);
  EXPECT_NEAR(squared(LatentLength::balance), 2 * 0.5 / (0.5 + 0.5), 1e-12);
  EXPECT_NEAR(squared(LatentLength::full), 2, 1e-12);
}

TEST(LatentKernels, AReadingWithoutLengthIsNotStretched) {
  // centred, and read as the mean of all: w'Kw = 0 up to rounding
  const Index n = 12;
  Mask observed = Mask::Constant(n + 1, 2, true);
  observed(n, 0) = false;
  Matrix K = Matrix::Identity(n + 1, n + 1);
  K.topLeftCorner(n, n) -= Matrix::Constant(n, n, 1.0 / double(n));
  const Problem problem({K * double(n) / double(n - 1), Matrix::Identity(n + 1, n + 1)}, observed);
  const auto view = latent::view_features(problem.view(0).block, false, 5);
  const latent::Reading reading{Matrix::Constant(n, 1, 1.0 / double(n)), Vector::Zero(1), {}};
  for (const auto length : {LatentLength::shorten, LatentLength::balance, LatentLength::full}) {
    const Matrix completed = latent::completed_view(problem, 0, view, reading, length).kernel;
    EXPECT_LT(completed.col(n).head(n).norm(), 1e-6);
    EXPECT_NEAR(completed(n, n), 1, 1e-9);
  }
}

TEST(Latent, TheLogDomainDoesNotDependOnTheUnitOfTheKernel) {
  const TwoGroups data;
  const std::string method = "latent,domain=log,ridge=0.01,groups=1,noise=1";
  const Completion plain = complete(data.problem(), method);
  TwoGroups large;
  for (auto& K : large.truth) K *= 1e14;
  const Completion scaled = complete(large.problem(), method);
  for (std::size_t m = 0; m < 4; ++m)
    EXPECT_LT((scaled.kernels[m] / 1e14 - plain.kernels[m]).norm(), 1e-6 * plain.kernels[m].norm());
}

TEST(Latent, FindsExactLinearRelationsAndTheGroupsOfViews) {
  const TwoGroups data;
  const Problem problem = data.problem();
  LatentOptions options;
  options.domain = LatentDomain::log;
  options.ridge = 1e-4;
  options.groups = 2;
  options.noise = 1;
  options.length = LatentLength::balance;
  const Completion c = test::complete_with(latent_options(), problem, options);
  for (std::size_t m = 0; m < 4; ++m)
    EXPECT_LT((c.kernels[m] - data.truth[m]).norm(), 1e-3 * data.truth[m].norm());
  EXPECT_EQ(c.info.notices.back(), "groups of views: {view0, view2} {view1, view3}");
  EXPECT_LT((*c.relations)(0, 1) + (*c.relations)(0, 3), 1e-12);
  EXPECT_GT((*c.relations)(0, 2), 0.9);
}

TEST(Latent, ChoosesTheDomainItself) {
  const TwoGroups data;
  LatentOptions options;  // the rest fixed: time
  options.ridge = 1e-4;
  options.groups = 2;
  options.noise = 1;
  options.length = LatentLength::balance;
  const Completion c = test::complete_with(latent_options(), data.problem(), options);
  EXPECT_EQ(c.info.parameters[0], (std::pair<std::string, std::string>("domain", "log")));
  for (std::size_t m = 0; m < 4; ++m)
    EXPECT_LT((c.kernels[m] - data.truth[m]).norm(), 1e-3 * data.truth[m].norm());
}

TEST(Latent, KeepsTheObservedBlockByItself) {
  // what the facade does afterwards changes nothing
  for (const char* domain : {"kernel", "log"}) {
    const Problem problem = test::random_problem(6, {.n_samples = 18, .n_views = 3}).problem();
    const std::string spec =
        std::string("latent,ridge=0.1,groups=1,noise=1,length=balance,domain=") + domain;
    RunOptions fitted;
    fitted.fitted = true;
    const Completion a = complete(problem, spec), b = complete(problem, spec, fitted);
    for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(a.kernels[m], b.kernels[m]);
  }
}

TEST(Latent, UncertaintyIsLargerForSamplesWithFewerViews) {
  TwoGroups data;
  data.observed(13, 3) = false;  // with view 1, all of its group
  const Completion c =
      complete(data.problem(), "latent,domain=log,ridge=1e-4,groups=2,noise=1,length=balance");
  const Matrix& u = *c.uncertainty;
  for (Index i = 0; i < u.rows(); ++i)
    for (Index m = 0; m < 4; ++m) {
      if (data.observed(i, m)) {
        EXPECT_EQ(u(i, m), 0);
      } else if (i == 13) {
        EXPECT_GT(u(i, m), 0.05);
      } else {
        EXPECT_GE(u(i, m), 0);
        EXPECT_LT(u(i, m), 1e-2);
      }
    }
}

TEST(Latent, UnrelatedViewsDoNoHarm) {
  // all samples alike in view 1; view 2 has one sample that differs
  TwoGroups data;
  data.truth[1].setOnes();
  data.truth[2].setOnes();
  data.truth[2].row(3).setZero();
  data.truth[2].col(3).setZero();
  data.truth[2](3, 3) = 1;
  for (const char* spec : {"latent,domain=log", "latent,domain=kernel"}) {
    const Completion c = complete(data.problem(), spec);
    for (const Matrix& K : c.kernels) EXPECT_TRUE(K.allFinite());
    EXPECT_LT((c.kernels[1] - data.truth[1]).norm(), 1e-6 * data.truth[1].norm());
  }
}

TEST(Latent, ItsParametersRepeatTheRun) {
  const Problem problem = test::random_problem(8, {.n_samples = 20, .n_views = 3}).problem();
  const Completion a = complete(problem, "latent");
  const Completion b = complete(problem, format_spec({"latent", a.info.parameters}));
  for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(a.kernels[m], b.kernels[m]);
  EXPECT_EQ(a.info.parameters, b.info.parameters);
}

}  // namespace
}  // namespace mkc
