#pragma once

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "arrays.hpp"
#include "mkc/problem/result.hpp"

namespace mkc::python {

/// What hidden rows say of the views.
inline nb::dict figures_of(const Quality& q) {
  nb::dict entry;
  entry["coverage"] = q.coverage;
  entry["coverage_if_odds_double"] = q.coverage_if_odds_double();
  entry["calibration"] = q.calibration();
  entry["hidden_rows"] = q.hidden_rows;
  entry["hidden_samples"] = q.hidden_samples;
  entry["held_out_errors"] = to_numpy(q.held_out_errors);
  entry["mean_of_others_errors"] = to_numpy(q.mean_of_others_errors);
  entry["average_row_errors"] = to_numpy(q.average_row_errors);
  entry["recovered"] = to_numpy(q.recovered);
  entry["recovered_deviations"] = to_numpy(q.recovered_deviations);
  entry["hidden_samples_of_view"] = q.hidden_samples_of_view;
  entry["missing_auc"] = to_numpy(q.missing_auc);
  entry["missing_p_values"] = to_numpy(q.missing_p_values);
  entry["errors_if_odds_double"] = to_numpy(q.errors_if_odds_double);
  std::vector<std::string> verdicts;
  for (const Verdict verdict : q.verdicts) verdicts.emplace_back(verdict_name(verdict));
  entry["verdicts"] = verdicts;
  return entry;
}

}  // namespace mkc::python
