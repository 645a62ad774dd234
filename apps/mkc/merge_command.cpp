#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "command.hpp"
#include "exit_codes.hpp"
#include "shard_arguments.hpp"

namespace mkc::app {

namespace {

int run_merge(const ShardArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  check_step(arguments);
  const io::FitState state =
      io::merge_moments(arguments.plan, arguments.fit, arguments.parts, arguments.output,
                        arguments.force, run_options(0, thread_count(arguments.threads), terminal));
  for (const auto& notice : state.notices) terminal.warning(notice);
  terminal.message(fmt::format("round {} of {}: {}{}; next: {}", state.rounds_done, state.rounds,
                               printable(arguments.output), state.made ? "" : " is there already",
                               state.rounds_done < state.rounds
                                   ? fmt::format("mkc moments --round {}", state.rounds_done + 1)
                                   : "mkc apply"));
  return exit_ok;
}

}  // namespace

Runner add_merge(CommandParser& parser) {
  auto arguments = std::make_shared<ShardArguments>();
  parser.describe(
      "The fit of a plan after a round, from the sums of all its shards, in any order.\n\n"
      "  mkc merge plan m*.npz -o fit1.npz\n"
      "  mkc merge plan n*.npz --fit fit1.npz -o fit2.npz");
  add_plan_argument(parser, *arguments);
  parser.repeated("PART", arguments->parts, "files of 'mkc moments': all shards of one round",
                  Takes::file);
  parser.option("--fit", arguments->fit, "fit of the round before, from the second round on",
                Takes::file);
  parser.option("-o,--output", arguments->output, "file of the fit (.npz)", Takes::file);
  add_step_options(parser, *arguments);
  return [arguments] { return run_merge(*arguments); };
}

}  // namespace mkc::app
