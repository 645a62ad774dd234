#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "command.hpp"
#include "exit_codes.hpp"
#include "shard_arguments.hpp"

namespace mkc::app {

namespace {

struct MomentsArguments : ShardArguments {
  int round = 1;
};

int run_moments(const MomentsArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  check_step(arguments);
  const io::Shard shard = io::parse_shard(arguments.shard);
  const bool made = io::compute_moments(arguments.plan, arguments.round, arguments.fit, shard,
                                        arguments.output, arguments.force,
                                        run_options(0, thread_count(arguments.threads), terminal));
  terminal.message(fmt::format("round {}, shard {}: {}{}", arguments.round, io::shard_text(shard),
                               printable(arguments.output), made ? "" : " is there already"));
  return exit_ok;
}

}  // namespace

Runner add_moments(CommandParser& parser) {
  auto arguments = std::make_shared<MomentsArguments>();
  parser.describe(
      "Sums of one round over the samples of one shard of a plan. Where the output is there "
      "already, nothing is done.\n\n"
      "  mkc moments plan --round 1 --shard 3/7 -o m3.npz\n"
      "  mkc moments plan --round 2 --fit fit1.npz --shard 3/7 -o n3.npz");
  add_plan_argument(parser, *arguments);
  parser.count("--round", arguments->round, 1, 100, "",
               "pass over the samples: the one after the fit");
  parser.option("--fit", arguments->fit, "fit of the round before, from the second round on",
                Takes::file);
  add_shard_option(parser, *arguments);
  parser.option("-o,--output", arguments->output, "file of the sums (.npz)", Takes::file);
  add_step_options(parser, *arguments);
  return [arguments] { return run_moments(*arguments); };
}

}  // namespace mkc::app
