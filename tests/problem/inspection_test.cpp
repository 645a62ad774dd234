#include "mkc/problem/inspection.hpp"

#include <gtest/gtest.h>

namespace mkc::io {
namespace {

Mask mask_of(const Strings& rows) {
  Mask mask(static_cast<Index>(rows.size()), static_cast<Index>(rows.front().size()));
  for (Index i = 0; i < mask.rows(); ++i)
    for (Index m = 0; m < mask.cols(); ++m) mask(i, m) = rows[at(i)][at(m)] == '1';
  return mask;
}

TEST(Inspection, PatternsWithCounts) {
  const auto patterns = missing_patterns(mask_of({"110", "111", "011", "110", "101"}));
  ASSERT_EQ(patterns.size(), 4u);
  EXPECT_EQ(patterns[0].views, (std::vector<bool>{true, true, false}));
  EXPECT_EQ(patterns[0].samples, 2);
  EXPECT_EQ(patterns[1].views, (std::vector<bool>{true, true, true}));
  Index sum = 0;
  for (const auto& pattern : patterns) sum += pattern.samples;
  EXPECT_EQ(sum, 5);
}

TEST(Inspection, SharedSamples) {
  const auto shared = shared_samples(mask_of({"110", "111", "011", "110", "101"}));
  EXPECT_EQ(shared(0, 0), 4);
  EXPECT_EQ(shared(0, 1), 3);
  EXPECT_EQ(shared(1, 2), 2);
  EXPECT_EQ(shared(2, 1), 2);
}

TEST(Inspection, TheMapIsOrderedAndFitsItsWidth) {
  EXPECT_EQ(missingness_map(mask_of({"01", "11", "10", "11"}), 80), (Strings{"###.", "##.#"}));
  EXPECT_EQ(missingness_map(mask_of({"01", "11", "10", "11"}), 2), (Strings{"#+", "#+"}));
  for (const auto& line : missingness_map(Mask::Constant(1000, 2, true), 72))
    EXPECT_EQ(line, std::string(72, '#'));
}

TEST(Inspection, ScaleAndSpectrumOfAKernel) {
  const Matrix K = Vector{{8, 1, 0, 1}}.asDiagonal();
  const KernelCheck check = check_kernel(K);
  EXPECT_EQ(check.smallest_diagonal, 0);
  EXPECT_EQ(check.median_diagonal, 1);
  EXPECT_EQ(check.largest_diagonal, 8);
  EXPECT_NEAR(check.largest_eigenvalue, 8, 1e-12);
  EXPECT_TRUE(check.positive_semidefinite);
  EXPECT_EQ(check.directions, 2);
  ASSERT_EQ(check.spectrum.size(), 4u);
  EXPECT_NEAR(check.spectrum[0], 0.8, 1e-12);
  EXPECT_NEAR(check.spectrum[3], 0, 1e-12);
  EXPECT_FALSE(check_kernel(Matrix{{0.0, 1.0}, {1.0, 0.0}}).positive_semidefinite);
}

}  // namespace
}  // namespace mkc::io
