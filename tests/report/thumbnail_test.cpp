#include "report/thumbnail.hpp"

#include <cmath>

#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"

namespace mkc::report {
namespace {

using Observed = Eigen::Array<bool, Eigen::Dynamic, 1>;

std::string decoded(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
  }
  return bytes;
}

// From the definition: the mean over all pairs of samples whose positions lie in bins c and d.
TEST(Thumbnail, IsTheMeanOfEveryBlock) {
  for (const Index bins : {1, 4, 7, 20}) {
    const auto problem = test::random_problem(static_cast<std::uint64_t>(bins));
    const Matrix& K = problem.truth[1];
    const Index n = K.rows();
    const Observed observed = problem.observed.col(1);
    const Indices order = test::random_permutation(n, 5);
    const Thumbnail grids = thumbnail(K, observed, order, bins);
    for (Index c = 0; c < bins; ++c)
      for (Index d = 0; d < bins; ++d) {
        double sum = 0, seen_sum = 0;
        Index pairs = 0, seen = 0;
        for (Index p = 0; p < n; ++p)
          for (Index q = 0; q < n; ++q) {
            // Position p lies in the bin with begin <= p < end, begin = floor(c n / bins).
            if (p < c * n / bins || p >= (c + 1) * n / bins) continue;
            if (q < d * n / bins || q >= (d + 1) * n / bins) continue;
            const Index i = order[at(p)], j = order[at(q)];
            sum += K(i, j);
            ++pairs;
            if (observed(i) && observed(j)) {
              seen_sum += K(i, j);
              ++seen;
            }
          }
        EXPECT_NEAR(grids.after(c, d), sum / static_cast<double>(pairs), 1e-12);
        if (seen == 0)
          EXPECT_TRUE(std::isnan(grids.before(c, d)));
        else
          EXPECT_NEAR(grids.before(c, d), seen_sum / static_cast<double>(seen), 1e-12);
      }
  }
}

TEST(PackedTriangle, ReadsBackWithinHalfAStep) {
  Matrix grid(3, 3);
  grid << 0.1, 0, 0, 0.5, std::nan(""), 0, -7, 0.9, 7;
  const Shades shades{0.0, 1.0};
  const std::string bytes = decoded(packed_triangle(grid, shades));
  ASSERT_EQ(bytes.size(), 6U);
  const auto value = [&](std::size_t k) {
    return (static_cast<unsigned char>(bytes[k]) - 1) / 254.0;
  };
  EXPECT_NEAR(value(0), 0.1, 0.5 / 254);
  EXPECT_NEAR(value(1), 0.5, 0.5 / 254);
  EXPECT_EQ(bytes[2], 0);  // NaN
  EXPECT_EQ(value(3), 0);  // below the range
  EXPECT_NEAR(value(4), 0.9, 0.5 / 254);
  EXPECT_EQ(value(5), 1);  // above
}

TEST(PackedTriangle, AcceptsAConstantKernel) {
  const Matrix grid = Matrix::Constant(2, 2, 3.0);
  EXPECT_EQ(decoded(packed_triangle(grid, shades_of(grid))), std::string(3, '\x80'));
}

TEST(ShadesOf, LeaveOutDiagonalAndExtremes) {
  Matrix grid = test::random_matrix(60, 60, 1);
  grid.diagonal().setConstant(100);
  grid(5, 2) = 50;  // one of 1770
  const Shades shades = shades_of(grid);
  EXPECT_LE(shades.high, 1);
  EXPECT_GE(shades.high, 0.9);
  EXPECT_LE(shades.low, -0.9);
}

TEST(PackedShares, AreBytes) {
  EXPECT_EQ(decoded(packed_shares(Vector::LinSpaced(3, 0, 1))), std::string("\x00\x80\xff", 3));
}

// Two triangles per view in base64 stay below 2.5 MB for any number of views a page can show.
TEST(CellsFor, KeepThePageSmall) {
  EXPECT_EQ(bins_for(150, 4), 150);
  EXPECT_EQ(bins_for(5000, 5), 300);
  for (const Index views : {1, 5, 20, 50, 200}) {
    const Index c = bins_for(100000, views);
    EXPECT_LE(c, 300);
    EXPECT_LE(static_cast<double>(c * (c + 1) * views) * 4 / 3, 2.5e6);
  }
}

}  // namespace
}  // namespace mkc::report
