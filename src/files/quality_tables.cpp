#include "files/quality_tables.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/names.hpp"
#include "formats/tables_out.hpp"

namespace mkc::io {

namespace {

std::string number(double value) { return std::isnan(value) ? "NA" : fmt::format("{:.6g}", value); }

}  // namespace

std::string quality_table(const Strings& samples, const Strings& views, const Mask& observed,
                          const Quality& quality) {
  std::string text = "sample\tview\tobserved_views\trelative_error\tlow\thigh\n";
  for (Index m = 0; m < observed.cols(); ++m)
    for (Index t = 0; t < observed.rows(); ++t) {
      if (observed(t, m)) continue;
      text +=
          fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", tsv_cell(samples[at(t)]), tsv_cell(views[at(m)]),
                      observed.row(t).count(), number(quality.error(t, m)),
                      number(quality.low(t, m)), number(quality.high(t, m)));
    }
  return text;
}

std::string quality_table(const Problem& problem, const Quality& quality) {
  return quality_table(problem.samples(), names_of(problem.views()), problem.observed(), quality);
}

std::string candidate_table(const Problem& problem,
                            const std::vector<CandidateRecord>& candidates) {
  std::string text = "candidate\tview\tweight\theld_out_error\tskipped\n";
  for (const auto& candidate : candidates)
    for (Index m = 0; m < problem.n_views(); ++m)
      text += fmt::format(
          "{}\t{}\t{}\t{}\t{}\n", tsv_cell(candidate.spec), tsv_cell(problem.view(m).name),
          candidate.weights.size() > 0 ? number(candidate.weights(m)) : "0",
          candidate.held_out_errors.size() > 0 ? number(candidate.held_out_errors(m)) : "NA",
          tsv_cell(candidate.skipped));
  return text;
}

}  // namespace mkc::io
