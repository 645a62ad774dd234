#pragma once

#include <map>
#include <optional>

#include "mkc/base/error.hpp"
#include "mkc/files/read_options.hpp"
#include "mkc/files/sample_map.hpp"
#include "mkc/problem/sample_ids.hpp"

namespace mkc::io {

/// The columns of a view that a model was trained on.
struct KnownColumns {
  Strings used;        // by name; others are left out where they hold words
  Strings categories;  // those among them that hold words
};

struct ReadAllOptions {
  ReadOptions read;                  // for views without such options of their own
  Strings na_values;                 // further words for a missing value
  std::optional<SampleMap> map;      // ids of the files -> samples
  Strings known_samples;             // from a mask, a list or labels: they show where samples are
  IdRule ids;                        // how ids name samples
  bool match_rows = false;           // row i of files without ids is the same sample
  bool questions_are_errors = true;  // false: they are returned with the views
  std::map<std::string, KnownColumns> known_columns = {};  // by the names of views
};

struct ReadViews {
  std::vector<View> views;             // one row per sample, in the ids of the samples
  Strings notices;                     // what concerns several views
  std::optional<InputError> question;  // which rows belong together is not known
  std::optional<IdProposal> proposal;  // a rule for ids that finds more samples in common
};

/// Reads the views of a run together: the others show what one file leaves open, such as the side
/// its samples are on and which ids mean the same sample.
///
/// In this order: read; find rows or columns (orientation.hpp); recognise kernels; find missing
/// samples; rename by the sample map; apply the rule for ids; merge several rows of one sample.
/// Throws InputError or OptionError, also where views have few samples in common by their ids and
/// many by a rule that was not asked for.
ReadViews read_all_views(const std::vector<ViewSpec>& specs, const ReadAllOptions& options);

}  // namespace mkc::io
