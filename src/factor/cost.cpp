#include "factor/cost.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/stopwatch.hpp"
#include "factor/stages.hpp"
#include "mkc/base/error.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::factor {

namespace {

constexpr Index smallest_block = 256;
constexpr double passes = all_rounds + 1;
constexpr double gaussian_width = 100;
constexpr double copies_in_memory = 3;  // fits on hidden rows, where all samples are in memory

double number(Index count) { return static_cast<double>(count); }

// What one sample takes in all passes (docs/methods/factor.md).
double operations_per_sample(const Size& size) {
  constexpr double of_an_exponential = 30, of_a_sum = 10;  // products of a matrix product
  const double m = number(size.n_views), r = number(size.rank), a = number(size.anchors),
               l = number(size.landmarks), p = size.observed,
               regressions = number(std::ssize(stage_kinds())), width = std::min(r, gaussian_width),
               here = p * m * width, gone = (1 - p) * m * width;
  const double maps =
      passes * p * (2 * number(size.columns) * l + 2 * m * l * r + of_an_exponential * m * l);
  const double gaussian = here * here + 2 * (passes - 1) * here * gone;
  const double distances = (2 * passes - 3) * 2 * m * a * r;
  const double sums = regressions * p * m * (a * a + 2 * a * r);
  const double completed = (1 - p) * m * (2 * (regressions + 1) * a * r + regressions * a * a);
  const double g =
      (regressions * p + (regressions + 1) * (1 - p)) * m * a * (of_a_sum * m + of_an_exponential);
  return maps + gaussian + distances + sums + completed + g;
}

// The maps, and all regressions of one fit on the rows in memory.
double operations_in_memory(const Size& size) {
  constexpr double of_eigenvectors = 60;  // per cube: they are slower than a matrix product
  const double m = number(size.n_views), r = number(size.rank), a = number(size.anchors),
               l = number(size.landmarks), s = number(size.sample),
               regressions = number(std::ssize(stage_kinds()));
  const double maps =
      2 * number(size.columns) * s * l + m * (2 * s * l * r + of_eigenvectors * l * l * l / 4);
  const double left_out = std::min(s, 1500.0);
  const double ridges = 8 * 2 * left_out * a * r + 2 * left_out * a * a;
  const double fit = regressions * m * (of_eigenvectors * a * a * a / 2 + s * a * a + ridges);
  const bool refits = size.sample >= size.n_samples && size.n_samples <= most_refitted;
  return maps + (refits ? 1 + copies_in_memory : 1) * fit;
}

// Operations per second of a matrix product on one core.
double measured_speed() {
  constexpr Index n = 512;
  const Matrix A = Matrix::Constant(n, n, 0.5), B = Matrix::Constant(n, n, 0.25);
  linalg::multiply(A, B);  // the first one sets the library up
  const Stopwatch watch;
  const Matrix C = linalg::multiply(A, B);
  return 2 * number(n * n * n) / std::max(watch.seconds(), 1e-4);
}

}  // namespace

double bytes_needed(const Size& size, int threads) {
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

Index block_within(Size size, int threads, double bytes) {
  while (bytes_needed(size, threads) > bytes && size.block > smallest_block) size.block /= 2;
  const double needed = bytes_needed(size, threads);
  if (needed > bytes)
    throw MemoryError(
        fmt::format(
            "completing {} samples x {} views in factor form needs about {:.0f} MiB, {:.0f} "
            "MiB are allowed",
            size.n_samples, size.n_views, needed / 0x1p20, bytes / 0x1p20),
        "give a smaller --rank or --landmarks, or more --memory");
  return size.block;
}

double output_bytes(const Size& size) {
  const double n = number(size.n_samples), m = number(size.n_views);
  return 8 * n * m * (number(size.rank) + 2) + n * m * 30;
}

double operations(const Size& size) {
  const bool whole = size.sample >= size.n_samples;
  const double rows = number(size.n_samples) * (whole ? 1 / passes : 1);  // sums are in memory
  return operations_in_memory(size) + rows * operations_per_sample(size);
}

double seconds_needed(const Size& size, int threads) {
  constexpr double overhead = 1.5;  // copies, sums, reading and writing; measured over whole runs
  return overhead * operations(size) / (measured_speed() * threads);
}

}  // namespace mkc::factor
