#include "numeric/linalg/blas_core.hpp"

#include <cstdlib>
#include <string>

#include "numeric/linalg/blas.hpp"
#include "support/random_matrices.hpp"

namespace mkc::linalg {
namespace {

constexpr CpuFeatures none{}, avx2{true, false}, avx512{true, true};

TEST(BlasCore, OldCoresGiveWayToWhatTheProcessorCanDo) {
  for (const char* old :
       {"Prescott", "Core2", "Nehalem", "Sandybridge", "Katmai", "Opteron_SSE3"}) {
    EXPECT_EQ(better_core(old, none), "") << old;
    EXPECT_EQ(better_core(old, avx2), "Haswell") << old;
    EXPECT_EQ(better_core(old, avx512), "SkylakeX") << old;
  }
}

TEST(BlasCore, CoresWithAvx2AndUnknownOnesStay) {
  for (const char* core : {"Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids",
                           "Excavator", "Neoversen1", "", "Core of the future"})
    for (const CpuFeatures cpu : {none, avx2, avx512})
      EXPECT_EQ(better_core(core, cpu), "") << core;
}

TEST(BlasCore, TheCoreInUseFitsTheProcessor) {
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) GTEST_SKIP() << "OPENBLAS_CORETYPE decides";
  EXPECT_EQ(better_core(core_in_use(), cpu_features()), "");
  EXPECT_EQ(blas_advice(), "");
}

// What happens on a processor that OpenBLAS does not know: it starts with Prescott.
TEST(BlasCore, AnotherCoreIsTakenAndComputesTheSame) {
  if (!cpu_features().avx2) GTEST_SKIP() << "needs a processor with AVX2";
  const std::string before(core_in_use());
  if (!use_core("Prescott")) GTEST_SKIP() << "this BLAS has one core";
  EXPECT_NE(blas_name().find(" Prescott, "), std::string::npos);
  EXPECT_NE(blas_advice().find("BLAS is slow"), std::string::npos);
  const Matrix X = test::random_matrix(150, 90, 1), slow = multiply_nt(X, X);
  ASSERT_TRUE(use_core("Haswell"));
  EXPECT_EQ(core_in_use(), "Haswell");
  EXPECT_EQ(blas_advice(), "");
  EXPECT_LT((multiply_nt(X, X) - slow).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_TRUE(use_core(before));
}

TEST(BlasCore, TheEnvironmentStaysAsItWas) {
  const char* before = std::getenv("OPENBLAS_CORETYPE");
  const std::string value = before == nullptr ? "" : before;
  use_core(core_in_use());
  const char* after = std::getenv("OPENBLAS_CORETYPE");
  EXPECT_EQ(after == nullptr ? "" : std::string(after), value);
  EXPECT_EQ(after == nullptr, before == nullptr);
}

}  // namespace
}  // namespace mkc::linalg
