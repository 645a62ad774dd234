#pragma once

#include <string>

#include "mkc/problem/id_rule.hpp"
#include "mkc/problem/label_types.hpp"

namespace mkc::io {

/// Where the labels are: "FILE", "FILE:COLUMN" or, for survival, "FILE:TIME,EVENT". A column may be
/// written A+B: of each sample the first of the two that is there.
struct LabelSource {
  std::string path;
  std::string column;  // "" = the only one
};
LabelSource parse_label_source(const std::string& text);

/// Reads the labels of samples as texts from a table (read_label_table()): a header, sample
/// ids in the first column, labels in another, which must be named where there are several. An
/// empty or missing value means no label; samples the table does not name have none either. Labels
/// of other samples than `samples` are left out, with a notice. InputError with the line where none
/// of the samples is known, one has two labels, or a line is malformed. `ids` tells which sample
/// an id names.
LabelTexts read_label_texts(const LabelSource& source, const Strings& samples, Strings& notices,
                            const IdRule& ids = {});

/// The same, as classes.
Labels read_labels(const LabelSource& source, const Strings& samples, Strings& notices,
                   const IdRule& ids = {});

/// The ids of a table of labels, "FILE" or "FILE:COLUMN"; none where it is not a text table.
Strings label_ids(const std::string& text);

}  // namespace mkc::io
