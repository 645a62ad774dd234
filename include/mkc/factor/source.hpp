#pragma once

#include <string>
#include <vector>

#include "mkc/kernels/features.hpp"
#include "mkc/kernels/kernel_options.hpp"

/// Completion in factor form: linear in the number of samples, block by block, for data larger
/// than memory (docs/methods/factor.md).
namespace mkc::factor {

/// What a source has for each view.
struct SourceView {
  std::string name;
  Index columns = 0;     // of its table; of a kernel: N, column j belongs to sample j
  KernelOptions kernel;  // precomputed: the table is a kernel; automatic parts are settled by plan
  Indices categories;    // columns that hold codes of words, ascending
  NaPolicy na = NaPolicy::error;  // single cells without a value: error or mean
};

/// Which of some rows a view has.
using Presence = Eigen::Array<bool, Eigen::Dynamic, 1>;

/// Tables of N samples in M views that are read in blocks of rows. A sample has one row number in
/// all views; a view may lack it. The functions may be called from several threads at once, in any
/// order, and give the same numbers each time.
class Source {
 public:
  virtual ~Source() = default;

  virtual Index n_samples() const = 0;
  virtual std::string sample(Index row) const = 0;  // its name, which decides random draws
  virtual const std::vector<SourceView>& views() const = 0;
  Index n_views() const { return static_cast<Index>(views().size()); }

  /// Rows first, ..., first + count - 1 of a view. X becomes (count, columns); the row of a sample
  /// that the view lacks may hold anything, `has` says which those are. NaN in other rows is a cell
  /// without a value. Of a kernel, rows and columns of samples that the view lacks do not count.
  virtual void read(Index view, Index first, Index count, Matrix& X, Presence& has) const = 0;

  /// Which rows of a view are there, without their values.
  virtual void presence(Index view, Index first, Index count, Presence& has) const = 0;

  /// Single rows, ascending: X (rows, columns). Here by read(), one by one.
  virtual void gather(Index view, const Indices& rows, Matrix& X, Presence& has) const;

  /// Chosen columns of a block: X (count, chosen). Here by read(); used for kernels, where a block
  /// has N columns and some hundred are needed.
  virtual void read_columns(Index view, Index first, Index count, const Indices& columns, Matrix& X,
                            Presence& has) const;
};

}  // namespace mkc::factor
