#pragma once

#include <cmath>

#include <fmt/format.h>

#include "mkc/evaluate/summary.hpp"

/// Numbers in the tables of evaluations and experiments.
namespace mkc::io {

/// Six digits; NA for NaN.
inline std::string tsv_number(double value) {
  return std::isnan(value) ? "NA" : fmt::format("{:.6g}", value);
}

/// Mean, tab, standard deviation.
inline std::string tsv_spread(const Spread& spread) {
  return tsv_number(spread.mean) + "\t" + tsv_number(spread.deviation);
}

}  // namespace mkc::io
