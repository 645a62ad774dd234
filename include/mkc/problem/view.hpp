#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mkc/base/options.hpp"
#include "mkc/base/shared_matrix.hpp"
#include "mkc/kernels/features.hpp"

namespace mkc {

enum class ViewKind { features, kernel };

/// Which side of a table the samples stand on; automatic: where the ids are that others know.
enum class SamplesIn { rows, columns, automatic };

/// One view as its file gives it, with the samples it has. Samples that are missing as a whole
/// (rows of NaN) are left out; single NaN cells of features are left in place.
struct View {
  std::string name;
  std::string source;     // path[:array]
  Strings ids;            // samples, one per row of values
  Strings all_ids;        // samples the file names, also those without values in it
  bool numbered = false;  // the file has no ids: they are the numbers of its rows
  ViewKind kind = ViewKind::features;
  Matrix values;                // (n, d) features, or (n, n) kernel in the order of ids
  SharedMatrix elsewhere;       // instead of values: a kernel that stays in the caller's memory
  Strings feature_names;        // empty for kernels and arrays
  OptionValues kernel_options;  // kernel=, gamma=, ... as the user wrote them
  Strings notices;              // what was assumed or left out, one sentence each
  Indices lines;                // line of the file of each row; empty for arrays and columns
  Strings names_in_file;        // of each row, where ids were renamed since; else empty
  SamplesIn samples_in = SamplesIn::rows;
  // A table is not settled before it is known where its samples are: its header then stands in
  // feature_names, and its kind is what was asked for.
  bool settled = true;
  std::optional<ViewKind> asked_kind;
  std::optional<NaPolicy> na_features;  // what to do with NaN cells, where it differs from others
  OptionValues read_options;  // samples_in=, replicates=, na_features= as the user wrote them
};

/// "view 'prot' (prot.csv)"
std::string place_of(const View& view);

/// Keeps these rows (of a kernel: rows and columns) of a settled view; all_ids stay.
void keep_samples(View& view, const Indices& kept);

/// InputError where two views have one name.
void check_view_names(const std::vector<View>& views);

}  // namespace mkc
