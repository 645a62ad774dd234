#include "numeric/chi_square.hpp"

#include <gtest/gtest.h>

namespace mkc {
namespace {

TEST(ChiSquareTail, AgreesWithTables) {
  EXPECT_NEAR(chi_square_tail(3.841458820694124, 1), 0.05, 1e-12);
  EXPECT_NEAR(chi_square_tail(5.991464547107979, 2), 0.05, 1e-12);
  EXPECT_NEAR(chi_square_tail(7.814727903251179, 3), 0.05, 1e-12);
  EXPECT_NEAR(chi_square_tail(18.307038053275146, 10), 0.05, 1e-12);
  EXPECT_EQ(chi_square_tail(0, 4), 1);
  EXPECT_NEAR(chi_square_tail(400, 1), 5.5e-89, 1e-90);
}

}  // namespace
}  // namespace mkc
