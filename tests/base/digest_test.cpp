#include "base/digest.hpp"

#include <gtest/gtest.h>

#include <set>

namespace mkc {
namespace {

std::string digest_of(const std::string& bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.text();
}

// Every byte, every length and every place of a change counts.
TEST(Digest, NamesEveryChangeOfSomeBytes) {
  std::set<std::string> seen;
  std::size_t count = 0;
  const auto is_new = [&](const std::string& bytes) {
    ++count;
    EXPECT_EQ(digest_of(bytes).size(), 32U);
    seen.insert(digest_of(bytes));
  };
  for (std::size_t n = 0; n <= 100; ++n) {
    std::string bytes(n, '\0');
    is_new(bytes);
    for (std::size_t i = 0; i < n; ++i)
      for (const char change : {'\1', '\x80', '\xff'}) {
        bytes[i] = change;
        is_new(bytes);
        bytes[i] = '\0';
      }
  }
  EXPECT_EQ(seen.size(), count);
}

// Half of the bits differ where one bit of the input does: within 6 standard deviations of 128 / 2.
TEST(Digest, OneBitChangesHalfOfTheDigest) {
  std::string bytes(64, 'x');
  const std::string before = digest_of(bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = 'y';
    const std::string after = digest_of(bytes);
    bytes[i] = 'x';
    int differing = 0;
    for (const std::size_t half : {0, 16})
      differing += __builtin_popcountll(std::stoull(before.substr(half, 16), nullptr, 16) ^
                                        std::stoull(after.substr(half, 16), nullptr, 16));
    EXPECT_NEAR(differing, 64, 34) << i;
  }
}

// Two additions are not one: the boundary counts.
TEST(Digest, BoundariesCount) {
  Digest one, other;
  one.add("ab");
  one.add("c");
  other.add("a");
  other.add("bc");
  EXPECT_NE(one.text(), other.text());
  EXPECT_NE(one.text(), digest_of("abc"));
}

}  // namespace
}  // namespace mkc
