#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "mkc/problem/view.hpp"

namespace mkc::python {

/// A view from a table in memory. Samples that are NaN throughout (of a kernel: in row and column),
/// or that `observed` leaves out, are not in it; the others are copied once. A kernel that lacks
/// none, is symmetric and contiguous is not copied: the view looks at it and keeps it alive.
/// InputError where a kernel is not square or a row of it is partly missing. `source` says in
/// messages what it was ("DataFrame"), `features` what its columns are called (empty: no names).
View gather_view(std::string name, std::string source, Strings ids, Strings features,
                 const Table& table, bool is_kernel,
                 const std::optional<std::vector<bool>>& observed, OptionValues options);

}  // namespace mkc::python
