#pragma once

#include <string>

#include "mkc/problem/labels.hpp"

namespace mkc::io {

/// Where classes stand: "FILE" or "FILE:COLUMN".
struct LabelSource {
  std::string path;
  std::string column;  // "" = the only one
};
LabelSource parse_label_source(const std::string& text);

/// Reads the classes of samples from a CSV or TSV table, plain or gzip: a header, sample ids in the
/// first column, classes as text in another, which must be named where there are several. An empty
/// or missing value means no class; samples the table does not name have none either. Labels of
/// samples that are not among `samples` are left out, which a notice tells. InputError with line
/// where none of them is, for one that appears twice, or a broken line.
Labels read_labels(const LabelSource& source, const Strings& samples, Strings& notices);

}  // namespace mkc::io
