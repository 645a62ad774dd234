#include "base/random.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mkc {

namespace {

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// FNV-1a, mixed once more; the length enters so that ("ab", "c") and ("a", "bc") differ.
std::uint64_t hash(std::uint64_t start, std::string_view text) {
  std::uint64_t h = start ^ 0xcbf29ce484222325ULL;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix(h + text.size());
}

}  // namespace

Random::Random(std::uint64_t seed, std::string_view key_a, std::string_view key_b)
    : state_(hash(hash(mix(seed), key_a), key_b)) {}

std::uint64_t Random::next() { return mix(state_ += 0x9e3779b97f4a7c15ULL); }

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

double Random::normal() {
  // Box-Muller; 1 - u lies in (0, 1].
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::uint64_t Random::below(std::uint64_t bound) {
  const std::uint64_t limit = bound * (UINT64_MAX / bound);  // draws above it would be biased
  std::uint64_t draw = next();
  while (draw >= limit) draw = next();
  return draw % bound;
}

Indices rows_by_hash(const Strings& samples, const Indices& rows, std::size_t most,
                     std::string_view key) {
  std::vector<std::pair<std::uint64_t, Index>> keyed;
  for (std::size_t i = 0; i < rows.size(); ++i)
    keyed.emplace_back(Random(0, samples[at(rows[i])], key).next(), static_cast<Index>(i));
  std::sort(keyed.begin(), keyed.end());
  keyed.resize(std::min(keyed.size(), most));
  Indices chosen;
  for (const auto& [hash, i] : keyed) chosen.push_back(i);
  return chosen;
}

}  // namespace mkc
