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

// All features of the first `count` regressions.
std::vector<Asked> all_features(std::size_t count, Index n_views) {
  return {count, Asked::everything(n_views, false)};
}

// What a mixture takes from the regressions: a view of a stage where it has a weight there, and all
// features of a stage that another one starts from. Expert 0 is the Gaussian, the last the average.
std::vector<Asked> asked_by(const Matrix& weights) {
  const Index M = weights.cols();
  std::vector<Asked> asked(at(weights.rows() - 2));
  for (std::size_t k = asked.size(); k-- > 0;) {
    for (Index m = 0; m < M; ++m)
      asked[k].features.push_back(weights(static_cast<Index>(k) + 1, m) > 0);
    asked[k].variances = asked[k].features;
    for (std::size_t next = k + 1; next < asked.size(); ++next)
      if (stage_kinds()[next].before == k + 1 && asked[next].anything())
        asked[k].features.assign(at(M), true);
  }
  return asked;
}

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

std::vector<StageAnswer> answers_of(const Stages& stages, const Rows& rows,
                                    const std::vector<Asked>& asked) {
  std::vector<StageAnswer> answers(1 + stages.regressions.size());
  answers[0].features = stages.gaussian.complete(rows, &answers[0].variance);
  SharedDistances distances;
  for (std::size_t k = 0; k < stages.regressions.size(); ++k) {
    const std::size_t before = stage_kinds()[k].before;
    const Features& completed = answers[before].features;
    if (!asked[k].anything()) continue;
    answers[k + 1].features =
        complete(stages.regressions[k], rows, completed,
                 distances.to(before, stages.regressions[k].anchors, completed), asked[k],
                 answers[k + 1].variance);
  }
  return answers;
}

std::vector<StageAnswer> experts_of(const Stages& stages, const Rows& rows) {
  return experts_of(
      stages, rows,
      Matrix::Ones(static_cast<Index>(stages.regressions.size()) + 2, rows.n_views()));
}

std::vector<StageAnswer> experts_of(const Stages& stages, const Rows& rows, const Matrix& weights) {
  std::vector<StageAnswer> answers = answers_of(stages, rows, asked_by(weights));
  StageAnswer average;
  average.features = stages.gaussian.complete_with_means(rows, average.variance);
  answers.push_back(std::move(average));
  return answers;
}

void keep_only(Stages& stages, const Matrix& weights) {
  const std::vector<Asked> asked = asked_by(weights);
  for (std::size_t k = 0; k < stages.regressions.size(); ++k)
    for (std::size_t m = 0; m < asked[k].features.size(); ++m) {
      ViewRegression& view = stages.regressions[k].views[m];
      if (!asked[k].features[m]) view.coefficients.resize(0, 0);
      if (!asked[k].variances[m]) view.explained.resize(0, 0);
    }
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
  const std::vector<StageAnswer> answers =
      answers_of(stages, sample, all_features(stages.regressions.size(), sample.n_views()));
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

void add_round_sums(const Stages& stages, const std::vector<Regressions>& prepared,
                    const Rows& rows, std::vector<RegressionSums>& sums) {
  const std::vector<StageAnswer> answers =
      answers_of(stages, rows, all_features(stages.regressions.size(), rows.n_views()));
  sums.resize(prepared.size());
  SharedDistances distances;
  for (std::size_t k = 0; k < prepared.size(); ++k) {
    const std::size_t before = stage_kinds()[stages.regressions.size() + k].before;
    add_sums(prepared[k], rows, distances.to(before, prepared[k].anchors, answers[before].features),
             sums[k]);
  }
}

void append_round(Stages& stages, std::vector<Regressions> prepared,
                  const std::vector<RegressionSums>& sums, const Rows& sample, bool counted,
                  int threads) {
  const std::vector<StageAnswer> answers =
      answers_of(stages, sample, all_features(stages.regressions.size(), sample.n_views()));
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
    std::vector<RegressionSums> sums;
    add_round_sums(stages, prepared, rows, sums);
    append_round(stages, std::move(prepared), sums, rows, true, threads);
  }
  return stages;
}

}  // namespace mkc::factor
