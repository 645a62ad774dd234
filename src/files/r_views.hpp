#pragma once

#include "files/label_table.hpp"
#include "files/raw_table.hpp"

/// Views and labels in files of R (.rds, .RData, .rda).
namespace mkc::io {

bool is_r_path(const std::string& path);

/// The tables of a file: matrices (also sparse ones of the package Matrix) and data frames; of a
/// list, and of a file with several objects, each with its name. A selector is the name of an
/// object or of an element of a list, or OBJECT$ELEMENT. Other things are left out with a notice,
/// or are an InputError where they are selected or all there is.
std::vector<RawTable> tables_of_r(const ViewSpec& spec, const Strings& na_values);

/// The columns of a data frame, or a vector or factor, whose names are the sample ids. In a list or
/// a file with several objects the column is OBJECT$COLUMN; `source.column` becomes COLUMN alone.
LabelColumns labels_of_r(LabelSource& source);

}  // namespace mkc::io
