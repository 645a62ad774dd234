#include <rapidcheck/gtest.h>

#include "kernels/slow_kernels.hpp"
#include "mkc/kernels/kernel_options.hpp"
#include "mkc/kernels/normalize.hpp"
#include "numeric/linalg/psd.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using test::largest;

bool is_of_amounts(KernelKind kernel) {
  return kernel == KernelKind::chi2 || kernel == KernelKind::braycurtis ||
         kernel == KernelKind::ruzicka;
}

KernelOptions arbitrary_options() {
  using enum KernelKind;
  KernelOptions options;
  options.kernel =
      *rc::gen::element(automatic, linear, rbf, poly, laplacian, cosine, jaccard, lsk, chi2,
                        braycurtis, ruzicka, tanimoto, spectral_angle, ordinal, categorical);
  options.gamma = *rc::gen::element(Gamma{}, Gamma{Gamma::Rule::scale, 1}, Gamma::number(0.1));
  options.components = 100;
  return options;
}

// Features with ties, zeros and repeated rows, but no row of zeros.
Matrix arbitrary_features(const KernelOptions& options) {
  const auto n = *rc::gen::inRange<Index>(1, 12), d = *rc::gen::inRange<Index>(1, 8);
  Matrix X(n, d);
  for (Index k = 0; k < X.size(); ++k) X.data()[k] = *rc::gen::inRange(-3, 4);
  if (is_of_amounts(options.kernel)) X = X.cwiseAbs();
  X.col(0) = X.col(0).cwiseAbs().array() + 1;
  return X;
}

RC_GTEST_PROP(KernelProperties, EveryKernelIsSymmetricPsdAndFollowsThePermutation, ()) {
  const KernelOptions options = arbitrary_options();
  const Matrix X = arbitrary_features(options);
  const Matrix K = compute_kernel(X, options).kernel;
  RC_ASSERT(K == K.transpose());
  RC_ASSERT(linalg::is_psd(K, 1e-10));
  const Indices order = test::random_permutation(X.rows(), *rc::gen::arbitrary<std::uint64_t>());
  const Matrix permuted = compute_kernel(test::rows_of(X, order), options).kernel;
  RC_ASSERT(largest(permuted - test::block_of(K, order)) <= 1e-9 * (1 + largest(K)));
}

RC_GTEST_PROP(KernelProperties, TransformsOfAWholeKernelAreUndoneBitForBit, ()) {
  const KernelOptions kernel = arbitrary_options();
  const Matrix X = arbitrary_features(kernel);
  const Matrix K = compute_kernel(X, kernel).kernel;
  KernelTransformOptions options;
  options.center = *rc::gen::arbitrary<bool>();
  const Indices rows = test::random_permutation(X.rows(), *rc::gen::arbitrary<std::uint64_t>());
  const KernelTransform t = KernelTransform::fit(K, options, "view");
  Matrix placed(K.rows(), K.cols());
  placed(rows, rows) = t.apply(K);
  RC_ASSERT(test::block_of(t.undo(placed, rows, K), rows) == K);
}

}  // namespace
}  // namespace mkc
