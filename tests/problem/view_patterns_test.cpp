#include "problem/view_patterns.hpp"

#include <gtest/gtest.h>

namespace mkc {
namespace {

TEST(ViewPatterns, GroupsSamplesByTheViewsTheyHave) {
  Mask observed(6, 2);
  observed << true, false, true, true, false, true, true, false, true, true, false, false;
  const auto patterns = view_patterns(observed);
  ASSERT_EQ(patterns.size(), 4u);
  EXPECT_EQ(patterns[0].has, (std::vector<bool>{false, false}));
  EXPECT_EQ(patterns[0].samples, Indices{5});
  EXPECT_EQ(patterns[1].has, (std::vector<bool>{false, true}));
  EXPECT_EQ(patterns[1].samples, Indices{2});
  EXPECT_EQ(patterns[2].has, (std::vector<bool>{true, false}));
  EXPECT_EQ(patterns[2].samples, (Indices{0, 3}));
  EXPECT_EQ(patterns[3].has, (std::vector<bool>{true, true}));
  EXPECT_EQ(patterns[3].samples, (Indices{1, 4}));
}

TEST(ViewPatterns, NoSamplesHaveNoPatternAndCompleteOnesHaveOne) {
  EXPECT_TRUE(view_patterns(Mask(0, 3)).empty());
  EXPECT_EQ(view_patterns(Mask::Constant(4, 3, true)).size(), 1u);
}

}  // namespace
}  // namespace mkc
