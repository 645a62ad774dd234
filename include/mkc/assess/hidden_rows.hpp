#pragma once

#include "mkc/assess/masking.hpp"
#include "mkc/types.hpp"

namespace mkc {

/// A row that a held-out copy hid, and how C candidates completed it. Rows are compared as they
/// would be in the real problem, where a missing row has n_m observed columns and |T_m| missing
/// ones: visible and hidden columns are counted by these numbers, not by the copy's.
struct HiddenRow {
  Index view = 0;
  Index sample = 0;
  Index observed_views = 0;  // of this sample, in the copy

  /// <k^_c - k, k^_d - k> / |k|^2 (C, C): weights w of sum one have relative error sqrt(w'Rw).
  Matrix residuals;
  /// <k^_c, k^_d> / |k|^2 (C, C).
  Matrix estimates;
  Vector variances;  // (C) each candidate's own uncertainty over |k|^2; NaN where it has none
};

/// What a candidate says of the hidden rows of one copy.
struct HiddenAnswer {
  std::vector<Matrix> rows;  // per view: hidden rows (h_m, n_m) over the samples truth observes
  std::vector<Vector> variances;  // per view (h_m), or empty
};

/// Cuts the hidden rows out of completed kernels; `uncertainty` (N, M) may be null.
HiddenAnswer hidden_answer(const Problem& truth, const HeldOut& copy,
                           const std::vector<Matrix>& kernels, const Matrix* uncertainty);

/// The hidden rows of one copy, from the answers of all candidates. Rows that are zero in truth are
/// left out: they have no relative error.
std::vector<HiddenRow> compare_hidden_rows(const Problem& truth, const HeldOut& copy,
                                           const std::vector<HiddenAnswer>& answers);

/// sqrt(w'Rw): the relative error of the row completed with weights w.
double relative_error(const HiddenRow& row, const Vector& weights);

}  // namespace mkc
