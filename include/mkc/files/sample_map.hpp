#pragma once

#include <string>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// Which column (or row) of a view's file is which sample: the sampleMap of a MultiAssayExperiment.
struct SampleMap {
  struct Row {
    std::string assay;    // name of the view
    std::string primary;  // id of the sample
    std::string colname;  // what the view's file calls it
    Index line;
  };
  std::string path;
  std::vector<Row> rows;
};

/// Reads a CSV or TSV table with the columns assay, primary and colname, in any order, among
/// others. A colname has one primary; a primary may have several colnames.
SampleMap read_sample_map(const std::string& path);

/// Sample ids, one per line: the first cell where there are several. A first line `sample`,
/// `samples`, `id` or `primary` is a header.
Strings read_sample_list(const std::string& path);

}  // namespace mkc::io
