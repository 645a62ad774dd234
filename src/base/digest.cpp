#include "base/digest.hpp"

#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace mkc {

namespace {

// Any odd numbers with well mixed bits: they make one round of a lane a bijection.
constexpr std::uint64_t P = 0x9e3779b97f4a7c15ULL, Q = 0xbf58476d1ce4e5b9ULL;

std::uint64_t round_of(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * P, 31) * Q;
}

// The finaliser of SplitMix64.
std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
  return word ^ (word >> 31);
}

}  // namespace

void Digest::add(std::string_view bytes) {
  auto lanes = lanes_;  // in registers
  lanes[0] = round_of(lanes[0], bytes.size());
  std::array<std::uint64_t, 4> words{};
  const auto take = [&](std::size_t count) {
    std::memcpy(words.data(), bytes.data(), count);
    for (std::size_t k = 0; k < lanes.size(); ++k) lanes[k] = round_of(lanes[k], words[k]);
    bytes.remove_prefix(count);
  };
  while (bytes.size() >= sizeof(words)) take(sizeof(words));
  words = {};
  if (!bytes.empty()) take(bytes.size());
  lanes_ = lanes;
}

std::string Digest::text() const {
  std::uint64_t first = 0, second = P;
  for (const std::uint64_t lane : lanes_) {
    first = mixed(first ^ lane);
    second = mixed(second + Q) ^ mixed(lane + P);
  }
  return fmt::format("{:016x}{:016x}", first, mixed(second));
}

}  // namespace mkc
