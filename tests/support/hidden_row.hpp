#pragma once

#include "select/hidden_rows.hpp"

namespace mkc::test {

/// A hidden row from residuals r_c (columns).
inline HiddenRow hidden_row(Index view, Index sample, const Matrix& residuals) {
  HiddenRow row;
  row.view = view;
  row.sample = sample;
  row.observed_views = 1;
  row.residuals = residuals.transpose() * residuals;
  row.estimates = row.residuals;
  row.variances = Vector::Zero(residuals.cols());
  return row;
}

}  // namespace mkc::test
