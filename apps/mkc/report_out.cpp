#include "report_out.hpp"

#include <fmt/format.h>

#include "base/stopwatch.hpp"
#include "mkc/base/error.hpp"

namespace mkc::app {

void add_report_arguments(CommandParser& parser, ReportArguments& arguments) {
  parser.choice("--report", arguments.report, {"none"},
                "none|FILE: no report, or another place; default: report.html in the output folder",
                Takes::choice_or_file);
  parser.option("--title", arguments.title, "heading of the report");
}

ReportOut::ReportOut(const ReportArguments& arguments, bool force, io::OutputFolder* folder)
    : wanted_(arguments.report != "none"), path_(wanted_ ? arguments.report : "") {
  if (path_.empty()) return;
  if (!path_.ends_with(".html") && !path_.ends_with(".htm"))
    throw OptionError(fmt::format("--report: '{}' does not end in .html or .htm", path_),
                      "--report none for no report, or --report FILE.html");
  if (folder != nullptr) file_.emplace(path_, force, *folder);
}

void ReportOut::keep_finished() {
  if (!file_) return;
  file_->keep_finished();
  path_ = file_->target().string();
}

void ReportOut::write(io::OutputFolder& folder, const std::string& shown_folder,
                      const std::function<std::string()>& make, Terminal& terminal) {
  if (!wanted_) return;
  const Stopwatch watch;
  std::string page;
  try {
    page = make();
    io::write_text_file(file_ ? std::filesystem::path(file_->path()) : folder.path("report.html"),
                        page);
  } catch (const std::exception& error) {
    terminal.warning(fmt::format("the report could not be made: {}", error.what()));
    return;
  }
  written_ = true;
  terminal.detail(fmt::format("report of {:.2f} MB made in {:.3f} s",
                              static_cast<double>(page.size()) / 1e6, watch.seconds()));
  terminal.message(fmt::format(
      "report: {}",
      path_.empty() ? (std::filesystem::path(shown_folder) / "report.html").string() : path_));
}

bool ReportOut::failed() const { return file_ && !written_; }

void ReportOut::commit() {
  if (file_ && written_) file_->commit();
}

std::string kept_finished(const std::string& output, const std::string& place) {
  return place == output ? "" : fmt::format("; the finished one in {} is kept", output);
}

}  // namespace mkc::app
