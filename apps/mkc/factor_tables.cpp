#include "factor_tables.hpp"

#include <cmath>

#include <fmt/format.h>

#include "terminal.hpp"

namespace mkc::app {

namespace {

std::string percent(const Vector& shares, Index m) {
  return shares.size() <= m || std::isnan(shares(m)) ? "-"
                                                     : fmt::format("{:.1f} %", 100 * shares(m));
}

}  // namespace

std::string factor_view_table(const io::FactorRecord& record, Index n_samples) {
  std::vector<std::vector<std::string>> rows = {
      {"view", "samples", "missing", "rank", "trace error", "kernel"}};
  for (std::size_t m = 0; m < record.views.size(); ++m) {
    const auto& features = record.features[m];
    rows.push_back({record.views[m].name, std::to_string(record.observed[m]),
                    std::to_string(n_samples - record.observed[m]), std::to_string(features.rank),
                    fmt::format("{:.2g} %", 100 * std::max(0.0, features.trace_error)),
                    features.kernel});
  }
  return format_table(rows) + fmt::format("{}, {}\n", counted(std::ssize(record.views), "view"),
                                          counted(n_samples, "sample"));
}

std::string factor_quality_table(const io::FactorRecord& record,
                                 const factor::FactorQuality& judged, Index n_samples) {
  const Quality& quality = judged.quality;
  std::vector<std::vector<std::string>> rows = {
      {"view", "completed", "error", "average row", "mean of other views", "recovered", "verdict"}};
  for (std::size_t i = 0; i < record.views.size(); ++i) {
    const auto m = static_cast<Index>(i);
    const bool complete = record.observed[i] == n_samples;
    rows.push_back(
        {record.views[i].name, std::to_string(n_samples - record.observed[i]),
         percent(quality.held_out_errors, m), percent(quality.average_row_errors, m),
         percent(quality.mean_of_others_errors, m), percent(quality.recovered, m),
         complete || quality.verdicts.empty() ? "-" : verdict_name(quality.verdicts[i])});
  }
  return format_table(rows) +
         fmt::format("error: relative error of {} observed rows that were hidden and completed\n",
                     quality.hidden_rows);
}

std::string rough_time(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::max(1.0, seconds));
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace mkc::app
