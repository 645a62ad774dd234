#include "files/sites.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "factor/archive.hpp"
#include "files/fits.hpp"
#include "mkc/factor/completed_factors.hpp"
#include "mkc/files/output_folder.hpp"

namespace mkc::io {

using factor::Model;
using factor::Plan;

namespace {

/// InputError where the tables are not those of the plan.
void check_tables(const PlanFolder& folder, const std::string& path, const JointSource& source) {
  const Plan& plan = folder.plan();
  if (!plan.is_shared())
    throw OptionError(fmt::format("'{}' is a plan of its own samples", path),
                      "tables of sites need a plan of 'mkc plan --public' or '--draw'; its own "
                      "samples need no views here");
  if (source.n_views() != plan.n_views())
    throw InputError(fmt::format("{} views, the plan has {}", source.n_views(), plan.n_views()),
                     "give all views of the plan in its order");
  for (Index m = 0; m < plan.n_views(); ++m) {
    const factor::SourceView& view = source.views()[at(m)];
    const std::string &name = plan.views()[at(m)].name, &wanted = folder.columns_id(m),
                      &found = source.tables().rows[at(m)].columns_id;
    if (view.name != name)
      throw InputError(fmt::format("view {} is '{}', in the plan it is '{}'", m + 1,
                                   shown(view.name), shown(name)),
                       "give the views in the order of the plan, or name one: NAME=PATH");
    if (view.kernel.kernel == KernelKind::precomputed)
      throw InputError(fmt::format("view '{}' is a kernel", shown(name)),
                       "sites share features, not kernels: give the table that it was made of");
    if (!view.categories.empty())
      throw InputError(fmt::format("view '{}' has columns of words", shown(name)),
                       "their codes differ between sites: give columns of 0 and 1 instead");
    if (view.columns != folder.record().columns[at(m)])
      throw InputError(fmt::format("view '{}' has {} columns, in the plan {}", shown(name),
                                   view.columns, folder.record().columns[at(m)]),
                       "all sites have the same columns in the same order");
    if (!wanted.empty() && !found.empty() && wanted != found)
      throw InputError(
          fmt::format("view '{}' has other names of columns than in the plan", shown(name)),
          "all sites have the same columns in the same order");
  }
}

/// The plan for the samples of a site.
Plan plan_for(const PlanFolder& folder, const JointSource& source) {
  Indices observed;
  for (Index m = 0; m < source.n_views(); ++m) observed.push_back(source.observed(m));
  return folder.plan().for_samples(source.n_samples(), observed);
}

SiteRecord record_of(const Plan& plan, const std::string& name, const JointSource& source) {
  SiteRecord record;
  record.name = name;
  record.samples = source.n_samples();
  factor::Arrays blocks{"site", {}, {}};
  for (Index block = 0; block < plan.n_blocks(); ++block)
    blocks.words.emplace_back("", id_of_block(plan, source, block));
  record.tables = factor::content_id(blocks);
  for (const ViewRows& rows : source.tables().rows) record.columns.push_back(rows.columns_id);
  return record;
}

}  // namespace

bool compute_site_moments(const std::string& plan_path, Index round, const std::string& fit,
                          const std::string& site, const JointSource& source,
                          const std::string& output, bool force, const RunOptions& run) {
  const PlanFolder folder(plan_path);
  check_tables(folder, plan_path, source);
  if (source.n_samples() == 0)
    throw InputError(fmt::format("site '{}' has no samples", shown(site)), "leave it out");
  const Model model = fit_for_round(folder, fit, round);
  const Plan plan = plan_for(folder, source);
  PartRecord part = new_part("moments", folder.id(), model.id());
  part.round = round;
  part.sites = {record_of(plan, site, source)};
  const auto file = file_of_step(output, force, part);
  if (!file) return false;
  const factor::Moments sums = factor::moments(plan, model, source, 0, plan.n_blocks(), run);
  return write_step(part, sums.as_block(0, 1).arrays(), *file);
}

void complete_site(const std::string& plan_path, const std::string& fit, const JointSource& source,
                   FactorRecord record, OutputFolder& output, const RunOptions& run) {
  const PlanFolder folder(plan_path);
  check_tables(folder, plan_path, source);
  const Model model = finished_fit(folder, fit);
  const Plan plan = plan_for(folder, source);
  Indices ranks;
  for (const auto& view : plan.views()) ranks.push_back(view.rank);
  FactorFolder out(output, source, 0, ranks, model.quality());
  complete_blocks(plan, model, source, 0, plan.n_blocks(), out, run);
  out.close();
  record.features = plan.views();
  record.parameters = factor::factor_options().values(plan.options());
  record.seed = folder.record().seed;
  record.warnings = factor::warnings_about(plan, model);
  for (const auto& notice : model.notices()) record.notices.push_back(notice);
  if (model.quality() != nullptr)
    for (auto& notice :
         factor::notices_about_unknown_errors(plan, out.completed(), out.unknown_errors()))
      record.notices.push_back(std::move(notice));
  write_text_file(output.path("meta_info.json"),
                  factor_meta_info(record, source.n_samples(), &model));
}

Indices rare_patterns(const factor::Source& source, Index fewest) {
  const Index N = source.n_samples();
  std::vector<std::vector<bool>> patterns(at(N));
  for (Index m = 0; m < source.n_views(); ++m) {
    factor::Presence has;
    source.presence(m, 0, N, has);
    for (Index i = 0; i < N; ++i) patterns[at(i)].push_back(has(i));
  }
  std::map<std::vector<bool>, Index> count;
  for (const auto& pattern : patterns) ++count[pattern];
  Indices rare;
  for (Index i = 0; i < N; ++i)
    if (count[patterns[at(i)]] < fewest) rare.push_back(i);
  return rare;
}

Index forget_samples(const std::string& path, const Strings& samples, OutputFolder& output,
                     const std::string& command_line, int threads) {
  const PlanFolder folder(path);
  if (folder.plan().is_shared())
    throw OptionError(fmt::format("'{}' has no samples of a site", path),
                      "a site leaves samples out of its tables and sends its sums again");
  const Plan plan = folder.plan_with_sample();
  const JointSource source = folder.source(0, plan.n_blocks(), threads);
  std::map<std::string, Index> rows;
  for (Index i = 0; i < plan.n_samples(); ++i) rows.emplace(source.sample(i), i);
  Indices gone;
  for (const auto& name : samples) {
    const auto found = rows.find(name);
    if (found == rows.end())
      throw InputError(fmt::format("'{}' is no sample of the plan", shown(name)),
                       "check the spelling; samples.txt in the plan lists them");
    if (std::binary_search(plan.rows().begin(), plan.rows().end(), found->second))
      throw InputError(
          fmt::format("'{}' is one of the {} samples on which the plan was made (landmarks, "
                      "anchors, widths): its values stay in every fit",
                      shown(name), plan.rows().size()),
          "make a new plan of tables without it: mkc plan");
    gone.push_back(found->second);
  }
  std::sort(gone.begin(), gone.end());
  gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
  const JointSource left = source.without(gone);
  FactorRecord record = folder.record();
  for (Index m = 0; m < left.n_views(); ++m) {
    record.observed[at(m)] = left.observed(m);
    if (record.observed[at(m)] < 2)
      throw InputError(fmt::format("view '{}' would have {} samples",
                                   shown(plan.views()[at(m)].name), record.observed[at(m)]),
                       "a view needs at least 2");
  }
  const Plan smaller = plan.without(gone, record.observed);
  record.features = smaller.views();
  record.run.command_line = command_line;
  write_plan(output, smaller, record, left, threads);
  write_text_file(output.path("meta_info.json"),
                  factor_meta_info(record, left.n_samples(), nullptr));
  return left.n_samples();
}

}  // namespace mkc::io
