#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace mkc {

/// Names bytes by 128 bits, at the speed of memory: against mistakes, not against attackers. Four
/// lanes of 64 bits take eight bytes each in turn, l = rotate(l + 8 bytes * P, 31) * Q as in
/// xxHash64. The lanes are mixed at the end.
class Digest {
 public:
  void add(std::string_view bytes);  // its length counts
  std::string text() const;          // 32 hexadecimal digits

 private:
  std::array<std::uint64_t, 4> lanes_{1, 2, 3, 4};
};

}  // namespace mkc
