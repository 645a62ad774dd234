#include "mkc/base/hint.hpp"

#include <gtest/gtest.h>

namespace mkc {
namespace {

TEST(Hint, SentenceAlone) {
  const Hint hint = "give two views or more";
  EXPECT_FALSE(hint.empty());
  EXPECT_EQ(hint.text(), "give two views or more");
}

TEST(Hint, NothingToSay) {
  EXPECT_TRUE(Hint().empty());
  EXPECT_TRUE(Hint("").empty());
  EXPECT_EQ(Hint().text(), "");
}

TEST(Hint, OptionsAreWrittenByTheFront) {
  const Hint hint = {
      "a kernel is symmetric", {"psd", "clip", "takes the nearest"}, {"force", "", "replaces it"}};
  EXPECT_EQ(hint.text(), "a kernel is symmetric; psd=clip takes the nearest; force replaces it");
  const auto shell = [](const Advice& advice) { return "--" + advice.option + " " + advice.value; };
  EXPECT_EQ(hint.text(shell),
            "a kernel is symmetric; --psd clip takes the nearest; --force  replaces it");
}

}  // namespace
}  // namespace mkc
