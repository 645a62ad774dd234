#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "command.hpp"
#include "exit_codes.hpp"
#include "files/sites.hpp"
#include "mkc/base/error.hpp"
#include "mkc/files/output_folder.hpp"
#include "mkc/files/sample_map.hpp"
#include "shard_arguments.hpp"

namespace mkc::app {

namespace {

struct ForgetArguments : ShardArguments {
  std::string samples;
};

int run_forget(const ForgetArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  check_step(arguments);
  if (arguments.samples.empty())
    throw OptionError("--samples is missing", "it names a file with one sample a line");
  const Strings samples = io::read_sample_list(arguments.samples);
  io::OutputFolder folder(arguments.output, "plan", arguments.force);
  const Index left = io::forget_samples(arguments.plan, samples, folder, command_line(),
                                        thread_count(arguments.threads));
  commit(folder, terminal);
  terminal.message(fmt::format("plan of {}, without {}: {}; next: mkc moments --round 1",
                               counted(left, "sample"), samples.size(),
                               printable(arguments.output)));
  return exit_ok;
}

}  // namespace

Runner add_forget(CommandParser& parser) {
  auto arguments = std::make_shared<ForgetArguments>();
  parser.describe(
      "Take samples out of a plan. The fit of what is left is that of the same plan without them; "
      "its rounds are repeated, because the sums of later rounds depend on all samples.\n\n"
      "  mkc forget plan --samples withdrawn.txt -o smaller");
  add_plan_argument(parser, *arguments);
  parser.option("--samples", arguments->samples, "file with one sample a line", Takes::file);
  parser.option("-o,--output", arguments->output, "folder of the smaller plan", Takes::folder);
  add_step_options(parser, *arguments);
  return [arguments] { return run_forget(*arguments); };
}

}  // namespace mkc::app
