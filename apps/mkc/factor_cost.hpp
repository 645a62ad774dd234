#pragma once

#include "mkc/factor/steps.hpp"

namespace mkc::app {

/// What decides the cost of a completion in factor form.
struct FactorSize {
  Index n_samples = 0, n_views = 0;
  Index columns = 0;  // of all tables together
  Index widest = 0;   // columns of the widest table
  Index rank = 0, landmarks = 0, anchors = 0;
  Index block = 0, sample = 0;
  double values_in_memory = 0;  // bytes
};

/// Peak memory of the process.
double factor_bytes(const FactorSize& size, int threads);

/// The largest block, of at most size.block rows, with which the process stays below so many bytes;
/// MemoryError where there is none.
Index block_within(FactorSize size, int threads, double bytes);

/// Bytes of the result.
double factor_output_bytes(const FactorSize& size);

/// Seconds for the passes of moments and the last one, on cores of a few GFlop/s.
double factor_seconds(const FactorSize& size, Index passes, int threads);

}  // namespace mkc::app
