#include "files/quality_tables.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/names.hpp"
#include "formats/tables_out.hpp"

namespace mkc::io {

namespace {

std::string number(double value) { return std::isnan(value) ? "NA" : fmt::format("{:.6g}", value); }

// The figures of a view, the same in all its lines.
std::string view_cells(const Quality& quality, Index m) {
  return fmt::format("\t{}\t{}\t{}\t{}", number(quality.held_out_errors(m)),
                     number(quality.average_row_errors(m)), number(quality.recovered(m)),
                     verdict_name(quality.verdicts[at(m)]));
}

}  // namespace

std::string quality_table(const Strings& samples, const Strings& views, const Mask& observed,
                          const Quality& quality) {
  const bool judged = !quality.verdicts.empty();
  std::string text = "sample\tview\tobserved_views\trelative_error\tlow\thigh\tinterval";
  text += judged ? "\tview_error\taverage_row_error\trecovered\tverdict\n" : "\n";
  for (Index m = 0; m < observed.cols(); ++m) {
    const std::string of_view = judged ? view_cells(quality, m) : "";
    for (Index t = 0; t < observed.rows(); ++t)
      if (!observed(t, m))
        text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}{}\n", tsv_cell(samples[at(t)]),
                            tsv_cell(views[at(m)]), observed.row(t).count(),
                            number(quality.error(t, m)), number(quality.low(t, m)),
                            number(quality.high(t, m)),
                            interval_is_known(quality.high(t, m)) ? "known" : "unknown", of_view);
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
