#pragma once

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

}  // namespace mkc::io
