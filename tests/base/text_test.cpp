#include "base/text.hpp"

#include <gtest/gtest.h>

#include "mkc/base/error.hpp"

namespace mkc {
namespace {

TEST(Text, OrdinaryTextIsShownAsItIs) {
  EXPECT_EQ(printable("Zoë 日本 'a' \\ \"b\""), "Zoë 日本 'a' \\ \"b\"");
}

TEST(Text, WhatSteersATerminalIsEscaped) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\u001b[31mb");
  EXPECT_EQ(printable("a\nb\rc\td"), "a\\nb\\rc\\td");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\u0000b");
  EXPECT_EQ(printable("a\x7f"), "a\\u007f");
  EXPECT_EQ(printable("\u009b31m"), "\\u009b31m");          // the C1 form of ESC [
  EXPECT_EQ(printable("\u202egpj.exe"), "\\u202egpj.exe");  // right to left
  EXPECT_EQ(printable("\u2066a\u2069\u200f\u061c"), "\\u2066a\\u2069\\u200f\\u061c");
  EXPECT_EQ(printable("a\u2028b"), "a\\u2028b");
}

TEST(Text, BytesThatAreNotUtf8AreEscaped) {
  EXPECT_EQ(printable("a\xff\x9b"), "a\\xff\\x9b");
  EXPECT_EQ(printable("\xc3"), "\\xc3");  // cut off
}

TEST(Text, EscapingTwiceChangesNothingMore) {
  const std::string once = printable("a\x1b\n\u202e\xff");
  EXPECT_EQ(printable(once), once);
}

TEST(Text, LinesKeepTheirEnds) { EXPECT_EQ(printable_lines("a\tb\nc\x1b\n"), "a\tb\nc\\u001b\n"); }

TEST(Text, LongTextIsCutBetweenCharacters) {
  std::string text(59, 'a');
  EXPECT_EQ(shown(text + "ëëë"), text + "...");
  EXPECT_EQ(shown(text + "b"), text + "b");
}

TEST(Errors, MessagesAreOneSafeLine) {
  const std::string bad = "a\n\x1b";
  EXPECT_STREQ(InputError(bad).what(), "a\\n\\u001b");
  EXPECT_STREQ(OptionError(bad).what(), "a\\n\\u001b");
  EXPECT_STREQ(MemoryError(bad).what(), "a\\n\\u001b");
  EXPECT_STREQ(InterruptedError(bad).what(), "a\\n\\u001b");
  EXPECT_STREQ(OutputError(bad, "full").what(), "cannot write 'a\\n\\u001b': full");
  EXPECT_EQ(Hint("rename\x1b").text(), "rename\\u001b");
}

}  // namespace
}  // namespace mkc
