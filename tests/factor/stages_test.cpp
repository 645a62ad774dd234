#include "factor/stages.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "factor/feature_map.hpp"
#include "kernels/cross_kernel.hpp"
#include "methods/latent/latent_em.hpp"
#include "methods/shared/relations.hpp"
#include "mkc/complete.hpp"
#include "numeric/blocks.hpp"
#include "problem/view_patterns.hpp"

// Every stage against the dense method that it is a form of, or against a slow sum.
namespace mkc::factor {
namespace {

// Views of smooth functions of one latent space, (N, d) each.
std::vector<Matrix> related_views(Index N, Index M, Index d) {
  const Matrix Z = Matrix::Random(N, 3);
  std::vector<Matrix> views;
  for (Index m = 0; m < M; ++m)
    views.push_back((Z * Matrix::Random(3, d)).array().tanh().matrix() +
                    0.1 * Matrix::Random(N, d));
  return views;
}

// The same samples seen from the principal axes of those that have the view, as maps give them.
Matrix principal(const Matrix& X, const Mask& has, Index m) {
  Indices rows;
  for (Index i = 0; i < X.rows(); ++i)
    if (has(i, m)) rows.push_back(i);
  const Matrix own = X(rows, Eigen::all);
  const Matrix C = own.rowwise() - own.colwise().mean();
  return X * Eigen::SelfAdjointEigenSolver<Matrix>(C.transpose() * C).eigenvectors();
}

// Every third sample lacks a view, or two.
Mask some_missing(Index N, Index M) {
  Mask has = Mask::Constant(N, M, true);
  for (Index i = 0; i < N; i += 3) has(i, (i / 3) % M) = false;
  for (Index i = 0; i < N; i += 7) has(i, (i / 7 + 1) % M) = false;
  return has;
}

Rows rows_of(const std::vector<Matrix>& features, const Mask& has) {
  Rows rows{features, has};
  for (Index m = 0; m < has.cols(); ++m)
    for (Index i = 0; i < has.rows(); ++i)
      if (!has(i, m)) rows.features[at(m)].row(i).setZero();
  return rows;
}

Problem problem_of(const std::vector<Matrix>& kernels, const Mask& has) {
  ProblemChecks checks;
  checks.psd = PsdPolicy::unchecked;
  return Problem(kernels, has, checks);
}

TEST(FactorMoments, AreSumsOverTheSamplesOfEachPattern) {
  const auto views = related_views(40, 3, 4);
  const Mask has = some_missing(40, 3);
  const Rows rows = rows_of(views, has);
  const Indices widths = {4, 2, 3};
  GaussianMoments moments;
  Indices first, second;
  for (Index i = 0; i < 40; ++i) (i < 17 ? first : second).push_back(i);
  moments.add(rows.chosen(first), widths);
  moments.add(rows.chosen(second), widths);
  for (const auto& [pattern, samples] : view_patterns(has)) {
    double count = 0;
    Vector sum;
    Matrix products;
    for (const Index i : samples) {
      std::vector<double> x;
      for (std::size_t m = 0; m < 3; ++m)
        for (Index c = 0; pattern[m] && c < widths[m]; ++c) x.push_back(views[m](i, c));
      const Vector v = Eigen::Map<const Vector>(x.data(), std::ssize(x));
      if (count == 0) {
        sum = Vector::Zero(v.size());
        products = Matrix::Zero(v.size(), v.size());
      }
      ++count;
      sum += v;
      products += v * v.transpose();
    }
    const PatternSums& sums = moments.patterns.at(pattern);
    EXPECT_EQ(sums.count, count);
    EXPECT_TRUE(sums.sum.isApprox(sum, 1e-12));
    EXPECT_TRUE(sums.second.isApprox(products, 1e-12));
  }
  for (Index m = 0; m < 3; ++m) {
    EXPECT_EQ(moments.counts(m), double(has.col(m).count()));
    EXPECT_TRUE(moments.totals[at(m)].isApprox(
        Vector(rows.features[at(m)].colwise().sum().transpose()), 1e-12));
  }
}

// Dense form: EM on the rows. Features are linear, so that both have the same number of them.
TEST(FactorGaussian, EqualsStepTwoOfLatent) {
  auto views = related_views(80, 3, 4);
  const Mask has = some_missing(80, 3);
  for (Index m = 0; m < 3; ++m) views[at(m)] = principal(views[at(m)], has, m);
  std::vector<Matrix> kernels;
  for (const Matrix& X : views) kernels.emplace_back(X * X.transpose());
  const Problem problem = problem_of(kernels, has);
  std::vector<latent::ViewFeatures> dense_features;
  for (Index m = 0; m < 3; ++m)
    dense_features.push_back(latent::view_features(problem.view(m).block, false, 4));
  for (const double ridge : {0.1, 1e-3}) {
    const latent::Completed dense = latent::complete_features(
        problem, dense_features, {0, 1, 2}, view_patterns(problem.observed()), ridge);

    const Rows rows = rows_of(views, has);
    const Indices widths = {4, 4, 4};
    GaussianMoments moments;
    moments.add(rows, widths);
    const GaussianCompletion completion(fit_gaussian(moments, widths, ridge), {});
    const Features completed = completion.complete(rows);
    EXPECT_EQ(completion.gaussian().iterations, dense.iterations);
    for (Index m = 0; m < 3; ++m) {
      const Matrix scaled =
          (completed[at(m)].rowwise() - completion.gaussian().means[at(m)].transpose()) /
          completion.gaussian().scales(m);
      const Matrix expected = dense.features[at(m)] * dense.features[at(m)].transpose();
      EXPECT_LT((scaled * scaled.transpose() - expected).cwiseAbs().maxCoeff(), 1e-6);
    }
  }
}

// Dense form: one round of `transfer` decides where the other views are complete.
TEST(FactorRegression, EqualsTransferWithAllSamplesAsAnchors) {
  const Index N = 60;
  const auto views = related_views(N, 3, 4);
  Mask has = Mask::Constant(N, 3, true);
  for (Index i = 0; i < N; i += 4) has(i, 1) = false;
  KernelOptions rbf;
  rbf.kernel = KernelKind::rbf;
  rbf.gamma = Gamma::number(0.3);
  rbf.scale = FeatureScaling::none;
  std::vector<Matrix> kernels, features;
  for (std::size_t m = 0; m < 3; ++m) {
    Matrix K = cross_kernel(views[m], views[m], rbf);
    kernels.emplace_back((K + K.transpose()) / 2);
    Matrix own = views[m];
    Indices I;
    for (Index i = 0; i < N; ++i)
      if (has(i, static_cast<Index>(m))) I.push_back(i);
    SourceView view{"v" + std::to_string(m), 4, rbf, {}};
    const LearntMap learnt = learn_map(view, own(I, Eigen::all), {N, N}, 0, {});
    EXPECT_LT(learnt.trace_error, 1e-8);
    features.push_back(learnt.map.features(learnt.map.points(own, {})));
  }
  const Problem problem = problem_of(kernels, has);
  for (const std::string gamma : {"0.5", "0"}) {
    const Completion dense = complete(
        problem,
        "transfer,gamma=" + gamma +
            ",ridge=0.05,intercept=yes,weights=loo,sources=all,target=kernel,diagonal=none");
    const Rows rows = rows_of(features, has);
    const double g = std::stod(gamma);
    StageSettings settings;
    Regressions regressions;
    regressions.shape = {g, {0.05}};
    regressions.anchors.features = rows.features;
    regressions.anchors.weights = source_weights(rows, Vector::Ones(3), g, 0.05, 1);
    for (Index m = 0; m < 3; ++m)
      regressions.mean_distances.push_back(
          mean_distance(rows.features, regressions.anchors.weights.row(m)));
    // anchors are the samples that have the view, as in dense form; view 1 is the only one asked
    const AnchorDistances distances(regressions.anchors, rows.features);
    RegressionSums sums;
    add_sums(regressions, rows, distances, sums);
    fit_regressions(sums, rows, rows.features, true, 1, regressions);
    Matrix variance;
    const Features completed =
        complete(regressions, rows, rows.features, distances, Asked::everything(3, true), variance);
    const Matrix K = completed[1] * completed[1].transpose();
    for (const Index t : problem.missing(1)) {
      for (const Index i : problem.view(1).rows) EXPECT_NEAR(K(i, t), dense.kernels[1](i, t), 1e-6);
      EXPECT_NEAR(variance(t, 1), (*dense.uncertainty)(t, 1), 1e-6);
      EXPECT_NEAR(K(t, t) + variance(t, 1), dense.kernels[1](t, t), 1e-6);
    }
  }
}

// With H = g (sum g g' + ridge G_LL)^-1 g' the ridge minimises |phi - H phi|^2 / (1 - tr H / n)^2.
TEST(FactorRegression, TheRidgeFromSumsAloneIsThatOfGeneralisedCrossValidation) {
  const Mask has = some_missing(60, 3);
  const Rows rows = rows_of(related_views(60, 3, 4), has);
  Regressions regressions;
  regressions.shape = {0.5, {0.001, 0.01, 0.1, 1, 10}};
  regressions.anchors.weights = equal_relations(3);
  Indices anchors;
  for (Index i = 0; i < 15; ++i) anchors.push_back(4 * i);
  for (Index m = 0; m < 3; ++m) {
    regressions.anchors.features.emplace_back(rows.features[at(m)](anchors, Eigen::all));
    regressions.mean_distances.push_back(
        mean_distance(rows.features, regressions.anchors.weights.row(m)));
  }
  const AnchorDistances distances(regressions.anchors, rows.features);
  RegressionSums sums;
  add_sums(regressions, rows, distances, sums);
  fit_regressions(sums, rows, rows.features, false, 1, regressions);
  for (Index m = 0; m < 3; ++m) {
    Indices I;
    for (Index i = 0; i < 60; ++i)
      if (has(i, m)) I.push_back(i);
    const double mean = regressions.mean_distances[at(m)], n = double(I.size());
    const Matrix g = distances.g(m, I, 0.5, mean), G = distances.g(m, anchors, 0.5, mean);
    const Matrix phi = rows.features[at(m)](I, Eigen::all);
    double best = std::numeric_limits<double>::infinity(), chosen = 0;
    for (const double ridge : regressions.shape.ridges) {
      const Matrix H = g * (g.transpose() * g + ridge * G).inverse() * g.transpose();
      const double score = (phi - H * phi).squaredNorm() / std::pow(1 - H.trace() / n, 2);
      if (score < best) {
        best = score;
        chosen = ridge;
      }
    }
    EXPECT_EQ(regressions.views[at(m)].ridge, chosen) << "view " << m;
  }
}

TEST(FactorExperts, TheLastIsTheMeanOfTheRowsThatTheViewHas) {
  const auto views = related_views(50, 3, 4);
  const Mask has = some_missing(50, 3);
  const Rows rows = rows_of(views, has);
  StageSettings settings;
  settings.widths = {4, 2, 3};  // the mean is that of all features, not of the leading ones
  for (Index i = 0; i < 20; ++i) settings.anchors.push_back(i);
  settings.weights = equal_relations(3);
  const Stages stages = fit_in_memory(settings, rows, 1);
  const std::vector<StageAnswer> experts = experts_of(stages, rows);
  ASSERT_EQ(std::ssize(experts), std::ssize(expert_names(stages)));
  EXPECT_EQ(expert_names(stages).back(), "average row");
  for (Index m = 0; m < 3; ++m) {
    Vector mean = Vector::Zero(4);
    for (Index i = 0; i < 50; ++i)
      if (has(i, m)) mean += views[at(m)].row(i).transpose();
    const double n = double(has.col(m).count());
    mean /= n;
    double variance = 0;
    for (Index i = 0; i < 50; ++i)
      if (has(i, m)) variance += (views[at(m)].row(i).transpose() - mean).squaredNorm() / n;
    for (Index i = 0; i < 50; ++i) {
      const Vector expected = has(i, m) ? Vector(views[at(m)].row(i).transpose()) : mean;
      EXPECT_TRUE(expected.isApprox(experts.back().features[at(m)].row(i).transpose(), 1e-12));
      EXPECT_NEAR(experts.back().variance(i, m), has(i, m) ? 0 : variance, 1e-12);
    }
  }
}

// A mixture is computed from fewer stages than there are: nothing that it takes changes.
TEST(FactorExperts, ThoseOfAMixtureAreThoseOfAll) {
  const Mask has = some_missing(50, 3);
  const Rows rows = rows_of(related_views(50, 3, 4), has);
  StageSettings settings;
  settings.widths = {4, 4, 4};
  for (Index i = 0; i < 20; ++i) settings.anchors.push_back(i);
  settings.weights = equal_relations(3);
  const Stages stages = fit_in_memory(settings, rows, 1);
  const std::vector<StageAnswer> all = experts_of(stages, rows);
  Matrix only_first = Matrix::Zero(6, 3), only_third = only_first;
  only_first(1, 0) = only_first(0, 1) = only_first(5, 2) = 1;
  only_third.row(0).setConstant(0.5);
  only_third(3, 1) = 1;
  for (const Matrix& weights : {only_first, only_third}) {
    const std::vector<StageAnswer> some = experts_of(stages, rows, weights);
    for (Index c = 0; c < 6; ++c)
      for (Index m = 0; m < 3; ++m) {
        if (weights(c, m) == 0) continue;
        EXPECT_EQ(some[at(c)].features[at(m)], all[at(c)].features[at(m)]);
        EXPECT_EQ(Vector(some[at(c)].variance.col(m)), Vector(all[at(c)].variance.col(m)));
      }
  }
  EXPECT_TRUE(experts_of(stages, rows, only_first)[2].features.empty());
}

TEST(FactorGaussian, ConditionalVarianceIsTheSchurComplement) {
  const auto views = related_views(50, 2, 3);
  const Mask has = some_missing(50, 2);
  const Rows rows = rows_of(views, has);
  GaussianMoments moments;
  moments.add(rows, {2, 3});
  const GaussianCompletion completion(fit_gaussian(moments, {2, 3}, 0.1), {});
  Matrix variance;
  completion.complete(rows, &variance);
  const Gaussian& g = completion.gaussian();
  const Indices h = {0, 1}, o = {2, 3, 4};
  const Matrix open = submatrix(g.sigma, h, h) - submatrix(g.sigma, h, o) *
                                                     submatrix(g.sigma, o, o).inverse() *
                                                     submatrix(g.sigma, o, h);
  for (Index i = 0; i < 50; ++i) {
    if (has(i, 0)) {
      EXPECT_EQ(variance(i, 0), 0);
    } else if (has(i, 1)) {
      EXPECT_NEAR(variance(i, 0), open.trace() * g.scales(0) * g.scales(0) + g.rest(0), 1e-10);
    }
  }
}

}  // namespace
}  // namespace mkc::factor
