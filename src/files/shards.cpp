#include "mkc/files/shards.hpp"

#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/digest.hpp"
#include "base/names.hpp"
#include "base/parallel.hpp"
#include "files/fits.hpp"
#include "files/private_folder.hpp"
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
/// Shards begin at multiples of a power of two of blocks, the largest that keeps them within a
/// tenth of equal size: their sums then fill few subtrees, and their parts are small.
Blocks blocks_of(const Plan& plan, const Shard& shard) {
  const Index n = plan.n_blocks();
  const auto units = [&](Index unit) { return (n + unit - 1) / unit; };
  const auto most = [&](Index unit) {
    return (units(unit) + shard.count - 1) / shard.count * unit;
  };
  Index unit = 1;
  while (units(2 * unit) >= shard.count && 10 * most(2 * unit) * shard.count <= 11 * n) unit *= 2;
  const auto first = [&](Index number) {
    return std::min(n, units(unit) * (number - 1) / shard.count * unit);
  };
  return {first(shard.number), first(shard.number + 1)};
}

Strings all_notices(const PlanFolder& folder, const Model& model) {
  Strings all = folder.record().notices;
  for (const Strings& more : {folder.plan().notices(), model.notices()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Files of completed rows that are gathered.
Strings files_of_rows(const Plan& plan) {
  Strings files = factor_array_files(names_of(plan.views()));
  for (const auto& name : factor_text_files()) files.push_back(name);
  return files;
}

/// Hands a file over, a block at a time, and names all of its bytes.
std::string digest_of_file(const std::string& path,
                           const std::function<void(std::string_view)>& take = {}) {
  constexpr std::uint64_t block_size = 1 << 20;
  const ByteSource bytes = file_bytes(path);
  Digest digest;
  std::string block;
  for (std::uint64_t left = bytes.size; left > 0; left -= block.size()) {
    block.resize(std::min(left, block_size));
    bytes.read(block.data(), block.size());
    digest.add(block);
    if (take) take(block);
  }
  return digest.text();
}

/// Files of completed rows, one by one, into those of all rows: each is read once.
class Gathering {
 public:
  Gathering(const Plan& plan, const std::vector<GivenPart>& parts)
      : plan_(plan), files_(files_of_rows(plan)), parts_(parts) {}

  void write(OutputFolder& result) const {
    const Index M = plan_.n_views();
    for (Index i = 0; i < std::ssize(files_); ++i) {
      const std::string path = result.path(files_[at(i)]);
      if (files_[at(i)].ends_with(".npy"))
        join_rows(i, i < M ? plan_.views()[at(i)].rank : M, path);
      else
        join_lines(i, path);
    }
  }

 private:
  void join_rows(Index i, Index columns, const std::string& path) const {
    NpyRowWriter writer(path, columns);
    for (const auto& part : parts_) {
      std::size_t header = NpyRowWriter::header_size;
      check(i, part, [&](std::string_view bytes) {
        writer.add_bytes(bytes.substr(std::min(header, bytes.size())));
        header = 0;
      });
    }
    writer.close();
  }

  /// Of tables the header is that of the first one.
  void join_lines(Index i, const std::string& path) const {
    OutputFile file(path);
    for (const auto& part : parts_) {
      bool skips = files_[at(i)].ends_with(".tsv") && &part != &parts_.front();
      check(i, part, [&](std::string_view bytes) {
        if (skips) {
          const std::size_t end = bytes.find('\n');
          skips = end == std::string_view::npos;
          bytes.remove_prefix(skips ? bytes.size() : end + 1);
        }
        file.write(bytes);
      });
    }
    file.close();
  }

  void check(Index i, const GivenPart& part,
             const std::function<void(std::string_view)>& take) const {
    const std::string path = (fs::path(part.path) / files_[at(i)]).string();
    if (part.record.digests.size() == files_.size() &&
        digest_of_file(path, take) == part.record.digests[at(i)])
      return;
    throw InputError(fmt::format("{} is not what 'mkc apply' wrote", path),
                     fmt::format("repeat 'mkc apply --shard {} --force' for this folder",
                                 shard_text(part.record.shard)));
  }

  const Plan& plan_;
  Strings files_;
  const std::vector<GivenPart>& parts_;
};

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
  const auto file = file_of_step(output, force, part);
  if (!file) return false;
  const Blocks blocks = blocks_of(folder.plan(), shard);
  const JointSource source = folder.source(blocks.first, blocks.last, run.threads);
  const Moments sums =
      factor::moments(folder.plan(), model, source, blocks.first, blocks.last, run);
  return write_step(part, sums.arrays(), *file);
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
  const bool of_sites = folder.plan().is_shared();
  state.made = of_sites || force || !is_done(output, output, step);
  if (!state.made) return state;  // schedulers may have removed the parts
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
  const auto file = file_of_step(output, force, step);
  state.made = file != nullptr;
  if (!file) return state;
  std::optional<Moments> sums;
  for (Index k = 0; k < std::ssize(given); ++k) {
    Moments part = read_moments(given[at(k)].path);
    if (of_sites) part = part.as_block(k, std::ssize(given));
    std::vector<Moments> both;
    if (sums) both.push_back(*std::exchange(sums, {}));
    both.push_back(std::move(part));
    sums = factor::merge(std::move(both));
  }
  const Model next = factor::advance(folder.plan_with_sample(), model, *sums, run);
  for (const auto& notice : next.notices()) state.notices.push_back(notice);
  step.made = next.id();
  state.made = write_step(step, next.arrays(), *file);
  return state;
}

bool apply_shard(const std::string& plan, const std::string& fit, const Shard& shard,
                 const std::string& output, bool force, const std::string& command_line,
                 const RunOptions& run) {
  const PlanFolder folder(plan);
  const Model model = finished_fit(folder, fit);
  PartRecord part = new_part("rows", folder.id(), model.id());
  part.shard = shard;
  const std::string part_file = (fs::path(output) / part_name).string();
  const auto place = place_of_step(
      force, [&] { return is_done(output, part_file, part); },
      [&] { return std::make_unique<OutputFolder>(output, "apply", force); });
  if (!place) return false;
  OutputFolder& result = *place;
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
    part.digests.push_back(digest_of_file(result.path(name).string()));
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
  return commit_step(result, part_file, part);
}

bool is_gathered(const std::string& plan, const std::string& fit, const std::string& output) {
  if (made_from(output) != read_part(fit, "fit", PlanFolder(plan).id()).made) return false;
  clean_up_beside(fs::absolute(output));
  return true;
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
  Gathering(folder.plan(), given).write(result);
  FactorRecord record = folder.record();
  record.run.command_line = command_line;
  record.made_from = model.id();
  record.warnings = factor::warnings_about(folder.plan(), model);
  record.notices = all_notices(folder, model);
  const std::size_t M = folder.plan().views().size();
  Indices completed(M, 0), unknown(M, 0);
  for (const auto& part : given)
    for (std::size_t m = 0; m < M; ++m) {
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
