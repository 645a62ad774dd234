#pragma once

#include "files/factor_folder.hpp"
#include "files/joint_source.hpp"
#include "mkc/factor/steps.hpp"

namespace mkc::io {

/// Writes what the steps of a sharded run need (docs/distributed.md): plan.npz, sample.npz, which
/// merging alone needs, samples.txt, index.npy, and tables/ with copies of tables that cannot be
/// read row by row where they lie. The inputs of the record are those of the plan.
void write_plan(OutputFolder& folder, const factor::Plan& plan, const FactorRecord& record,
                const JointSource& source, int threads);

/// Names what a block holds: the names of its samples, their rows and their values. Of a kernel the
/// columns of landmarks count, which are all that moments read of it.
std::string id_of_block(const factor::Plan& plan, const JointSource& source, Index block);

/// A plan folder. Shards read the rows that they need and nothing else of the tables.
class PlanFolder {
 public:
  /// InputError where it is damaged, none, or made by another version of mkc.
  explicit PlanFolder(const std::string& path);

  const factor::Plan& plan() const { return *plan_; }
  factor::Plan plan_with_sample() const;
  const std::string& id() const { return id_; }  // of the plan, the ids and all values
  const FactorRecord& record() const { return record_; }

  /// Digest of the names of the columns of a view; "" where they have none.
  const std::string& columns_id(Index view) const { return columns_ids_[at(view)]; }

  /// The tables, with the names of the samples in some blocks. InputError where one is gone, or the
  /// rows of these blocks are not those that were planned with.
  JointSource source(Index first_block, Index last_block, int threads) const;

 private:
  struct Table {
    factor::SourceView view;
    ViewKind kind;
    std::string file;
    Indices columns;
  };

  std::string path_, id_;
  std::optional<factor::Plan> plan_;
  FactorRecord record_;
  std::vector<Table> tables_;
  Strings block_ids_, columns_ids_;
  Indices name_places_;  // of the first sample of each block in the list of samples
};

}  // namespace mkc::io
