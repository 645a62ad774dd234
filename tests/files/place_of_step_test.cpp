#include "files/place_of_step.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace mkc::io {
namespace {

std::unique_ptr<int> refused() {
  throw OptionError("output 'm.npz' exists", "choose another name");
}

TEST(PlaceOfStep, IsMadeWhereNothingIsThere) {
  const auto place =
      place_of_step(false, [] { return false; }, [] { return std::make_unique<int>(7); });
  ASSERT_TRUE(place);
  EXPECT_EQ(*place, 7);
}

TEST(PlaceOfStep, IsNoneWhereTheStepIsDone) {
  EXPECT_FALSE(place_of_step(false, [] { return true; }, refused));
}

TEST(PlaceOfStep, IsNoneWhereAnotherProcessEndsTheStepMeanwhile) {
  int looks = 0;
  EXPECT_FALSE(place_of_step(false, [&] { return ++looks == 2; }, refused));
  EXPECT_EQ(looks, 2);
}

TEST(PlaceOfStep, OutputOfSomethingElseIsAnError) {
  EXPECT_THROW(place_of_step(false, [] { return false; }, refused), OptionError);
}

TEST(PlaceOfStep, ForceMakesItWhateverIsThere) {
  EXPECT_TRUE(place_of_step(true, [] { return true; }, [] { return std::make_unique<int>(1); }));
}

}  // namespace
}  // namespace mkc::io
