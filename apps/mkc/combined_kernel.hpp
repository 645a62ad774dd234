#pragma once

#include <optional>
#include <string>

#include "files/combination_file.hpp"
#include "files/result_reader.hpp"

namespace mkc::app {

/// The factors of a kernel, made some rows at a time: the kernel is theirs, with `extra` on its
/// diagonal.
struct FactorsOut {
  io::StoredFactors from;
  CombinedFactors how;

  Index rows() const { return std::ssize(from.samples); }
  Index columns() const;
  Matrix block(Index first) const;  // rows from `first` on, as columns
};

/// The kernel that is written: of all samples, or of new samples against the training samples.
struct CombinedKernel {
  Strings rows, columns;
  Matrix K;
  std::optional<Vector> diagonal;     // of new samples: k(x, x)
  std::optional<FactorsOut> factors;  // of a result in factor form, beside K or instead of it
  io::Combination how;
  bool whole = true;  // K is there
};

/// As NPZ, or as a table where `target` is the name of one; `path` is where it is written.
void write_kernel(const std::string& path, const std::string& target, const CombinedKernel& made);

/// k(x, x) of new samples, by id.
io::NewDiagonal new_diagonal(const CombinedKernel& made);

}  // namespace mkc::app
