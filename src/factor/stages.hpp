#pragma once

#include "factor/gaussian.hpp"
#include "factor/regression.hpp"

namespace mkc::factor {

/// What is fixed before any sum is taken.
struct StageSettings {
  double ridge = 0.1;  // of the Gaussian
  Indices widths;      // (M) leading features of each view in the Gaussian
  Indices anchors;     // rows of the sample
  Matrix weights;      // (M, M) of the source views over their mean k_ii
  std::vector<Pattern> patterns;
  Indices skipped;  // rows of the input that are in the sample, ascending: blocks leave them out
};

/// A regression of the chain: on the features that stage `before` completes (0 = the Gaussian).
struct StageKind {
  const char* name;
  std::size_t before;
  double gamma;
};
/// Stages 1, 2, ...; stage 0 is the Gaussian.
const std::vector<StageKind>& stage_kinds();

/// The pass of moments that a stage needs, counted from 1.
Index round_of(std::size_t stage);
constexpr Index all_rounds = 3;

/// The chain of stages as far as it is fitted.
struct Stages {
  GaussianCompletion gaussian;
  std::vector<Regressions> regressions;
};

/// Features as every stage completes them, with its conditional variances (n, M).
struct StageAnswer {
  Features features;
  Matrix variance;
};
std::vector<StageAnswer> answers_of(const Stages& stages, const Rows& rows,
                                    const std::vector<Asked>& asked);

/// What is mixed: the answers of all stages with their variances, and last the average row, so that
/// a view that the others tell nothing of is not made worse than it. With weights (experts, M),
/// only what takes part in the mixture, or what a stage that does starts from.
std::vector<StageAnswer> experts_of(const Stages& stages, const Rows& rows);
std::vector<StageAnswer> experts_of(const Stages& stages, const Rows& rows, const Matrix& weights);
/// Forgets what no mixture with these weights takes.
void keep_only(Stages& stages, const Matrix& weights);
Strings expert_names(const Stages& stages);
/// The one that is taken where nothing can be compared.
Index first_expert(const Stages& stages);

/// Makes the regressions of a round ready for their sums: anchors and distances from the stages
/// before, on rows of the sample.
std::vector<Regressions> prepared_round(const StageSettings& settings, const Stages& stages,
                                        const Rows& sample, Index round);

/// Adds some rows to the sums of the prepared regressions of one round.
void add_round_sums(const Stages& stages, const std::vector<Regressions>& prepared,
                    const Rows& rows, std::vector<RegressionSums>& sums);

/// Fits the prepared regressions to sums of all rows, those of the sample included where they are
/// `counted`, and appends them.
void append_round(Stages& stages, std::vector<Regressions> prepared,
                  const std::vector<RegressionSums>& sums, const Rows& sample, bool counted,
                  int threads);

/// All rounds with rows that are all in memory.
Stages fit_in_memory(const StageSettings& settings, const Rows& rows, int threads);

}  // namespace mkc::factor
