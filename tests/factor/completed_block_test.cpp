#include "mkc/factor/completed_block.hpp"

#include "mkc/base/error.hpp"
#include "mkc/factor/arrays.hpp"
#include "mkc/factor/factor_options.hpp"

namespace mkc::factor {
namespace {

TEST(FactorBlock, KernelIsTheGramMatrixOfFeaturesWithExtraOnTheDiagonal) {
  const Matrix A = Matrix::Random(5, 3), B = Matrix::Random(4, 3);
  const Vector extra = Vector::Random(5).cwiseAbs();
  EXPECT_TRUE(kernel_block(A, B).isApprox(A * B.transpose(), 1e-14));
  Matrix expected = A * A.transpose();
  expected.diagonal() += extra;
  EXPECT_TRUE(kernel_block_with_diagonal(A, extra).isApprox(expected, 1e-14));
}

TEST(FactorArrays, AMissingEntryIsNamed) {
  Arrays arrays{"plan", {{"id", "7"}}, {{"points", Matrix::Ones(1, 2)}}};
  EXPECT_EQ(arrays.word("id"), "7");
  EXPECT_EQ(arrays.matrix("points").cols(), 2);
  try {
    arrays.matrix("scales");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("scales"), std::string::npos);
  }
}

TEST(FactorOptions, AreReadByNameAndChecked) {
  const FactorOptions options = factor_options().parse({{"rank", "50"}, {"landmarks", "auto"}});
  EXPECT_EQ(options.rank, 50);
  EXPECT_FALSE(options.landmarks);
  EXPECT_THROW(factor_options().parse({{"coverage", "2"}}), OptionError);
}

}  // namespace
}  // namespace mkc::factor
