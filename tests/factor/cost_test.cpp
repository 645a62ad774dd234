#include "factor/cost.hpp"

#include "mkc/base/error.hpp"

namespace mkc::factor {
namespace {

Size large() {
  Size size;
  size.n_samples = 1000000;
  size.n_views = 5;
  size.observed = 0.7;
  size.columns = 500;
  size.widest = 100;
  size.rank = 100;
  size.landmarks = 400;
  size.anchors = 600;
  size.block = 16384;
  size.sample = 4096;
  return size;
}

double ratio(double (*cost)(const Size&), const Size& to, const Size& from) {
  return cost(to) / cost(from);
}

TEST(FactorCost, IsLinearInTheNumberOfSamples) {
  Size twice = large();
  twice.n_samples *= 2;
  EXPECT_NEAR(ratio(operations, twice, large()), 2, 0.05);
  EXPECT_NEAR(ratio(output_bytes, twice, large()), 2, 1e-9);
  EXPECT_LT(bytes_needed(twice, 2), 1.3 * bytes_needed(large(), 2));
}

TEST(FactorCost, GrowsWithEverySizeButWithNoneFasterThanItsSquare) {
  for (Index Size::* field : {&Size::n_views, &Size::rank, &Size::landmarks, &Size::anchors}) {
    Size twice = large();
    twice.*field *= 2;
    if (field == &Size::n_views) twice.columns *= 2;
    EXPECT_GT(ratio(operations, twice, large()), 1.05);
    EXPECT_LT(ratio(operations, twice, large()), 4.01);
    EXPECT_GT(bytes_needed(twice, 2), bytes_needed(large(), 2));
  }
}

// The passes of 18 million operations a sample, counted by hand from the sizes of the products of
// each stage: features 0.6 in each of four passes, distances 3, sums 6.7, completed rows 3.1.
TEST(FactorCost, CountsTheProductsOfAllStages) {
  EXPECT_NEAR(operations(large()) / 1e6, 18e6, 6e6);
}

TEST(FactorCost, BlocksShrinkToTheMemoryThatIsAllowed) {
  const double most = bytes_needed(large(), 2);
  EXPECT_EQ(block_within(large(), 2, most), 16384);
  const Index smaller = block_within(large(), 2, 0.8 * most);
  EXPECT_LT(smaller, 16384);
  Size fits = large();
  fits.block = smaller;
  EXPECT_LE(bytes_needed(fits, 2), 0.8 * most);
  EXPECT_THROW(block_within(large(), 2, 1e6), MemoryError);
}

}  // namespace
}  // namespace mkc::factor
