#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "command.hpp"
#include "exit_codes.hpp"
#include "factor_run.hpp"
#include "files/place_of_step.hpp"
#include "report_out.hpp"
#include "shard_arguments.hpp"

namespace mkc::app {

namespace {

struct GatherArguments : ShardArguments {
  ReportArguments report;
};

int run_gather(const GatherArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  check_step(arguments);
  const auto place = io::place_of_step(
      arguments.force,
      [&] { return io::is_gathered(arguments.plan, arguments.fit, arguments.output); },
      [&] {
        return std::make_unique<io::OutputFolder>(arguments.output, "complete", arguments.force);
      });
  if (!place) {
    terminal.message(printable(arguments.output) + " is there already");
    return exit_ok;
  }
  io::OutputFolder& folder = *place;
  ReportOut report(arguments.report, arguments.force, &folder);
  io::gather_shards(arguments.plan, arguments.fit, arguments.parts, folder, command_line(), [&] {
    const auto page = [&] {
      return factor_page(folder, arguments.report.title, thread_count(arguments.threads));
    };
    report.write(folder, arguments.output, page, terminal);
    io::write_text_file(folder.path("mkc.log"), terminal.log());
  });
  report.commit();
  terminal.message(fmt::format("gathered {}: {}", counted(std::ssize(arguments.parts), "shard"),
                               printable(arguments.output)));
  if (arguments.terminal.json) print_result(folder.meta_info());
  return report.failed() ? exit_unexpected : exit_ok;
}

}  // namespace

Runner add_gather(CommandParser& parser) {
  auto arguments = std::make_shared<GatherArguments>();
  parser.describe(
      "The result of all samples from those of all shards: the folder that 'mkc complete --form "
      "factor' would have written.\n\n"
      "  mkc gather plan rows* --fit fit3.npz -o result");
  add_plan_argument(parser, *arguments);
  parser.repeated("SHARD", arguments->parts, "folders of 'mkc apply': all shards", Takes::folder);
  parser.option("--fit", arguments->fit, "fit of the last round", Takes::file);
  parser.option("-o,--output", arguments->output,
                "output folder; must not exist, unless --force is given", Takes::folder);
  add_report_arguments(parser, arguments->report);
  add_step_options(parser, *arguments);
  return [arguments] { return run_gather(*arguments); };
}

}  // namespace mkc::app
