#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "command.hpp"
#include "complete_tables.hpp"
#include "exit_codes.hpp"
#include "files/views_out.hpp"
#include "interrupt.hpp"
#include "mkc/base/error.hpp"
#include "mkc/files/pending_file.hpp"

namespace mkc::app {

namespace {

struct ConvertArguments {
  ViewArguments input;
  TerminalArguments terminal;
  std::string output;
  bool force = false;
};

// Kernel options have no effect here.
void refuse_kernel_options(const std::vector<View>& views) {
  for (const auto& view : views)
    if (!view.kernel_options.empty())
      throw OptionError(
          fmt::format("view '{}': option '{}' makes a kernel, which 'mkc convert' does not do",
                      view.name, view.kernel_options.front().first),
          "'mkc kernel' computes kernels from features");
}

int run_convert(const ConvertArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  if (arguments.output.empty())
    throw OptionError("the output file is missing", "add -o FILE, for example -o views.h5mu");
  const io::FileFormat format = io::output_format(arguments.output);
  refuse_to_overwrite_inputs(arguments.output, input_paths(arguments.input));
  io::PendingFile file(arguments.output, arguments.force);
  terminal.progress({"reading", 0, 0, 0});
  Input input = read_input(arguments.input);
  std::vector<View>& views = input.read.views;
  if (input.options.mask) mask_views(views, *input.options.mask);
  refuse_kernel_options(views);
  io::check_output(format, arguments.output, views);
  for (const auto& notice : input.read.notices) terminal.warning(notice);
  for (const auto& view : views)
    for (const auto& notice : view.notices) terminal.warning(place_of(view) + ": " + notice);

  std::vector<std::vector<std::string>> rows = {{"view", "samples", "kind", "features"}};
  auto list = nlohmann::ordered_json::array();
  std::vector<ViewSummary> summaries;
  for (const auto& view : views) {
    summaries.push_back(summary_of(view));
    const bool kernel = view.kind == ViewKind::kernel;
    rows.push_back({view.name, std::to_string(view.ids.size()), view_kind_name(view.kind),
                    kernel ? "" : std::to_string(view.values.cols())});
    list.push_back({{"name", view.name},
                    {"samples", view.ids.size()},
                    {"kind", view_kind_name(view.kind)},
                    {"features", kernel ? 0 : view.values.cols()}});
  }
  finish_first("writing the result");
  io::write_views(file.path(), arguments.output, format, views);
  file.commit();
  terminal.result(format_table(rows) + side_lines(summaries));
  terminal.message(fmt::format("written to {}", arguments.output));
  if (arguments.terminal.json) print_json({{"output", arguments.output}, {"views", list}});
  return exit_ok;
}

}  // namespace

Runner add_convert(CommandParser& parser) {
  auto arguments = std::make_shared<ConvertArguments>();
  parser.describe(
      "Convert views to another file format, chosen by the extension of the output.\n\n"
      "  mkc convert experiment.mat -o experiment.h5mu\n"
      "  mkc convert rna.csv protein.tsv.gz kinship.npz:K -o views.h5\n\n"
      "Output formats: .npz, .h5, .h5mu, .mat; for a single view also .h5ad, .tsv, .tsv.gz.");
  add_reading_arguments(parser, arguments->input);
  parser.option("-o,--output", arguments->output, "output file", Takes::file);
  parser.flag("-f,--force", arguments->force, "replace an existing file");
  add_terminal_arguments(parser, arguments->terminal);
  return [arguments] { return run_convert(*arguments); };
}

}  // namespace mkc::app
