#include "mkc/analyse/factor_views.hpp"

#include <Eigen/SVD>

#include "mkc/base/error.hpp"
#include "mkc/combine.hpp"

namespace mkc {
namespace {

// Samples in three groups far apart, in two views; and their factors whole (N, r_m).
struct Grouped : FactorViews {
  std::vector<Matrix> whole;

  explicit Grouped(Index N) {
    std::srand(3);
    const Matrix centres = 3 * Matrix::Random(3, 4);
    for (Index m = 0; m < 2; ++m) {
      Matrix F = 0.3 * Matrix::Random(N, 4 + m);
      for (Index i = 0; i < N; ++i) F.row(i).head(4) += centres.row(i % 3);
      ranks.push_back(F.cols());
      whole.push_back(std::move(F));
      views.push_back("v" + std::to_string(m));
    }
    for (Index i = 0; i < N; ++i) samples.push_back("s" + std::to_string(i));
    extra = Matrix::Zero(N, 2);
    features = [all = whole](Index view, const Indices& rows) {
      return Matrix(all[static_cast<std::size_t>(view)](rows, Eigen::all).transpose());
    };
  }
};

std::vector<Matrix> kernels_of(const Grouped& views) {
  std::vector<Matrix> kernels;
  for (std::size_t m = 0; m < views.whole.size(); ++m) {
    kernels.emplace_back(views.whole[m] * views.whole[m].transpose());
    kernels.back().diagonal() += views.extra.col(static_cast<Index>(m));
  }
  return kernels;
}

TEST(FactorViews, CombineToTheFactorsOfTheCombinedKernel) {
  Grouped views(30);
  views.extra = Matrix::Random(30, 2).cwiseAbs();
  const Vector weights = Eigen::Vector2d(0.3, 0.7);
  for (const bool scale : {true, false}) {
    const CombinedFactors found = combine_factors(views, weights, scale);
    const Matrix F = found.features(views, 0, 30);
    Matrix K = F.transpose() * F;
    K.diagonal() += found.extra;
    const Matrix expected = combine_kernels(kernels_of(views), weights, views.views, scale);
    EXPECT_LT((K - expected).cwiseAbs().maxCoeff(), 1e-10);
  }
  for (std::size_t m = 0; m < 2; ++m)
    EXPECT_NEAR(combine_factors(views, weights).variances(static_cast<Index>(m)),
                kernel_variance(kernels_of(views)[m]), 1e-10);
  const CombinedFactors same = with_factors(views, combine_factors(views, weights).factors);
  EXPECT_EQ(same.features(views, {7, 3}).col(1),
            combine_factors(views, weights).features(views, 3, 1).col(0));
}

// More samples than are read at once.
TEST(FactorViews, AreReadSomeRowsAtATime) {
  Grouped views(4500);
  Index most = 0;
  views.features = [&most, all = views.whole](Index view, const Indices& rows) {
    most = std::max(most, std::ssize(rows));
    return Matrix(all[static_cast<std::size_t>(view)](rows, Eigen::all).transpose());
  };
  const Embedding found = embed(views, {EmbedMethod::kernel_pca, 2});
  EXPECT_LT(most, 4500);
  Matrix F(4500, 9);
  for (Index m = 0; m < 2; ++m) {
    const Matrix C = views.whole[static_cast<std::size_t>(m)].rowwise() -
                     views.whole[static_cast<std::size_t>(m)].colwise().mean();
    F.middleCols(4 * m, 4 + m) = C / C.norm();  // each view with the same variance
  }
  const Eigen::JacobiSVD<Matrix> svd(F, Eigen::ComputeThinU);
  const Vector shares = svd.singularValues().array().square() / F.squaredNorm();
  EXPECT_LT((found.weights - shares.head(2)).cwiseAbs().maxCoeff(), 1e-9);
  for (Index a = 0; a < 2; ++a)
    EXPECT_NEAR(std::abs(found.coordinates.col(a).normalized().dot(svd.matrixU().col(a))), 1, 1e-9);
}

TEST(FactorViews, ThatAreNotFiniteAreNamed) {
  Grouped views(20);
  views.features = [all = views.whole](Index view, const Indices& rows) {
    Matrix F = all[static_cast<std::size_t>(view)](rows, Eigen::all).transpose();
    if (view == 1) F(0, 0) = std::nan("");
    return F;
  };
  EXPECT_THROW(embed(views, {EmbedMethod::kernel_pca, 2}), InputError);
  EXPECT_THROW(combine_factors(views, equal_weights(2)), InputError);
}

TEST(FactorViews, HaveTheAxesOfTheirKernels) {
  const Grouped views(40);
  for (const EmbedMethod method : {EmbedMethod::kernel_pca, EmbedMethod::latent}) {
    const EmbedOptions options{method, 4};
    const Embedding found = embed(views, options);
    const Embedding expected = embed(kernels_of(views), views.views, views.samples, options);
    ASSERT_EQ(found.weights.size(), expected.weights.size());
    EXPECT_LT((found.weights - expected.weights).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LT((found.coordinates - expected.coordinates).cwiseAbs().maxCoeff(), 1e-6);
  }
  EXPECT_THROW(embed(views, {EmbedMethod::diffusion, 2}), OptionError);
}

TEST(FactorViews, ClustersOfSomeSamplesTakeInTheOthers) {
  const Grouped views(120);
  ClusterOptions options;
  options.clusters = 3;
  options.resamples = 4;
  const Clustering one = cluster(views, options, 60);
  options.threads = 2;
  const Clustering two = cluster(views, options, 60);
  EXPECT_EQ(one.of_sample, two.of_sample);
  ASSERT_EQ(one.of_sample.size(), 120u);
  for (Index i = 0; i < 120; ++i) {
    EXPECT_EQ(one.of_sample[static_cast<std::size_t>(i)],
              one.of_sample[static_cast<std::size_t>(i % 3)]);
    EXPECT_GT(one.strength(i), 0.8);
    EXPECT_LE(one.strength(i), 1 + 1e-12);
  }
  const Clustering all = cluster(views, options, 120);
  const Clustering dense = cluster(kernels_of(views), views.views, views.samples, options);
  EXPECT_EQ(all.of_sample, dense.of_sample);
}

}  // namespace
}  // namespace mkc
