#include "site_arguments.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "completion_form.hpp"
#include "factor_planning.hpp"
#include "files/input_record.hpp"
#include "files/sites.hpp"

namespace mkc::app {

void add_site_arguments(CommandParser& parser, SiteArguments& arguments) {
  add_view_arguments(parser, arguments.site.input);
  parser.views_are_optional();
}

bool has_tables(const SiteArguments& arguments) { return !arguments.site.input.views.empty(); }

SiteTables::SiteTables(SiteArguments& arguments, Terminal& terminal) {
  CompleteArguments& site = arguments.site;
  site.terminal = arguments.terminal;
  site.threads = arguments.threads;
  site.form = "factor";
  const Strings paths = input_paths(site.input);
  io::RunRecord record{command_line(), {}, thread_count(site.threads), false, {}};
  const IdRule ids = id_rule(site.input);
  record.ids = ids.is_exact() ? "exact" : id_rule_text(ids);
  const io::InputRecord inputs(paths);
  std::optional<Input> input;
  if (!tables_too_large(site)) input = read_input(site.input);
  FactorPlanning planning(site, terminal, std::move(record), std::move(input));
  copies_ = std::make_unique<io::Checkpoint>(arguments.output, "tables of a site");
  source_ = planning.read([this] { return copies_->scratch(); });
  record_ = std::move(planning.record());
  record_.run.inputs = inputs.confirmed();
  const Indices rare = io::rare_patterns(*source_, arguments.fewest);
  if (rare.empty()) return;
  terminal.warning(fmt::format("{} of {} samples are left out: fewer than {} have the same views",
                               rare.size(), source_->n_samples(), arguments.fewest));
  source_ = source_->without(rare);
  for (Index m = 0; m < source_->n_views(); ++m) record_.observed[at(m)] = source_->observed(m);
}

SiteTables::~SiteTables() {
  if (copies_) copies_->remove();
}

}  // namespace mkc::app
