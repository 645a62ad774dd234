#pragma once

#include "mkc/base/types.hpp"

namespace mkc::factor {

/// What decides the cost of a completion in factor form.
struct Size {
  Index n_samples = 0, n_views = 0;
  double observed = 1;  // share of the rows
  Index columns = 0;    // of all tables together
  Index widest = 0;     // columns of the widest table
  Index rank = 0, landmarks = 0, anchors = 0;
  Index block = 0, sample = 0;
  double values_in_memory = 0;  // bytes
};

/// Samples up to which everything is fitted again without the hidden rows, if all are in the
/// sample.
constexpr Index most_refitted = 3000;

/// Peak memory of the process.
double bytes_needed(const Size& size, int threads);

/// The largest block, of at most size.block rows, with which the process stays below so many bytes;
/// MemoryError where there is none.
Index block_within(Size size, int threads, double bytes);

/// Bytes of the result.
double output_bytes(const Size& size);

/// Floating-point operations of the fit in memory and of all passes, as if each took as long as one
/// of a matrix product.
double operations(const Size& size);

/// The same in seconds, by the speed of a small matrix product here and now.
double seconds_needed(const Size& size, int threads);

}  // namespace mkc::factor
