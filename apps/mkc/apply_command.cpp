#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "command.hpp"
#include "exit_codes.hpp"
#include "files/sites.hpp"
#include "site_arguments.hpp"

namespace mkc::app {

namespace {

int run_of_site(SiteArguments& arguments, Terminal& terminal) {
  io::OutputFolder folder(arguments.output, "complete", arguments.force);
  refuse_to_overwrite_inputs(folder, input_paths(arguments.site.input));
  const SiteTables tables(arguments, terminal);
  io::complete_site(arguments.plan, arguments.fit, tables.source(), tables.record(), folder,
                    run_options(0, thread_count(arguments.threads), terminal));
  commit(folder, terminal);
  terminal.message(fmt::format("completed {}: {}", counted(tables.source().n_samples(), "sample"),
                               printable(arguments.output)));
  return exit_ok;
}

int run_apply(SiteArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  check_step(arguments);
  if (has_tables(arguments)) return run_of_site(arguments, terminal);
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
  auto arguments = std::make_shared<SiteArguments>();
  parser.describe(
      "Complete the rows of one shard with the finished fit of a plan: a result folder of its "
      "samples.\n\n"
      "  mkc apply plan --fit fit3.npz --shard 3/7 -o rows3\n\n"
      "Of a plan that sites share: complete the views of one site.\n\n"
      "  mkc apply plan rna.csv protein.csv --fit fit3.npz -o result");
  add_plan_argument(parser, *arguments);
  add_site_arguments(parser, *arguments);
  parser.option("--fit", arguments->fit, "fit of the last round", Takes::file);
  add_shard_option(parser, *arguments);
  parser.option("-o,--output", arguments->output, "output folder", Takes::folder);
  add_step_options(parser, *arguments);
  return [arguments] { return run_apply(*arguments); };
}

}  // namespace mkc::app
