#pragma once

#include <optional>

#include "mkc/files/read_options.hpp"
#include "mkc/files/sample_map.hpp"

namespace mkc::io {

struct ReadAllOptions {
  ReadOptions read;  // for views that do not say otherwise
  Strings na_values;  // further words for a missing value
  std::optional<SampleMap> map;  // ids of the files -> samples
  Strings known_samples;       // ids from elsewhere (a mask, a list) that tell where samples stand
  bool normalize_ids = false;  // ids that differ only in spelling are one sample
};

struct ReadViews {
  std::vector<View> views;  // settled, one row per sample, in the ids of the samples
  Strings notices;          // what concerns several views
  std::string spelling;     // ids that differ only in spelling and are not normalised, or ""
};

/// Reads the views of a run together, so that what one file leaves open the others can tell: where
/// the samples of a table stand, which ids mean the same sample.
///
/// In this order: read; find rows or columns (orientation.hpp); recognise kernels; rename by the
/// sample map; match spellings; merge several rows of one sample. Throws InputError or OptionError.
ReadViews read_all_views(const std::vector<ViewSpec>& specs, const ReadAllOptions& options);

}  // namespace mkc::io
