#include "mkc/files/shards.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/parallel.hpp"
#include "files/fits.hpp"
#include "formats/sha256.hpp"
#include "mkc/base/error.hpp"
#include "mkc/factor/completed_factors.hpp"
#include "mkc/files/pending_file.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

using factor::Model;
using factor::Moments;
using factor::Plan;

namespace {

constexpr const char* part_name = "part.npz";

struct Blocks {
  Index first, last;
};
Blocks blocks_of(const Plan& plan, const Shard& shard) {
  const Index n = plan.n_blocks();
  return {n * (shard.number - 1) / shard.count, n * shard.number / shard.count};
}

Strings all_notices(const PlanFolder& folder, const Model& model) {
  Strings all = folder.record().notices;
  for (const Strings& more : {folder.plan().notices(), model.notices()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Lines of a table behind those of another; the first one brings the header.
void append_lines(const std::string& from, bool has_header, bool is_first, OutputFile& to) {
  const std::string text = read_whole_file(from);
  const std::size_t begin = has_header && !is_first ? text.find('\n') + 1 : 0;
  to.write(std::string_view(text).substr(begin));
}

void append_rows(const std::string& from, NpyRowWriter& to) {
  const NpyRows rows(from);
  const Index step = rows.rows_at_once();
  for (Index first = 0; first < rows.rows(); first += step)
    to.add(read_rows(rows, first, std::min(step, rows.rows() - first)));
}

/// Files of completed rows that are gathered.
Strings files_of_rows(const Plan& plan) {
  Strings files = factor_array_files(names_of(plan.views()));
  for (const auto& name : factor_text_files()) files.push_back(name);
  return files;
}

void check_files(const Plan& plan, const GivenPart& shard) {
  const Strings files = files_of_rows(plan);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string path = (fs::path(shard.path) / files[i]).string();
    if (shard.record.sha256.size() != files.size() ||
        sha256_of_file(path) != shard.record.sha256[i])
      throw InputError(fmt::format("{} is not what 'mkc apply' wrote", path),
                       fmt::format("repeat 'mkc apply --shard {} --force' for this folder",
                                   shard_text(shard.record.shard)));
  }
}

}  // namespace

PlanSize size_of_plan(const std::string& path) {
  const PlanFolder folder(path);
  const Plan& plan = folder.plan();
  return {plan.rounds(), plan.n_blocks(), plan.n_samples()};
}

bool compute_moments(const std::string& plan, Index round, const std::string& fit,
                     const Shard& shard, const std::string& output, bool force,
                     const RunOptions& run) {
  const PlanFolder folder(plan);
  if (folder.plan().is_shared())
    throw OptionError(fmt::format("'{}' is a plan for tables of sites", plan),
                      "mkc moments plan --site NAME VIEW...");
  const Model model = fit_for_round(folder, fit, round);
  PartRecord part = new_part("moments", folder.id(), model.id());
  part.round = round;
  part.shard = shard;
  if (!force && is_there(output, part)) return false;
  PendingFile file(output, force);
  const Blocks blocks = blocks_of(folder.plan(), shard);
  const JointSource source = folder.source(blocks.first, blocks.last, run.threads);
  const Moments sums =
      factor::moments(folder.plan(), model, source, blocks.first, blocks.last, run);
  return write_step(part, sums.arrays(), file);
}

FitState merge_moments(const std::string& plan, const std::string& fit, const Strings& parts,
                       const std::string& output, bool force, const RunOptions& run) {
  const PlanFolder folder(plan);
  const Model model = read_fit(folder, fit);
  FitState state;
  state.rounds = folder.plan().rounds();
  state.rounds_done = model.rounds_done() + 1;
  if (model.rounds_done() >= state.rounds)
    throw InputError(fmt::format("{}: all {} rounds are done", fit, model.rounds_done()),
                     "go on with 'mkc apply'");
  PartRecord step = new_part("fit", folder.id(), model.id());
  step.round = state.rounds_done;
  const auto is_made = [&] {
    state.made = force || !is_there(output, step);
    return !state.made;
  };
  const bool of_sites = folder.plan().is_shared();
  if (!of_sites && is_made()) return state;  // schedulers may have removed the parts
  std::vector<GivenPart> given;
  for (const auto& path : parts) {
    given.push_back({path, read_part(path, "moments", folder.id())});
    const PartRecord& part = given.back().record;
    if (part.round != step.round || part.fit != model.id())
      throw InputError(
          part.round == step.round
              ? fmt::format("{}: made with another fit of round {}", path, part.round - 1)
              : fmt::format("{}: moments of round {}, this is round {}", path, part.round,
                            step.round),
          "--fit names the fit that the moments were made with");
    if (part.blas != given.front().record.blas && state.notices.empty())
      state.notices.push_back(fmt::format(
          "{} and {} were made with different linear algebra ({}, {}): equal up to rounding only",
          given.front().path, path, given.front().record.blas, part.blas));
  }
  if (of_sites) {
    const bool first = fit.empty();
    step.sites = check_sites(
        given, first ? std::vector<SiteRecord>() : read_part(fit, "fit", folder.id()).sites);
  } else {
    check_shards(given);
  }
  if (of_sites && is_made()) return state;
  PendingFile file(output, force);
  std::optional<Moments> sums;
  for (Index k = 0; k < std::ssize(given); ++k) {
    Moments part = read_moments(given[at(k)].path);
    if (of_sites) part = part.as_block(k, std::ssize(given));
    sums = sums ? factor::merge({*sums, part}) : part;
  }
  const Model next = factor::advance(folder.plan(), model, *sums, run);
  for (const auto& notice : next.notices()) state.notices.push_back(notice);
  state.made = write_step(step, next.arrays(), file);
  return state;
}

bool apply_shard(const std::string& plan, const std::string& fit, const Shard& shard,
                 const std::string& output, bool force, const std::string& command_line,
                 const RunOptions& run) {
  const PlanFolder folder(plan);
  const Model model = finished_fit(folder, fit);
  PartRecord part = new_part("rows", folder.id(), model.id());
  part.shard = shard;
  if (!force && is_there((fs::path(output) / part_name).string(), part)) return false;
  OutputFolder result(output, "apply", force);
  const Blocks blocks = blocks_of(folder.plan(), shard);
  const JointSource source = folder.source(blocks.first, blocks.last, run.threads);
  Indices ranks;
  for (const auto& view : folder.plan().views()) ranks.push_back(view.rank);
  FactorFolder out(result, source, source.tables().first_named, ranks, model.quality());
  complete_blocks(folder.plan(), model, source, blocks.first, blocks.last, out, run);
  out.close();
  part.completed = out.completed();
  part.unknown = out.unknown_errors();
  for (const auto& name : files_of_rows(folder.plan()))
    part.sha256.push_back(sha256_of_file(result.path(name).string()));
  write_arrays(result.path(part_name), {to_arrays(part)});
  FactorRecord record = folder.record();
  record.run.command_line = command_line;
  record.run.threads = run.threads;
  record.warnings = factor::warnings_about(folder.plan(), model);
  record.notices = all_notices(folder, model);
  const Index rows = std::ssize(source.tables().samples);
  for (std::size_t m = 0; m < record.observed.size(); ++m)
    record.observed[m] = rows - part.completed[m];
  write_text_file(result.path("meta_info.json"), factor_meta_info(record, rows, &model));
  return commit_step(result, (fs::path(output) / part_name).string(), part);
}

bool is_gathered(const std::string& plan, const std::string& fit, const std::string& output) {
  return made_from(output) == finished_fit(PlanFolder(plan), fit).id();
}

void gather_shards(const std::string& plan, const std::string& fit, const Strings& shards,
                   OutputFolder& result, const std::string& command_line,
                   const std::function<void()>& last) {
  const PlanFolder folder(plan);
  const Model model = finished_fit(folder, fit);
  std::vector<GivenPart> given;
  for (const auto& path : shards) {
    given.push_back({path, read_part((fs::path(path) / part_name).string(), "rows", folder.id())});
    if (given.back().record.fit != model.id())
      throw InputError(fmt::format("{}: made with another fit than {}", path, fit),
                       "give the fit that the shards were completed with");
  }
  check_shards(given);
  std::sort(given.begin(), given.end(), [](const GivenPart& a, const GivenPart& b) {
    return a.record.shard.number < b.record.shard.number;
  });
  std::erase_if(given, [&](const GivenPart& one) {
    const Blocks blocks = blocks_of(folder.plan(), one.record.shard);
    return blocks.first == blocks.last;
  });
  for (const auto& part : given) check_files(folder.plan(), part);
  const auto in = [](const GivenPart& part, const std::string& name) {
    return (fs::path(part.path) / name).string();
  };
  const Strings views = names_of(folder.plan().views()), arrays = factor_array_files(views);
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const Index columns =
        a < views.size() ? folder.plan().views()[a].rank : folder.plan().n_views();
    NpyRowWriter writer(result.path(arrays[a]), columns);
    for (const auto& part : given) append_rows(in(part, arrays[a]), writer);
    writer.close();
  }
  for (const auto& name : factor_text_files()) {
    OutputFile file(result.path(name));
    for (const auto& part : given)
      append_lines(in(part, name), name.ends_with(".tsv"), &part == &given.front(), file);
    file.close();
  }
  FactorRecord record = folder.record();
  record.run.command_line = command_line;
  record.made_from = model.id();
  record.warnings = factor::warnings_about(folder.plan(), model);
  record.notices = all_notices(folder, model);
  Indices completed(views.size(), 0), unknown(views.size(), 0);
  for (const auto& part : given)
    for (std::size_t m = 0; m < views.size(); ++m) {
      completed[m] += part.record.completed[m];
      unknown[m] += part.record.unknown[m];
    }
  if (model.quality() != nullptr)
    for (auto& notice : factor::notices_about_unknown_errors(folder.plan(), completed, unknown))
      record.notices.push_back(std::move(notice));
  write_text_file(result.path("meta_info.json"),
                  factor_meta_info(record, folder.plan().n_samples(), &model));
  if (last) last();
  const std::string output = result.target().string();
  if (!result.commit_unless_there() && made_from(output) != record.made_from)
    throw OptionError(fmt::format("output folder '{}' appeared meanwhile", output),
                      "choose another name");
}

}  // namespace mkc::io
