#include "inspect_tables.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "base/text.hpp"
#include "complete_tables.hpp"
#include "completion_cost.hpp"
#include "terminal.hpp"

namespace mkc::app {

namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

constexpr Index map_width = 72;
constexpr std::size_t shown_patterns = 20;
constexpr Index shown_views = 12;  // of the table of shared samples

std::string percent(Index part, Index whole) {
  return fmt::format("{:.0f} %", whole == 0 ? 0.0 : 100.0 * double(part) / double(whole));
}

Index observed_in(const Inspection& found, std::size_t m) {
  return found.alignment.observed.col(static_cast<Index>(m)).count();
}

Index in_all_views(const Inspection& found) {
  return found.alignment.observed.rowwise().all().count();
}

Index n_samples(const Inspection& found) { return found.alignment.observed.rows(); }

// Where it is not known which samples belong together, nothing is counted across views.
std::string files_alone_text(const Inspection& found) {
  Rows rows = {{"view", "samples", "in", "kind", "features"}};
  for (const auto& file : found.files)
    rows.push_back({file.name, std::to_string(file.samples), file.samples_in, file.kind,
                    file.kind == "kernel" ? "" : std::to_string(file.features)});
  return format_table(rows);
}

std::string sides_text(const Inspection& found) {
  std::vector<ViewSummary> views;
  for (const auto& file : found.files) views.push_back(file.summary);
  return side_lines(views) + (found.assembled ? type_lines(found.assembled->views) : "");
}

std::string files_text(const Inspection& found) {
  const Index n = n_samples(found);
  Rows rows = {{"view", "samples", "of " + std::to_string(n), "in", "kind", "features", "kernel"}};
  for (std::size_t m = 0; m < found.files.size(); ++m) {
    const FileFacts& file = found.files[m];
    rows.push_back({file.name, std::to_string(observed_in(found, m)),
                    percent(observed_in(found, m), n), file.samples_in, file.kind,
                    file.kind == "kernel" ? "" : std::to_string(file.features),
                    found.assembled ? found.assembled->views[m].kernel : ""});
  }
  std::string text = format_table(rows);
  for (const auto& file : found.files)
    if (file.missing_cells > 0)
      text += fmt::format("{}: {} {} missing (see --na-features)\n", printable(file.name),
                          counted(file.missing_cells, "single cell"),
                          file.missing_cells == 1 ? "is" : "are");
  return text;
}

std::string losses_text(const Inspection& found) {
  const Index n = n_samples(found), all = in_all_views(found);
  return fmt::format("{}, {}, {} in all views: complete cases alone would lose {} of {} ({})\n",
                     counted(static_cast<Index>(found.files.size()), "view"), counted(n, "sample"),
                     all, n - all, n, percent(n - all, n));
}

std::string overlap_text(const Inspection& found) {
  const auto shared = shared_samples(found.alignment.observed);
  if (shared.rows() < 2 || shared.rows() > shown_views) return {};
  Rows rows = {{"samples in common"}};
  for (std::size_t m = 0; m < found.files.size(); ++m) {
    rows[0].push_back(found.files[m].name);
    rows.push_back({found.files[m].name});
    for (Index k = 0; k <= static_cast<Index>(m); ++k)
      rows.back().push_back(std::to_string(shared(static_cast<Index>(m), k)));
  }
  return format_table(rows);
}

std::string pattern_text(const std::vector<bool>& views) {
  std::string text;
  for (const bool observed : views) text += observed ? '#' : '.';
  return text;
}

std::string patterns_text(const Inspection& found) {
  const auto patterns = missing_patterns(found.alignment.observed);
  Rows rows = {{"pattern", "samples", "views"}};
  for (const auto& pattern : patterns) {
    if (rows.size() > shown_patterns) break;
    rows.push_back({pattern_text(pattern.views), std::to_string(pattern.samples),
                    std::to_string(std::count(pattern.views.begin(), pattern.views.end(), true))});
  }
  std::string text = "views in the order above, # observed, . missing\n" + format_table(rows);
  if (patterns.size() > shown_patterns)
    text += fmt::format("... and {} more patterns\n", patterns.size() - shown_patterns);
  return text;
}

std::string map_text(const Inspection& found) {
  const Strings lines = missingness_map(found.alignment.observed, map_width);
  Rows rows;
  for (std::size_t m = 0; m < lines.size(); ++m) rows.push_back({found.files[m].name, lines[m]});
  return "samples from left to right, those with most views first\n" + format_table(rows);
}

// The five largest eigenvalues in percent of the trace: "34 6 4 3 2".
std::string leading_shares(const KernelCheck& check) {
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(5, check.spectrum.size()); ++k)
    text += fmt::format("{}{:.0f}", k > 0 ? " " : "", 100 * check.spectrum[k]);
  return text;
}

