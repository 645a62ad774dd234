#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/text_table.hpp"
#include "report/compact.hpp"
#include "report/page.hpp"
#include "report/page_data.hpp"
#include "report/report.hpp"
#include "report/warnings.hpp"

namespace mkc::report {

namespace {

// A table of the result: {"columns": [...], "rows": [[...], ...]}, numbers as numbers, NA as null.
Json table_json(const std::filesystem::path& path) {
  const io::TextTable table = io::read_text_table(path.string());
  const auto is_name = [&](std::size_t c) {
    const std::string& column = table.header[c];
    return column == "method" || column == "view" || column == "on";
  };
  Json rows = Json::array();
  for (const auto& cells : table.rows) {
    Json row = Json::array();
    for (std::size_t c = 0; c < cells.size(); ++c) {
      double value = 0;
      if (is_name(c))
        row.push_back(short_name(cells[c], 200));
      else
        row.push_back(parse_number(cells[c], value) ? Json(rounded(value, 6)) : Json(nullptr));
    }
    rows.push_back(std::move(row));
  }
  return {{"columns", table.header}, {"rows", std::move(rows)}};
}

std::vector<Warning> evaluation_warnings(const Json& meta) {
  std::vector<Warning> warnings;
  if (meta.value("status", "") == "interrupted")
    warnings.push_back(
        {Warning::Kind::serious,
         fmt::format("Interrupted: {} of {} trials are finished. Run the same command "
                     "again to continue.",
                     meta.value("cells", 0), meta.value("cells_planned", 0))});
  for (const auto& method : meta.value("methods", Json::array()))
    if (const std::string failure = method.value("failure", ""); !failure.empty())
      warnings.push_back(
          {Warning::Kind::serious, short_name(method.value("method", "") + ": " + failure, 500)});
  add_notices(meta, warnings);
  return warnings;
}

Json data_of(const std::filesystem::path& folder, const ReportOptions& options) {
  Json meta = read_meta(folder);
  const std::string title = short_name(
      options.title.empty() ? fmt::format("mkc: methods compared on {} views of {} samples",
                                          meta.value("n_views", 0), meta.value("n_samples", 0))
                            : options.title,
      200);
  Json data = {{"kind", "evaluation"},
               {"title", title},
               {"warnings", warnings_json(evaluation_warnings(meta))},
               {"scores", table_json(folder / "scores.tsv")}};
  if (std::filesystem::exists(folder / "labels.tsv"))
    data["labels"] = table_json(folder / "labels.tsv");
  data["meta"] = std::move(meta);
  return data;
}

}  // namespace

Json evaluation_data(const std::filesystem::path& folder, const ReportOptions& options) {
  return with_meta_of(folder, [&] { return data_of(folder, options); });
}

std::string evaluation_page(const std::filesystem::path& folder, const ReportOptions& options) {
  return assemble_page(evaluation_data(folder, options));
}

}  // namespace mkc::report
