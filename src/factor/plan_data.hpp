#pragma once

#include <optional>

#include "factor/feature_map.hpp"
#include "factor/judge.hpp"
#include "mkc/factor/steps.hpp"

namespace mkc::factor {

/// What merging alone needs of a plan: the sample on which its stages are learnt and judged.
struct PlanSample {
  Rows rows;                   // features
  std::optional<Trial> trial;  // none: nothing is missing, or nothing can be hidden

  /// The rows without what the trial hides for good: rows that no model has ever seen.
  Rows training(bool refits) const;
};
Arrays arrays_of(const PlanSample& sample);

struct Plan::Data {
  FactorOptions options;  // nothing automatic
  std::uint64_t seed = 0;
  Index n_samples = 0;
  PlanRows rows = PlanRows::own;
  bool whole = false;   // all samples are in the sample: no moments of blocks are needed
  bool refits = false;  // everything is fitted again without the hidden rows; else they stay hidden
  std::vector<ViewSummary> views;
  std::vector<FeatureMap> maps;
  Indices sample_rows;  // of the input, in the order of the sample
  std::string sample_id;
  Index judged = 0;                                // samples of the trial; 0: there is none
  std::shared_ptr<const PlanSample> known_sample;  // none: it was not read
  Vector open;                                     // (M) mean k_ii - |phi|^2
  StageSettings settings;
  Strings notices;
  std::string id;

  const PlanSample& sample() const;
  Rows training_sample() const { return sample().training(refits); }
};

struct Model::Data {
  std::string plan_id;
  Index rounds_done = 0;
  Stages stages;
  std::vector<Regressions> prepared;  // for the next round
  // Of a finished model:
  Matrix weights;              // (experts, M)
  std::vector<Matrix> second;  // per view (r, r): mean phi phi' of completed features
  bool known = false;          // whether errors can be estimated
  std::vector<RowSignals> signals;
  Vector errors;
  FactorQuality quality;
  Strings notices;
  std::string id;
};

/// Sums of one round: of the first, or of the regressions of a later one.
struct RoundSums {
  GaussianMoments gaussian;
  std::vector<RegressionSums> regressions;

  void add(const RoundSums& other);
};

/// (level, first): the sum over blocks first, ..., first + 2^level - 1, first a multiple of
/// 2^level.
using Node = std::pair<Index, Index>;

struct Moments::Data {
  std::string plan_id, model_id;
  Index round = 0;
  Index n_blocks = 0;
  std::map<Node, std::shared_ptr<const RoundSums>> nodes;

  /// Adds a node and joins neighbours as long as there are some. InputError where a block is there
  /// already.
  void add(Node node, std::shared_ptr<const RoundSums> sums);
  /// The sum of all, node after node; all blocks must be there.
  RoundSums total() const;
};

/// The plan with its id.
Plan named(std::shared_ptr<Plan::Data> data);

/// Rows of the input as features.
Rows features_of_rows(const Plan::Data& plan, const Source& source, Index first, Index count,
                      Matrix* own = nullptr);

}  // namespace mkc::factor
