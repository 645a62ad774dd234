#pragma once

#include <optional>

#include "mkc/files/read_options.hpp"
#include "mkc/files/sample_map.hpp"

namespace mkc::io {

struct ReadAllOptions {
  ReadOptions read;              // for views without such options of their own
  Strings na_values;             // further words for a missing value
  std::optional<SampleMap> map;  // ids of the files -> samples
  Strings known_samples;         // from a mask or a list: they show on which side samples are
  bool normalize_ids = false;    // ids that differ only in spelling are one sample
};

struct ReadViews {
  std::vector<View> views;  // one row per sample, in the ids of the samples
  Strings notices;          // what concerns several views
  std::string spelling;     // ids that differ only in spelling and are not normalised, or ""
};

/// Reads the views of a run together: the others show what one file leaves open, such as the side
/// its samples are on and which ids mean the same sample.
///
/// In this order: read; find rows or columns (orientation.hpp); recognise kernels; rename by the
/// sample map; match spellings; merge several rows of one sample. Throws InputError or OptionError.
ReadViews read_all_views(const std::vector<ViewSpec>& specs, const ReadAllOptions& options);

}  // namespace mkc::io
