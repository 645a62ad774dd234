#pragma once

#include <string>

#include "mkc/base/types.hpp"

/// Checks and names shared by the kernels' error messages.
namespace mkc::detail {

/// "sample 'P-07'", or "row 7 (counted from 0)" where there are no names.
std::string sample_label(const Strings& names, Index row);

/// "column 'TP53'", or "column 3 (counted from 0)" where there are no names.
std::string column_label(const Strings& names, Index column);

/// InputError unless X has a row, a column and finite entries only. `caller` opens the message.
void check_features(const std::string& caller, const MatrixRef& X, const Strings& names);

}  // namespace mkc::detail
