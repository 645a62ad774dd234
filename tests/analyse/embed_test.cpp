#include "mkc/analyse/embed.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "analyse/grouped_kernels.hpp"
#include "mkc/combine.hpp"
#include "numeric/blocks.hpp"
#include "numeric/centred.hpp"
#include "support/expect_message.hpp"

namespace mkc {
namespace {

Embedding embedded(const GroupedKernels& data, EmbedMethod method, Index dimensions = 3) {
  return embed(data.kernels, data.views, data.samples, {method, dimensions});
}

// Z Z' with all axes is the centred kernel.
TEST(Embed, AllKernelPrincipalComponentsGiveTheKernelBack) {
  const GroupedKernels data(20, 3, 2);
  const Embedding found = embedded(data, EmbedMethod::kernel_pca, 19);
  const Matrix K = combine_kernels(data.kernels, equal_weights(2), data.views);
  EXPECT_NEAR((found.coordinates * found.coordinates.transpose() - centred(K)).norm(), 0, 1e-9);
  EXPECT_NEAR(found.weights.sum(), 1, 1e-9);
}

TEST(Embed, OneKernelIsTakenAsItIs) {
  GroupedKernels data(20, 3, 2);
  data.kernels = {3 * data.kernels[0]};
  data.views = {"K"};
  const Embedding found = embedded(data, EmbedMethod::kernel_pca, 19);
  EXPECT_NEAR((found.coordinates * found.coordinates.transpose() - centred(data.kernels[0])).norm(),
              0, 1e-9);
}

TEST(Embed, SignsAreFixedAndFollowTheSamples) {
  const GroupedKernels data(30, 3, 2);
  GroupedKernels turned = data;
  Indices order;
  for (Index i = 0; i < 30; ++i) order.push_back((i * 7 + 3) % 30);
  for (std::size_t i = 0; i < order.size(); ++i) turned.samples[i] = data.samples[at(order[i])];
  for (auto& K : turned.kernels) K = submatrix(K, order, order);
  for (const auto method : {EmbedMethod::kernel_pca, EmbedMethod::diffusion, EmbedMethod::latent}) {
    const Embedding there = embedded(data, method), back = embedded(turned, method);
    EXPECT_NEAR((back.coordinates - there.coordinates(order, Eigen::all)).norm(), 0, 1e-7);
    for (Index a = 0; a < 3; ++a) {
      Index largest = 0;
      there.coordinates.col(a).cwiseAbs().maxCoeff(&largest);
      EXPECT_GT(there.coordinates(largest, a), 0);
    }
  }
}

// P psi = lambda psi with P the random walk, recomputed entry by entry.
TEST(Embed, DiffusionAxesAreEigenvectorsOfTheRandomWalk) {
  const GroupedKernels data(25, 2, 2);
  const Embedding found = embedded(data, EmbedMethod::diffusion, 2);
  const Matrix K = combine_kernels(data.kernels, equal_weights(2), data.views);
  const Index n = K.rows();
  Matrix D(n, n), W(n, n), P(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) D(i, j) = std::sqrt(K(i, i) + K(j, j) - 2 * K(i, j));
  Vector scale(n);
  for (Index i = 0; i < n; ++i) {
    Vector row = D.row(i);
    std::sort(row.begin(), row.end());
    scale(i) = row(7);
  }
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) W(i, j) = std::exp(-D(i, j) * D(i, j) / (scale(i) * scale(j)));
  const Vector density = W.rowwise().sum();
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) P(i, j) = W(i, j) / (density(i) * density(j));
  const Vector degrees = P.rowwise().sum();
  for (Index i = 0; i < n; ++i) P.row(i) /= degrees(i);
  for (Index a = 0; a < 2; ++a) {
    const Vector psi = found.coordinates.col(a) / found.weights(a);
    EXPECT_NEAR((P * psi - found.weights(a) * psi).norm(), 0, 1e-9);
    EXPECT_NEAR(degrees.dot(psi), 0, 1e-9);  // not the constant one
  }
  EXPECT_GE(found.weights(0), found.weights(1));
}

// An axis that both views have is the first latent one, though noise in one view is larger.
TEST(Embed, LatentAxisIsWhatViewsShare) {
  const Index n = 60;
  GroupedKernels data(n, 1, 0);
  Vector shared(n);
  for (Index i = 0; i < n; ++i) shared(i) = Random(4, data.samples[at(i)]).normal();
  for (std::size_t m = 0; m < 2; ++m) {
    Matrix X = 0.3 * data.features[m];
    X.col(0) += 2 * shared;
    X.col(1) *= 20;  // private to the view
    data.kernels[m] = X * X.transpose();
  }
  const auto correlation = [&](const Embedding& found) {
    const Vector z = found.coordinates.col(0).array() - found.coordinates.col(0).mean(),
                 s = shared.array() - shared.mean();
    return std::abs(z.dot(s)) / (z.norm() * s.norm());
  };
  EXPECT_GT(correlation(embedded(data, EmbedMethod::latent, 1)), 0.9);
  EXPECT_LT(correlation(embedded(data, EmbedMethod::kernel_pca, 1)), 0.5);
  EXPECT_NEAR(embedded(data, EmbedMethod::latent, 1).coordinates.squaredNorm(), n, 1e-6);
}

TEST(Embed, NoAxisIsRoundingError) {
  GroupedKernels data(20, 2, 2);
  for (std::size_t m = 0; m < 2; ++m) {
    const Matrix X = data.features[m].leftCols(1);
    data.kernels[m] = X * X.transpose();
  }
  EXPECT_EQ(embedded(data, EmbedMethod::kernel_pca, 5).coordinates.cols(), 2);
}

TEST(Embed, RefusesDimensionsAndViewsThatDoNotFit) {
  GroupedKernels data(20, 2, 2);
  test::expect_message([&] { embedded(data, EmbedMethod::kernel_pca, 20); }, "20 of 20 samples");
  test::expect_message([&] { embedded(data, EmbedMethod::kernel_pca, 0); }, "0 of 20 samples");
  data.kernels.pop_back();
  data.views.pop_back();
  test::expect_message([&] { embedded(data, EmbedMethod::latent); }, "one kernel");
}

}  // namespace
}  // namespace mkc