std::string kernels_text(const Inspection& found) {
  if (!found.assembled) return {};
  Rows rows = {{"kernel", "diagonal from", "median", "to", "smallest eigenvalue", "largest", "PSD",
                "90 % in", "spectrum %"}};
  for (std::size_t m = 0; m < found.kernels.size(); ++m) {
    const KernelCheck& check = found.kernels[m];
    const auto n = found.assembled->problem.views()[m].rows.size();
    rows.push_back({found.files[m].name, fmt::format("{:.3g}", check.smallest_diagonal),
                    fmt::format("{:.3g}", check.median_diagonal),
                    fmt::format("{:.3g}", check.largest_diagonal),
                    fmt::format("{:.2g}", check.smallest_eigenvalue),
                    fmt::format("{:.3g}", check.largest_eigenvalue),
                    check.positive_semidefinite ? "yes" : "no",
                    fmt::format("{} of {}", check.directions, n), leading_shares(check)});
  }
  return format_table(rows) +
         "90 % in: number of eigenvectors with 90 % of the trace; spectrum %: shares of the five "
         "largest\n";
}

Index rows_to_complete(const Inspection& found) { return (!found.alignment.observed).count(); }

std::string plan_text(const Inspection& found, const std::string& method) {
  if (!found.error.empty())
    return fmt::format(
        "mkc complete would stop: {}\n  {}\n{}", found.error, found.hint,
        found.command.empty() ? "" : fmt::format("proposed:\n  {}\n", printable(found.command)));
  if (rows_to_complete(found) == 0)
    return "nothing is missing: mkc complete would return the kernels unchanged\n";
  const Problem& problem = found.assembled->problem;
  return fmt::format(
      "mkc complete would fill in {} rows and columns with {}, using about {:.3g} MiB of memory\n",
      rows_to_complete(found), method,
      bytes_needed(size_of(problem), method, thread_count(0)) / 0x1p20);
}

Json kernel_json(const KernelCheck& check) {
  return {{"diagonal", {check.smallest_diagonal, check.median_diagonal, check.largest_diagonal}},
          {"smallest_eigenvalue", check.smallest_eigenvalue},
          {"largest_eigenvalue", check.largest_eigenvalue},
          {"positive_semidefinite", check.positive_semidefinite},
          {"directions_of_90_percent", check.directions},
          {"spectrum", check.spectrum}};
}

Json view_json(const Inspection& found, std::size_t m) {
  const FileFacts& file = found.files[m];
  Json view = {{"name", file.name},
               {"source", file.source},
               {"kind", file.kind},
               {"samples_in", file.samples_in},
               {"samples_in_because", file.summary.samples_in_because},
               {"example_ids", file.summary.examples},
               {"zero_rows", file.summary.zero_rows},
               {"features", file.features},
               {"missing_cells", file.missing_cells}};
  if (found.is_question) {
    view["samples"] = file.samples;
    return view;
  }
  view["observed"] = observed_in(found, m);
  view["missing"] = n_samples(found) - observed_in(found, m);
  if (found.assembled) {
    view["kernel"] = found.assembled->views[m].kernel;
    view["feature_type"] = found.assembled->views[m].feature_type;
    view["feature_evidence"] = found.assembled->views[m].feature_evidence;
    view["width_evidence"] = found.assembled->views[m].width_evidence;
    view["check"] = kernel_json(found.kernels[m]);
  }
  return view;
}

Json plan_json(const Inspection& found, const std::string& method) {
  Json plan = {{"possible", found.error.empty()}, {"method", method}};
  if (!found.is_question) plan["rows_to_complete"] = rows_to_complete(found);
  if (!found.command.empty()) plan["proposed_command"] = found.command;
  if (found.error.empty())
    plan["memory_bytes"] = bytes_needed(size_of(found.assembled->problem), method, thread_count(0));
  else
    plan.update({{"error", found.error}, {"hint", found.hint}});
  return plan;
}

}  // namespace

std::string inspection_text(const Inspection& found, const std::string& method) {
  if (found.is_question)
    return files_alone_text(found) + sides_text(found) + "\n" + plan_text(found, method);
  std::string text;
  for (const auto& part :
       {files_text(found) + losses_text(found) + sides_text(found), overlap_text(found),
        patterns_text(found), map_text(found), kernels_text(found), plan_text(found, method)})
    if (!part.empty()) text += (text.empty() ? "" : "\n") + part;
  return text;
}

nlohmann::ordered_json inspection_json(const Inspection& found, const std::string& method) {
  Json views = Json::array(), patterns = Json::array(), common = Json::array();
  if (found.is_question) {
    for (std::size_t m = 0; m < found.files.size(); ++m) views.push_back(view_json(found, m));
    return {{"n_views", found.files.size()},
            {"views", views},
            {"complete", plan_json(found, method)},
            {"notices", found.notices}};
  }
  const auto shared = shared_samples(found.alignment.observed);
  for (std::size_t m = 0; m < found.files.size(); ++m) {
    views.push_back(view_json(found, m));
    const auto row = shared.row(static_cast<Index>(m));
    common.push_back(std::vector<Index>(row.begin(), row.end()));
  }
  for (const auto& pattern : missing_patterns(found.alignment.observed))
    patterns.push_back({{"views", pattern.views}, {"samples", pattern.samples}});
  return {{"n_samples", n_samples(found)},
          {"n_views", found.files.size()},
          {"in_all_views", in_all_views(found)},
          {"lost_by_complete_cases", n_samples(found) - in_all_views(found)},
          {"views", views},
          {"samples_in_common", common},
          {"patterns", patterns},
          {"complete", plan_json(found, method)},
          {"notices", found.notices}};
}

}  // namespace mkc::app
