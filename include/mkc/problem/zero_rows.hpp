#pragma once

#include <string>

#include "mkc/problem/view.hpp"

namespace mkc {

/// What a row of zeros is (of a kernel: a zero row and column): a sample that lacks the view, as
/// MATLAB users write it, or a measurement. automatic: what the other rows make plain, else an
/// InputError that asks.
enum class ZeroRows { automatic, missing, values, error };
const Strings& zero_rows_names();  // "auto", "missing", "values", "error"

/// Rows that are zero throughout, apart from NaN cells, and what they are taken for.
struct ZeroRowsFound {
  Indices rows;
  bool missing = false;
  std::string why;  // "the other rows have 2 % zeros"
};

/// The zero rows of a table of features (n, d) or a kernel (n, n), and what `policy` makes of them.
/// InputError where it is `error`, or automatic and the other rows leave it open; `place` names the
/// view and ids the rows.
ZeroRowsFound find_zero_rows(const MatrixRef& values, ViewKind kind, ZeroRows policy,
                             const Strings& ids, const std::string& place);

/// Makes zero rows that are taken as missing NaN; a notice says how many there are.
void mark_zero_rows(View& view, ZeroRows policy);

}  // namespace mkc
