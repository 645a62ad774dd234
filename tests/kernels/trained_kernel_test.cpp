#include "mkc/kernels/trained_kernel.hpp"

#include "kernels/errors.hpp"
#include "kernels/slow_kernels.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using namespace test;  // NOLINT

// Every kernel between training and new samples, from the formula with what the training samples
// alone give for scaling, width and directions.
TEST(TrainedKernel, GivesTrainingSamplesTheirOwnRows) {
  const Matrix X = random_matrix(12, 5, 1).cwiseAbs();
  for (const char* name : {"linear", "rbf", "poly", "laplacian", "cosine", "jaccard", "lsk"}) {
    const KernelOptions options =
        kernel_option_table().parse({{"kernel", name}, {"components", "3"}});
    const ComputedKernel computed = compute_kernel(X, options);
    const TrainedKernel kernel = train_kernel(X, options, computed.gamma);
    const KernelOfNew again = kernel_of_new(kernel, X.bottomRows(4));
    EXPECT_LT(largest(again.rows - computed.kernel.bottomRows(4)), 1e-9) << name;
    EXPECT_LT(largest(again.diagonal - computed.kernel.diagonal().tail(4)), 1e-9) << name;
  }
}

TEST(TrainedKernel, NewSamplesDoNotChangeTheTrainedKernel) {
  const Matrix X = random_matrix(15, 4, 2);
  Matrix New = random_matrix(3, 4, 3);
  New.row(2) *= 1000;
  const KernelOptions options = kernel_option_table().parse({{"kernel", "rbf"}});  // z-scores
  const ComputedKernel computed = compute_kernel(X, options);
  const TrainedKernel kernel = train_kernel(X, options, computed.gamma);
  const KernelOfNew rows = kernel_of_new(kernel, New);
  for (Index x = 0; x < 3; ++x)
    for (Index i = 0; i < 15; ++i) {
      double distance = 0;
      for (Index j = 0; j < 4; ++j) {
        double mean = 0, variance = 0;
        for (Index k = 0; k < 15; ++k) mean += X(k, j) / 15;
        for (Index k = 0; k < 15; ++k) variance += (X(k, j) - mean) * (X(k, j) - mean) / 15;
        distance += (New(x, j) - X(i, j)) * (New(x, j) - X(i, j)) / variance;
      }
      EXPECT_NEAR(rows.rows(x, i), std::exp(-*computed.gamma * distance), 1e-10);
    }
}

TEST(TrainedKernel, ProjectsNewDocumentsOnTheTrainingDirections) {
  const Matrix X = random_matrix(8, 20, 4).cwiseAbs(), New = random_matrix(2, 20, 5).cwiseAbs();
  KernelOptions options;
  options.kernel = KernelKind::lsk;
  options.components = 3;
  const TrainedKernel kernel = train_kernel(X, options, {});
  EXPECT_EQ(kernel.directions.rows(), 20);
  EXPECT_EQ(kernel.directions.cols(), 3);
  EXPECT_LT(largest(kernel.directions.transpose() * kernel.directions - Matrix::Identity(3, 3)),
            1e-10);
  const Matrix Z = X * kernel.directions, z = New * kernel.directions;
  const Matrix rows = kernel_of_new(kernel, New).rows;
  for (Index x = 0; x < 2; ++x)
    for (Index i = 0; i < 8; ++i)
      EXPECT_NEAR(rows(x, i), z.row(x).dot(Z.row(i)) / (z.row(x).norm() * Z.row(i).norm()), 1e-12);
}

TEST(TrainedKernel, RefusesAnotherNumberOfFeatures) {
  const Matrix X = random_matrix(6, 4, 6);
  KernelOptions options;
  options.kernel = KernelKind::cosine;
  const TrainedKernel kernel = train_kernel(X, options, {});
  EXPECT_THROW(kernel_of_new(kernel, random_matrix(2, 3, 7)), InputError);
}

}  // namespace
}  // namespace mkc
