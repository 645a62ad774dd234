#include "files/multiqc.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mkc/version.hpp"

namespace mkc::io {

namespace {

using Json = nlohmann::ordered_json;

// MultiQC puts names into its page as they are.
std::string plain_in_html(std::string name) {
  for (char& c : name)
    if (c == '<' || c == '>' || c == '&' || c == '"') c = '_';
  return name;
}

Json count_column(const char* title, const char* what) {
  return {
      {"title", title}, {"description", what}, {"format", "{:,d}"}, {"scale", "Blues"}, {"min", 0}};
}

Json share_column(const char* title, const char* what, const char* scale) {
  return {{"title", title}, {"description", what}, {"suffix", "%"}, {"format", "{:,.1f}"},
          {"min", 0},       {"max", 100},          {"scale", scale}};
}

void add_percent(Json& row, const char* column, double share) {
  if (std::isfinite(share)) row[column] = 100 * share;
}

Json row_of(const Problem& problem, Index m, const std::optional<Quality>& quality) {
  Json row = {{"observed", problem.view(m).rows.size()}, {"completed", problem.missing(m).size()}};
  if (!quality) return row;
  add_percent(row, "error", quality->held_out_errors(m));
  add_percent(row, "average_row", quality->average_row_errors(m));
  add_percent(row, "recovered", quality->recovered(m));
  if (std::isfinite(quality->held_out_errors(m)))
    row["verdict"] = verdict_name(quality->verdicts[at(m)]);
  return row;
}

}  // namespace

std::string multiqc_section(const std::string& name, const Problem& problem,
                            const Completion& completion) {
  Json headers = {
      {"observed", count_column("Observed", "samples that have the view")},
      {"completed", count_column("Completed", "samples whose rows were completed")},
  };
  if (completion.quality) {
    headers["error"] = share_column("Error", "mean relative error of hidden rows", "OrRd");
    headers["average_row"] =
        share_column("Average row", "the same error of the average row", "OrRd");
    headers["recovered"] =
        share_column("Recovered", "share of what distinguishes rows that is recovered", "Greens");
    headers["verdict"] = {{"title", "Verdict"},
                          {"description", "what completed rows are good for"}};
  }
  Json rows = Json::object();
  for (Index m = 0; m < problem.n_views(); ++m)
    rows[plain_in_html(fmt::format("{}: {}", name, problem.view(m).name))] =
        row_of(problem, m, completion.quality);
  const Json section = {
      {"id", "mkc"},
      {"section_name", "mkc"},
      {"description",
       fmt::format("Completed kernels of samples that lack whole views (mkc {}).", version)},
      {"plot_type", "table"},
      {"pconfig", {{"id", "mkc_views"}, {"title", "mkc: views"}, {"col1_header", "Result: view"}}},
      {"headers", headers},
      {"data", rows},
  };
  // Names come from users' files and need not be UTF-8.
  return section.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mkc::io
