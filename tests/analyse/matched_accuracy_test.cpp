#include "mkc/analyse/matched_accuracy.hpp"

#include <algorithm>
#include <numeric>

#include "base/random.hpp"

namespace mkc {
namespace {

// All matchings, one after the other.
double slow_accuracy(const Indices& truth, const Indices& clusters, Index parts) {
  Indices match(static_cast<std::size_t>(parts));
  std::iota(match.begin(), match.end(), Index{0});
  double best = 0;
  do {
    double agree = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) agree += match[at(clusters[i])] == truth[i];
    best = std::max(best, agree / static_cast<double>(truth.size()));
  } while (std::next_permutation(match.begin(), match.end()));
  return best;
}

TEST(MatchedAccuracy, IsTheBestOfAllMatchings) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    Indices a, b;
    for (int i = 0; i < 30; ++i) {
      a.push_back(static_cast<Index>(random.below(2 + seed % 4)));
      b.push_back(static_cast<Index>(random.below(5)));
    }
    EXPECT_NEAR(matched_accuracy(a, b), slow_accuracy(a, b, 5), 1e-12);
  }
}

TEST(MatchedAccuracy, NamesOfPartsDoNotMatter) {
  EXPECT_EQ(matched_accuracy({0, 0, 1, 1, 2}, {2, 2, 0, 0, 1}), 1);
  EXPECT_EQ(matched_accuracy({0, 0, 0, 0}, {0, 1, 2, 3}), 0.25);
}

}  // namespace
}  // namespace mkc
