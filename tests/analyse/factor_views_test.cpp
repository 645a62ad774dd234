#include "mkc/analyse/factor_views.hpp"

#include "mkc/base/error.hpp"
#include "mkc/combine.hpp"

namespace mkc {
namespace {

// Samples in three groups far apart, in two views.
FactorViews grouped(Index N) {
  std::srand(3);
  const Matrix centres = 3 * Matrix::Random(3, 4);
  FactorViews views;
  for (Index m = 0; m < 2; ++m) {
    Matrix F = 0.3 * Matrix::Random(N, 4 + m);
    for (Index i = 0; i < N; ++i) F.row(i).head(4) += centres.row(i % 3);
    views.features.push_back(F);
    views.views.push_back("v" + std::to_string(m));
  }
  for (Index i = 0; i < N; ++i) views.samples.push_back("s" + std::to_string(i));
  views.extra = Matrix::Zero(N, 2);
  return views;
}

std::vector<Matrix> kernels_of(const FactorViews& views) {
  std::vector<Matrix> kernels;
  for (std::size_t m = 0; m < views.features.size(); ++m) {
    kernels.emplace_back(views.features[m] * views.features[m].transpose());
    kernels.back().diagonal() += views.extra.col(static_cast<Index>(m));
  }
  return kernels;
}

TEST(FactorViews, CombineToTheFactorsOfTheCombinedKernel) {
  FactorViews views = grouped(30);
  views.extra = Matrix::Random(30, 2).cwiseAbs();
  const Vector weights = Eigen::Vector2d(0.3, 0.7);
  for (const bool scale : {true, false}) {
    const CombinedFactors found = combine_factors(views, weights, scale);
    Matrix K = found.features * found.features.transpose();
    K.diagonal() += found.extra;
    const Matrix expected = combine_kernels(kernels_of(views), weights, views.views, scale);
    EXPECT_LT((K - expected).cwiseAbs().maxCoeff(), 1e-10);
  }
  for (std::size_t m = 0; m < 2; ++m)
    EXPECT_NEAR(combine_factors(views, weights).variances(static_cast<Index>(m)),
                kernel_variance(kernels_of(views)[m]), 1e-10);
}

TEST(FactorViews, HaveTheAxesOfTheirKernels) {
  const FactorViews views = grouped(40);
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
  const FactorViews views = grouped(120);
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
