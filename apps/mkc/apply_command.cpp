#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "command.hpp"
#include "exit_codes.hpp"
#include "shard_arguments.hpp"

namespace mkc::app {

namespace {

int run_apply(const ShardArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  check_step(arguments);
  const io::Shard shard = io::parse_shard(arguments.shard);
  const bool made =
      io::apply_shard(arguments.plan, arguments.fit, shard, arguments.output, arguments.force,
                      command_line(), run_options(0, thread_count(arguments.threads), terminal));
  terminal.message(fmt::format("rows of shard {}: {}{}", io::shard_text(shard),
                               printable(arguments.output), made ? "" : " is there already"));
  return exit_ok;
}

}  // namespace

Runner add_apply(CommandParser& parser) {
  auto arguments = std::make_shared<ShardArguments>();
  parser.describe(
      "Complete the rows of one shard with the finished fit of a plan: a result folder of its "
      "samples.\n\n"
      "  mkc apply plan --fit fit3.npz --shard 3/7 -o rows3");
  add_plan_argument(parser, *arguments);
  parser.option("--fit", arguments->fit, "fit of the last round", Takes::file);
  add_shard_option(parser, *arguments);
  parser.option("-o,--output", arguments->output, "output folder", Takes::folder);
  add_step_options(parser, *arguments);
  return [arguments] { return run_apply(*arguments); };
}

}  // namespace mkc::app
