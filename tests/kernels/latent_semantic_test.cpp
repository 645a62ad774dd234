#include "kernels/latent_semantic.hpp"

#include "kernels/errors.hpp"
#include "kernels/slow_kernels.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using namespace test;  // NOLINT: slow_* and helpers

// Word counts: about a quarter of the cells are not zero, and all documents share a word.
Matrix documents(Index n, Index d, std::uint64_t seed) {
  const Matrix X = random_matrix(n, d, seed);
  Matrix counts = (X.array() > 0.5).select(X.array() * 4, 0.0);
  counts.col(0).array() += 1;
  return counts;
}

TEST(LatentSemanticKernel, AgreesWithTheFullDecomposition) {
  for (const auto& [n, d] : {std::pair{20, 8}, {8, 20}, {15, 15}, {3, 1}, {2, 5}})
    for (const Index components : {1, 2, 3, 8, 100}) {
      const Matrix X = documents(n, d, 1);
      const Matrix expected = slow_latent_semantic(X, components);
      EXPECT_LT(largest(latent_semantic_kernel(X, components) - expected), 1e-9)
          << n << " x " << d << ", " << components;
    }
}

TEST(LatentSemanticKernel, AllComponentsGiveTheCosine) {
  const Matrix X = documents(12, 30, 3);
  EXPECT_LT(largest(latent_semantic_kernel(X, 1000) - slow_cosine(X)), 1e-12);
}

TEST(LatentSemanticKernel, DropsComponentsThatAreRounding) {
  Matrix X = documents(10, 40, 4);
  X.bottomRows(5) = X.topRows(5);  // rank 5
  const Matrix K = latent_semantic_kernel(X, 8);
  EXPECT_LT(largest(K - slow_cosine(X)), 1e-12);
  EXPECT_NEAR(K(7, 2), 1.0, 1e-14);
}

TEST(LatentSemanticKernel, NamesASampleOfZeros) {
  for (const Index d : {3, 20}) {
    Matrix X = documents(8, d, 6);
    X.row(5).setZero();
    EXPECT_TRUE(has(error_of([&] { latent_semantic_kernel(X, 2); }),
                    "row 5 (counted from 0) is zero in the first 2 components"));
    const Strings names{"a", "b", "c", "d", "e", "P-07", "g", "h"};
    EXPECT_TRUE(has(error_of([&] { latent_semantic_kernel(X, 2, names); }),
                    "sample 'P-07' is zero in the first 2 components"));
  }
  EXPECT_TRUE(has(error_of([] { latent_semantic_kernel(Matrix::Zero(3, 3), 2); }), "row 0"));
}

TEST(LatentSemanticKernel, NamesASampleOutsideTheComponentsKept) {
  Matrix X = Matrix::Zero(6, 9);
  X.topLeftCorner(5, 8) = documents(5, 8, 7);
  X(5, 8) = 1e-3;  // shares no feature with the others
  EXPECT_TRUE(has(error_of([&] { latent_semantic_kernel(X, 2); }), "keep more components"));
  EXPECT_EQ(latent_semantic_kernel(X, 6)(5, 5), 1.0);
}

TEST(LatentSemanticKernel, RefusesFeaturesWhoseProductsOverflow) {
  Matrix X = documents(4, 5, 8);
  X(2, 3) = 1e200;
  EXPECT_TRUE(has(error_of([&] { latent_semantic_kernel(X, 2); }), "too large for a number"));
}

}  // namespace
}  // namespace mkc
