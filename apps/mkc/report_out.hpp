#pragma once

#include <optional>

#include "label_arguments.hpp"
#include "mkc/files/output_folder.hpp"
#include "mkc/files/pending_file.hpp"
#include "mkc/problem/sample_ids.hpp"
#include "parser.hpp"
#include "report/report.hpp"
#include "terminal.hpp"

namespace mkc::app {

/// --report and --title, which several commands share.
struct ReportArguments {
  std::string report;  // "" = report.html in the output folder; none; else a file
  std::string title;
};
void add_report_arguments(CommandParser& parser, ReportArguments& arguments);

/// Where the report of a run goes. Made before the work, so that a file that exists or cannot be
/// written is refused at once. Without a folder (a dry run) there will be no report.
class ReportOut {
 public:
  ReportOut(const ReportArguments& arguments, bool force, io::OutputFolder* folder);

  /// See io::PendingFile.
  void keep_finished();

  /// Writes the page that `make` returns, and prints where it will be. If the page cannot be made,
  /// that is a warning: the result, which may have taken hours, is kept without it.
  void write(io::OutputFolder& folder, const std::string& shown_folder,
             const std::function<std::string()>& make, Terminal& terminal);

  /// After write(): whether a page that --report names is missing.
  bool failed() const;

  /// After the folder's own commit.
  void commit();

 private:
  bool wanted_;
  bool written_ = false;
  std::string path_;                     // "" = in the folder
  std::optional<io::PendingFile> file_;  // of a path
};

/// "; the finished one in out is kept" where an interrupted result goes to another place, else "".
std::string kept_finished(const std::string& output, const std::string& place);

}  // namespace mkc::app
