#include "factor/stages.hpp"

#include <optional>

#include "problem/view_patterns.hpp"

namespace mkc::factor {

namespace {

const std::vector<double> ridges = {0.003, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1};

std::size_t first_stage_of(Index round) {
  std::size_t stage = 1;
  while (stage <= stage_kinds().size() && round_of(stage) < round) ++stage;
  return stage;
}

// Distances of some rows to the anchors of the regressions that start from one stage; kept while
// the next regression starts from the same stage.
class SharedDistances {
 public:
  const AnchorDistances& to(std::size_t before, const Anchors& anchors, const Features& completed) {
    if (!distances_ || before_ != before) distances_.emplace(anchors, completed);
    before_ = before;
    return *distances_;
  }

 private:
  std::optional<AnchorDistances> distances_;
  std::size_t before_ = 0;
};

}  // namespace

const std::vector<StageKind>& stage_kinds() {
  static const std::vector<StageKind> kinds = {{"regression", 0, 0.5},
                                               {"second regression", 1, 0.5},
                                               {"second regression, narrow", 1, 1.0},
                                               {"second regression, linear", 1, 0.0}};
  return kinds;
}

Index round_of(std::size_t stage) {
  return stage == 0 ? 1 : 1 + round_of(stage_kinds()[stage - 1].before);
}

std::vector<StageAnswer> answers_of(const Stages& stages, const Rows& rows, bool variances) {
  std::vector<StageAnswer> answers(1);
  const auto variance_of = [&](StageAnswer& answer) {
    return variances ? &answer.variance : nullptr;
  };
  answers[0].features = stages.gaussian.complete(rows, variance_of(answers[0]));
  SharedDistances distances;
  for (std::size_t k = 0; k < stages.regressions.size(); ++k) {
    const std::size_t before = stage_kinds()[k].before;
    const Features& completed = answers[before].features;
    StageAnswer next;
    next.features =
        complete(stages.regressions[k], rows, completed,
                 distances.to(before, stages.regressions[k].anchors, completed), variance_of(next));
    answers.push_back(std::move(next));
  }
  return answers;
}

std::vector<StageAnswer> experts_of(const Stages& stages, const Rows& rows) {
  std::vector<StageAnswer> answers = answers_of(stages, rows, true);
  StageAnswer average;
  average.features = stages.gaussian.complete_with_means(rows, average.variance);
  answers.push_back(std::move(average));
  return answers;
}

Strings expert_names(const Stages& stages) {
  Strings names = {"gaussian"};
  for (std::size_t k = 0; k < stages.regressions.size(); ++k)
    names.emplace_back(stage_kinds()[k].name);
  names.emplace_back("average row");
  return names;
}

Index first_expert(const Stages& stages) { return stages.regressions.size() < 2 ? 0 : 2; }

std::vector<Regressions> prepared_round(const StageSettings& settings, const Stages& stages,
                                        const Rows& sample, Index round) {
  const std::vector<StageAnswer> answers = answers_of(stages, sample, false);
  std::vector<Regressions> prepared;
  for (std::size_t stage = first_stage_of(round);
       stage <= stage_kinds().size() && round_of(stage) == round; ++stage) {
    const StageKind& kind = stage_kinds()[stage - 1];
    const Features& before = answers[kind.before].features;
    Regressions regressions;
    regressions.shape = {kind.gamma, ridges};
    regressions.anchors.weights = settings.weights;
    for (const Matrix& F : before)
      regressions.anchors.features.emplace_back(F(settings.anchors, Eigen::all));
    for (Index m = 0; m < sample.n_views(); ++m)
      regressions.mean_distances.push_back(mean_distance(before, settings.weights.row(m)));
    prepared.push_back(std::move(regressions));
  }
  return prepared;
}

std::vector<RegressionSums> round_sums(const Stages& stages,
                                       const std::vector<Regressions>& prepared, const Rows& rows) {
  const std::vector<StageAnswer> answers = answers_of(stages, rows, false);
  std::vector<RegressionSums> sums;
  SharedDistances distances;
  for (std::size_t k = 0; k < prepared.size(); ++k) {
    const std::size_t before = stage_kinds()[stages.regressions.size() + k].before;
    sums.push_back(sums_of(prepared[k], rows,
                           distances.to(before, prepared[k].anchors, answers[before].features)));
  }
  return sums;
}

void append_round(Stages& stages, std::vector<Regressions> prepared,
                  const std::vector<RegressionSums>& sums, const Rows& sample, bool counted,
                  int threads) {
  const std::vector<StageAnswer> answers = answers_of(stages, sample, false);
  const std::size_t first = stages.regressions.size();
  for (std::size_t k = 0; k < prepared.size(); ++k) {
    const StageKind& kind = stage_kinds()[first + k];
    fit_regressions(sums[k], sample, answers[kind.before].features, counted, threads, prepared[k]);
  }
  for (auto& regressions : prepared) stages.regressions.push_back(std::move(regressions));
}

Stages fit_in_memory(const StageSettings& settings, const Rows& rows, int threads) {
  GaussianMoments moments;
  moments.add(rows, settings.widths);
  Stages stages;
  stages.gaussian =
      GaussianCompletion(fit_gaussian(moments, settings.widths, settings.ridge), settings.patterns);
  for (Index round = 2; round <= all_rounds && rows.n_views() > 1; ++round) {
    std::vector<Regressions> prepared = prepared_round(settings, stages, rows, round);
    const std::vector<RegressionSums> sums = round_sums(stages, prepared, rows);
    append_round(stages, std::move(prepared), sums, rows, true, threads);
  }
  return stages;
}

}  // namespace mkc::factor
