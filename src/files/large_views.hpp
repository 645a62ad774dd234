#pragma once

#include "files/hdf5_guard.hpp"
#include "formats/row_source.hpp"
#include "mkc/files/read_all.hpp"
#include "mkc/problem/view_recipe.hpp"

namespace mkc::io {

/// A view whose values are read a few rows at a time.
struct LargeView {
  View view;  // values (n, 1): the row of the source that holds each sample, ids[i]; its kind is
              // therefore features
  ViewKind kind = ViewKind::features;  // of the source
  std::shared_ptr<const RowSource> rows;
  Indices columns;  // of the source, those in use; empty: all
};

struct LargeViews {
  std::vector<LargeView> views;
  Strings notices;  // what concerns several views
};

/// Views of read_all_views(): their values move to where they are read from.
LargeViews large_views(ReadViews read, NaPolicy na_features);

/// Reads the views of a run without holding their values: one pass over every table finds missing
/// samples, rows of zeros, and cells without values. What a copy needs goes to files that `spool`
/// names. As read_all_views(), but samples are in rows unless a view says samples_in=columns, cells
/// are numbers, ids decide without a sample map, and several rows of a sample are not averaged.
LargeViews read_large_views(const std::vector<ViewSpec>& specs, const ReadAllOptions& options,
                            const FileNamer& spool, int threads);

/// How new samples of a view are read; without a kernel.
ViewRecipe recipe_of(const LargeView& large);

/// Bytes that the values of these files take in memory, as far as their sizes tell.
double bytes_of_values(const std::vector<ViewSpec>& specs);

}  // namespace mkc::io
