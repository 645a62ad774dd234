#pragma once

#include <functional>
#include <string>

#include "mkc/base/types.hpp"
#include "mkc/problem/run.hpp"

/// Completion in factor form by several processes or machines, which share files and nothing else
/// (docs/distributed.md): a plan; in every round moments of all shards, and their merger; then the
/// completed rows of all shards, gathered. Every step writes its output whole or not at all, and
/// does nothing where its output is there already, so that it may be repeated after any failure, or
/// run twice at the same time. The bits of the result depend neither on the number of shards nor on
/// their order. The tool makes plans: `mkc plan`.
namespace mkc::io {

class OutputFolder;

/// One of `count` equal parts of the blocks of rows.
struct Shard {
  Index number = 1;  // counted from 1
  Index count = 1;

  bool operator==(const Shard&) const = default;
};

/// "3/7"; OptionError where it is no shard.
Shard parse_shard(const std::string& text);
std::string shard_text(const Shard& shard);

/// Where a sharded run is.
struct FitState {
  bool made = true;       // false: the output was there already
  Index rounds_done = 0;  // of moments
  Index rounds = 0;       // that the plan needs
  Strings notices;
};

struct PlanSize {
  Index rounds = 0;  // of moments
  Index blocks = 0;
  Index samples = 0;
};
PlanSize size_of_plan(const std::string& plan);

/// Sums of one shard for a round, which is the one after `fit` ("": the first). Returns whether
/// they were made. InputError where the tables are not those of the plan, or the fit is that of
/// another plan or round.
bool compute_moments(const std::string& plan, Index round, const std::string& fit,
                     const Shard& shard, const std::string& output, bool force,
                     const RunOptions& run);

/// The fit after a round, from the moments of all its shards. InputError naming the shards that are
/// missing, doubled or do not belong to this plan, version, round or fit.
FitState merge_moments(const std::string& plan, const std::string& fit, const Strings& parts,
                       const std::string& output, bool force, const RunOptions& run);

/// The completed rows of one shard as a result folder of these samples. Returns whether they were
/// made.
bool apply_shard(const std::string& plan, const std::string& fit, const Shard& shard,
                 const std::string& output, bool force, const std::string& command_line,
                 const RunOptions& run);

/// Whether the folder holds the result of this fit already.
bool is_gathered(const std::string& plan, const std::string& fit, const std::string& output);

/// The result of all samples from those of all shards. `last`: what else goes into the folder.
void gather_shards(const std::string& plan, const std::string& fit, const Strings& shards,
                   OutputFolder& folder, const std::string& command_line,
                   const std::function<void()>& last = {});

}  // namespace mkc::io
