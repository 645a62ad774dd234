#pragma once

#include "mkc/base/types.hpp"
#include "mkc/problem/hiding.hpp"

namespace mkc {

/// A row that a held-out copy hid, and how C candidates completed it. Rows are compared as they
/// would be in the real problem, where a missing row has n_m observed columns, itself, and
/// |T_m| - 1 other missing columns.
struct HiddenRow {
  Index view = 0;
  Index sample = 0;
  Index observed_views = 0;  // of this sample, in the copy
  Indices sources;           // which ones
  bool judges = true;        // false: choices are made on it, so that it cannot judge them

  /// <k^_c - k, k^_d - k> / |k|^2 (C, C): weights w of sum one have relative error sqrt(w'Rw). The
  /// other missing columns are those that the copy hid besides: few in a small problem, so that
  /// single rows vary more than real ones, as they should for intervals.
  Matrix drawn;
  /// The same with missing columns estimated from the hidden rows of all copies: less noisy, for
  /// choosing between candidates.
  Matrix residuals;
  /// <k^_c, k^_d> / |k|^2 (C, C), over the columns of `drawn`.
  Matrix estimates;
  Vector variances;  // (C) each candidate's own uncertainty over |k|^2; NaN where it has none

  double norm2 = 0;  // |k|^2

  /// Against the average row a of the view (average_rows()): |a - k| / |k| over the columns of
  /// `drawn`, and over the visible columns |a - k|^2 and <k^_c - k, k^_d - k> (C, C).
  double average_row_error = 0;
  double from_average = 0;
  Matrix visible;
};

/// The hidden rows of one copy as a candidate completed them.
struct HiddenAnswer {
  std::vector<Matrix> rows;  // per view: hidden rows (h_m, n_m) over the samples truth observes
  std::vector<Vector> variances;  // per view (h_m), or empty
};

/// Cuts the hidden rows out of completed kernels; `uncertainty` (N, M) may be null.
HiddenAnswer hidden_answer(const Problem& truth, const HeldOut& copy,
                           const std::vector<Matrix>& kernels, const Matrix* uncertainty);

/// The hidden rows of all copies, from answers[copy][candidate]. Rows that are zero in truth are
/// left out: they have no relative error.
///
/// Where t and t' are both missing, errors of first order in either add up: <d_tt', d_tt'> = v_t +
/// v_t' with v the mean over visible columns. So in `residuals` the missing columns of row t count
/// v_t + (mean of v over the view's hidden rows of all copies) each, weighed against the hidden
/// columns of its own copy as if 30 more had been hidden.
///
/// `halves`: the rows of one half of the samples judge, those of the other half do not, and the
/// mean of v is that of the half.
std::vector<HiddenRow> compare_hidden_rows(const Problem& truth, const std::vector<HeldOut>& copies,
                                           const std::vector<std::vector<HiddenAnswer>>& answers,
                                           bool halves = false);

/// sqrt(w'Rw): the relative error of the row completed with weights w, expected, and
/// with the missing columns that were drawn.
double relative_error(const HiddenRow& row, const Vector& weights);
double drawn_error(const HiddenRow& row, const Vector& weights);

}  // namespace mkc
