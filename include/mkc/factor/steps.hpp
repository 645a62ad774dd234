#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "mkc/factor/arrays.hpp"
#include "mkc/factor/completed_block.hpp"
#include "mkc/factor/factor_options.hpp"
#include "mkc/factor/source.hpp"
#include "mkc/problem/run.hpp"

/// Completion in factor form, step by step: plan, then in every round moments of all blocks and a
/// better model, then completed blocks. Each step is a function of what it is given: who computed
/// which block, in what order and on how many threads never changes a bit. Plans, moments and
/// models do not change and are cheap to copy.
namespace mkc::factor {

/// What the rows of a plan's source are: rows that are completed; or rows that everyone may see,
/// while other sources are completed with the plan: rows of public data, which count as data, or
/// rows drawn at random, which do not.
enum class PlanRows { own, open, drawn };

/// Maps of features, the sample with its features, the rows hidden for measuring, the grid of
/// blocks.
class Plan {
 public:
  /// Without its sample, which advance() needs and nothing else.
  static Plan from(Arrays arrays);
  Arrays arrays() const;
  Plan with_sample(Arrays sample) const;  // InputError where it is that of another plan
  Arrays sample_arrays() const;

  const std::string& id() const;  // of its content
  Index n_samples() const;
  Index n_views() const;
  Index n_blocks() const;  // of `block` rows; the last may have fewer
  Index rounds() const;    // passes of moments
  Index first_row(Index block) const;
  Index rows_of(Index block) const;      // how many rows it has
  const FactorOptions& options() const;  // rank, landmarks and anchors as chosen
  const std::vector<ViewSummary>& views() const;
  const Strings& notices() const;
  bool is_shared() const;       // PlanRows::open or drawn
  const Indices& rows() const;  // of the source, those that the plan was made on, ascending

  /// A shared plan for `count` samples of another source, of which each view has `observed`; it has
  /// the same id.
  Plan for_samples(Index count, const Indices& observed) const;

  /// The same plan for its samples without `gone`, ascending; `observed`: per view, how many are
  /// left. InputError where one of them is in rows().
  Plan without(const Indices& gone, const Indices& observed) const;

  struct Data;
  explicit Plan(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// What is fitted so far.
class Model {
 public:
  static Model from(const Plan& plan, Arrays arrays);
  Arrays arrays() const;

  const std::string& id() const;  // of its content
  Index rounds_done() const;
  bool finished() const;
  /// What hidden rows say, once it is finished; nullptr where no row could be hidden.
  const FactorQuality* quality() const;
  const Strings& notices() const;

  struct Data;
  explicit Model(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// Sums of one round over some blocks, kept as nodes of one binary tree over all blocks.
class Moments {
 public:
  static Moments from(Arrays arrays);
  Arrays arrays() const;

  const std::string& plan_id() const;
  const std::string& model_id() const;
  Index round() const;
  /// Ranges [first, last) of blocks that are not in it.
  std::vector<std::pair<Index, Index>> missing_blocks() const;
  /// All that is in it, as block `block` of `count`: what one source adds to the sums of several.
  Moments as_block(Index block, Index count) const;

  struct Data;
  explicit Moments(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// Reads which rows are there, and the values of a sample of them. InputError naming view and
/// sample where a value cannot be used.
Plan make_plan(const Source& source, const FactorOptions& options, const RunOptions& run,
               PlanRows rows = PlanRows::own);

/// The model before any round.
Model start_model(const Plan& plan);

/// Sums of round model.rounds_done() + 1 over blocks first, ..., last - 1, on run.threads threads.
Moments moments(const Plan& plan, const Model& model, const Source& source, Index first, Index last,
                const RunOptions& run);

/// Parts of one round, in any order. InputError where they overlap or do not belong together.
Moments merge(std::vector<Moments> parts);

/// The model after a round. InputError where blocks are missing.
Model advance(const Plan& plan, const Model& model, const Moments& moments, const RunOptions& run);

/// Rows of any source with the views of the plan, such as new samples, completed by a finished
/// model, on one thread. Views that the plan has as kernels must be missing there.
CompletedBlock complete_rows(const Plan& plan, const Model& model, const Source& source,
                             Index first, Index count);

/// A block of the samples of the plan; several calls may run at once.
CompletedBlock apply(const Plan& plan, const Model& model, const Source& source, Index block);

/// All steps: the model of all samples.
Model fit(const Plan& plan, const Source& source, const RunOptions& run);

}  // namespace mkc::factor
