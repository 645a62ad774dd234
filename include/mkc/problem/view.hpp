#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mkc/base/options.hpp"
#include "mkc/base/shared_matrix.hpp"
#include "mkc/kernels/features.hpp"

namespace mkc {

enum class ViewKind { features, kernel };
const Strings& view_kind_names();  // in the order of the enumeration
const std::string& view_kind_name(ViewKind kind);

/// Which side of a table the samples are on; automatic: the side whose names other views have too.
enum class SamplesIn { rows, columns, automatic };
const Strings& samples_in_names();  // in the order of the enumeration
const std::string& samples_in_name(SamplesIn side);

/// A column of a feature table that holds words. Its cells in `values` are places in `levels`.
struct CategoryColumn {
  Index column;    // of values
  Strings levels;  // sorted by name; a cell of `values` holds the place of its word: 0, 1, ...;
                   // NaN: missing
};

/// One view with the samples it has. Samples that are missing as a whole (rows of NaN) are left
/// out; single NaN cells of features are left in place.
struct View {
  std::string name;
  std::string source;     // path[:array]
  std::string file = "";  // path: views without ids of one file belong together row by row
  Strings ids;            // samples, one per row of values
  Strings all_ids;        // samples the file names, also those without values in it
  bool numbered = false;  // the file has no ids: they are the numbers of its rows
  ViewKind kind = ViewKind::features;
  Matrix values;          // (n, d) features, or (n, n) kernel in the order of ids
  SharedMatrix lent;      // instead of values: a kernel that stays in the caller's memory
  Strings feature_names;  // empty for kernels and arrays
  std::vector<CategoryColumn> categories;  // columns that hold words; ascending by column
  OptionValues kernel_options;             // kernel=, gamma=, ... as the user wrote them
  OptionValues common_options;  // given for all views: a view whose kernel has no use for one skips
                                // it, and kernel_options come before them
  std::optional<NaPolicy> na_features;     // for its NaN cells, instead of that for all views
  SamplesIn samples_in = SamplesIn::rows;  // of the file
  std::string samples_in_because;  // the evidence for that side; "" where there is no choice
  std::string zero_rows;  // what rows of zeros were taken for: "missing" or "values"; "" if none
  Strings own_ids;        // what the file calls each row, where ids are not that; one per row
  Indices lines;          // of a text table with samples in rows: the line of each row
  Strings notices;        // what was assumed or left out, one sentence each
};

/// "view 'prot' (prot.csv)", for messages: on one line, without control characters.
std::string place_of(const std::string& name, const std::string& source);

/// The same for anything with a name and a source.
template <class Named>
std::string place_of(const Named& view) {
  return place_of(view.name, view.source);
}

/// What the file calls a row: "'P1-a' (line 3)".
std::string row_in_file(const View& view, std::size_t row);

/// The categories among some columns, counted as those are: columns[0] becomes 0, ...
std::vector<CategoryColumn> categories_among(const std::vector<CategoryColumn>& categories,
                                             const Indices& columns);  // ascending

/// Keeps these rows (of a kernel: rows and columns); all_ids stay.
void keep_samples(View& view, const Indices& kept);

}  // namespace mkc
