#include "factor_cost.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mkc/base/error.hpp"

namespace mkc::app {

namespace {

constexpr Index smallest_block = 256;
constexpr double flops_per_second = 6e9;  // of one core, measured over whole passes

double number(Index count) { return static_cast<double>(count); }

}  // namespace

double factor_bytes(const FactorSize& size, int threads) {
  constexpr double process = 64 * 0x1p20, bytes_per_id = 160;
  const double n = number(size.n_samples), m = number(size.n_views), r = number(size.rank);
  const double ids = n * (bytes_per_id + 8 * m);
  const double row = 2 * number(size.widest) + number(size.landmarks) + number(size.anchors) +
                     3 * m * r + number(size.anchors);
  const double blocks = 8 * row * number(size.block) * threads;
  const double p = m * r, a = number(size.anchors);
  const double moments = 8 * (4 * p * p + m * a * (a + 2 * r)) * 1.5;
  const double sample =
      8 * number(size.sample) * (number(size.widest) * 2 + 4 * p + number(size.landmarks) + 2 * a);
  // kernels of the sample, on which errors are measured, and their copies for the checkpoint
  const double measured = 0.55 * number(size.sample);
  const double trial = 2.5 * 8 * m * measured * measured;
  return process + size.values_in_memory + ids + blocks + moments + sample + trial;
}

Index block_within(FactorSize size, int threads, double bytes) {
  while (factor_bytes(size, threads) > bytes && size.block > smallest_block) size.block /= 2;
  const double needed = factor_bytes(size, threads);
  if (needed > bytes)
    throw MemoryError(
        fmt::format(
            "completing {} samples x {} views in factor form needs about {:.0f} MiB, {:.0f} "
            "MiB are allowed",
            size.n_samples, size.n_views, needed / 0x1p20, bytes / 0x1p20),
        "give a smaller --rank or --landmarks, or more --memory");
  return size.block;
}

double factor_output_bytes(const FactorSize& size) {
  const double n = number(size.n_samples), m = number(size.n_views);
  return 8 * n * m * (number(size.rank) + 2) + n * m * 30;
}

double factor_seconds(const FactorSize& size, Index passes, int threads) {
  const double m = number(size.n_views), r = number(size.rank), l = number(size.landmarks),
               a = number(size.anchors), p = m * r;
  const double maps = 2 * number(size.columns) * l + 2 * m * l * r;
  const double regression = m * (2 * a * p + a * a + 2 * a * r);
  const double per_row = number(passes) * maps + p * p + 0.75 * number(passes) * regression;
  return number(size.n_samples) * per_row / (flops_per_second * threads);
}

}  // namespace mkc::app
