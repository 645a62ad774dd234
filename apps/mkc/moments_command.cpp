#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "command.hpp"
#include "exit_codes.hpp"
#include "files/sites.hpp"
#include "site_arguments.hpp"

namespace mkc::app {

namespace {

struct MomentsArguments : SiteArguments {
  int round = 1;
};

int run_of_site(MomentsArguments& arguments, Terminal& terminal) {
  if (arguments.name.empty())
    throw OptionError("--site is missing", "it names the site that these views belong to");
  const SiteTables tables(arguments, terminal);
  const bool made = io::compute_site_moments(
      arguments.plan, arguments.round, arguments.fit, arguments.name, tables.source(),
      arguments.output, arguments.force, run_options(0, thread_count(arguments.threads), terminal));
  const double megabytes = static_cast<double>(std::filesystem::file_size(arguments.output)) / 1e6;
  if (megabytes > 100)
    terminal.warning("the file has more than 100 MB: a plan with fewer --anchors makes it smaller");
  terminal.message(
      fmt::format("round {}, site '{}', {}: {}{}, {:.1f} MB to send", arguments.round,
                  printable(arguments.name), counted(tables.source().n_samples(), "sample"),
                  printable(arguments.output), made ? "" : " is there already", megabytes));
  return exit_ok;
}

int run_moments(MomentsArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  check_step(arguments);
  if (has_tables(arguments)) return run_of_site(arguments, terminal);
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
      "  mkc moments plan --round 2 --fit fit1.npz --shard 3/7 -o n3.npz\n\n"
      "Of a plan that sites share: sums of all samples of the views of one site.\n\n"
      "  mkc moments plan rna.csv protein.csv --round 1 --site north -o north1.npz");
  add_plan_argument(parser, *arguments);
  add_site_arguments(parser, *arguments);
  parser.option("--site", arguments->name, "name of the site that these views belong to");
  parser.count("--min-count", arguments->fewest, 0, 1000000, "",
               "leave out samples whose pattern of missing views fewer samples of the site have");
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
