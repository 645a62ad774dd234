#pragma once

#include "files/label_table.hpp"
#include "files/mask.hpp"
#include "files/raw_table.hpp"
#include "formats/mat.hpp"

/// Views in the variables of a MATLAB file.
namespace mkc::io {

/// In this order: `K` or `PredK` N x N x M are M kernels; cell arrays of matrices (`X`, `fea`) are
/// views; else every matrix of at least 2 x 2 is. `MID` N x M (1 = observed) hides samples,
/// `samples` and `views` name them. A selector (ViewSpec::array) is a variable or a view.
std::vector<RawTable> tables_of_mat(const ViewSpec& spec, MatVariables variables);

/// The views of a MATLAB file of any version from 5 on.
std::vector<RawTable> tables_of_mat_file(const ViewSpec& spec);

/// `MID`, or the only matrix of 0 and 1; without names of samples and views unless the file has
/// `samples` and `views`.
MaskTable mask_of_mat(const std::string& path, const MatVariables& variables);
MaskTable mask_of_mat_file(const std::string& path);

/// Usual names of the variable that holds the labels: y, gt, labels, ...
const Strings& mat_label_names();

/// The variable of that name, or null.
const MatArray* find_variable(const MatVariables& variables, std::string_view name);

/// Words of a char matrix, a cell array of texts, or a vector of numbers; nothing for anything
/// else.
std::optional<Strings> words_of_mat(const MatArray& array);

/// Labels in the variables of a MATLAB file: vectors, texts and cell arrays of texts, whose samples
/// `samples` names; else the rows are `numbered`. Where no `wanted` variable is given, those with a
/// usual name (y, gt, labels, ...) are preferred.
LabelColumns labels_of_mat(const std::string& path, const MatVariables& variables,
                           const std::string& wanted);
LabelColumns labels_of_mat_file(const std::string& path, const std::string& wanted);

}  // namespace mkc::io
