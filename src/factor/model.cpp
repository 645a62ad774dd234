#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "factor/plan_data.hpp"
#include "mkc/base/error.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::factor {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Features of one mixture: sum_c w_c phi_c where missing, its own where observed.
Features mixed(const std::vector<StageAnswer>& answers, const Matrix& weights) {
  Features all;
  for (std::size_t m = 0; m < answers.front().features.size(); ++m) {
    Matrix F = Matrix::Zero(answers.front().features[m].rows(), answers.front().features[m].cols());
    for (std::size_t c = 0; c < answers.size(); ++c)
      if (const double w = weights(static_cast<Index>(c), static_cast<Index>(m)); w > 0)
        F += w * answers[c].features[m];
    all.push_back(std::move(F));
  }
  return all;
}

// Rows that a mixture leaves unchanged are put back, bit for bit.
void keep_observed(const Rows& rows, Features& features) {
  for (Index m = 0; m < rows.n_views(); ++m)
    for (Index i = 0; i < rows.size(); ++i)
      if (rows.has(i, m)) features[at(m)].row(i) = rows.features[at(m)].row(i);
}

std::vector<std::vector<StageAnswer>> trial_answers(const Plan::Data& plan, const Stages& stages,
                                                    int threads) {
  const PlanSample& sample = plan.sample();
  Indices judged(at(plan.judged));
  for (std::size_t i = 0; i < judged.size(); ++i) judged[i] = static_cast<Index>(i);
  std::vector<std::vector<StageAnswer>> answers;
  for (const Mask& hidden : sample.trial->hidden) {
    if (!plan.refits) {
      answers.push_back(experts_of(stages, plan.training_sample().chosen(judged)));
      continue;
    }
    Mask all = Mask::Constant(sample.rows.size(), sample.rows.n_views(), false);
    all.topRows(hidden.rows()) = hidden;
    const Rows rows = sample.rows.hiding(all);
    const Stages of_copy = fit_in_memory(plan.settings, rows, threads);
    answers.push_back(experts_of(of_copy, rows.chosen(judged)));
  }
  return answers;
}

// The mixture and its errors, and what apply() needs to know of the whole.
void finish(const Plan::Data& plan, Model::Data& model, int threads) {
  const Strings names = expert_names(model.stages);
  const PlanSample& sample = plan.sample();
  const Index M = sample.rows.n_views(), first = first_expert(model.stages);
  model.weights = Vector::Unit(std::ssize(names), first).replicate(1, M);
  if (sample.trial) {
    Judgement judgement =
        judge(*sample.trial, {names, first, trial_answers(plan, model.stages, threads)}, plan.open,
              plan.options.coverage);
    model.weights = judgement.weights;
    model.known = judgement.known;
    model.signals = std::move(judgement.signals);
    model.errors = std::move(judgement.errors);
    model.quality = std::move(judgement.quality);
    for (auto& notice : judgement.notices) model.notices.push_back(std::move(notice));
  }
  if (plan.rows == PlanRows::drawn)
    model.notices.emplace_back(
        "the errors of completed rows are not known: no row of the plan is one of data");
  keep_only(model.stages, model.weights);
  Features completed = mixed(experts_of(model.stages, sample.rows, model.weights), model.weights);
  keep_observed(sample.rows, completed);
  for (const Matrix& F : completed)
    model.second.emplace_back(linalg::gram_of_columns(F) / static_cast<double>(F.rows()));
}

void check_belongs(const Plan& plan, const Model& model) {
  if (model.data().plan_id != plan.id())
    throw InputError(
        fmt::format("the model belongs to plan {}, not to {}", model.data().plan_id, plan.id()));
}

Model closed(std::shared_ptr<Model::Data> data) {
  data->id = Model(data).arrays().word("id");
  return Model(std::move(data));
}

}  // namespace

const std::string& Model::id() const { return data_->id; }
Index Model::rounds_done() const { return data_->rounds_done; }
bool Model::finished() const { return data_->weights.size() > 0; }
const FactorQuality* Model::quality() const { return data_->known ? &data_->quality : nullptr; }
const Strings& Model::notices() const { return data_->notices; }

Model start_model(const Plan& plan) {
  auto data = std::make_shared<Model::Data>();
  data->plan_id = plan.id();
  return closed(std::move(data));
}

Model advance(const Plan& plan, const Model& model, const Moments& moments, const RunOptions& run) {
  check_belongs(plan, model);
  if (moments.model_id() != model.id() || moments.round() != model.rounds_done() + 1)
    throw InputError(
        fmt::format("the moments are of round {} of another model, or this model is "
                    "past them",
                    moments.round()));
  if (const auto missing = moments.missing_blocks(); !missing.empty())
    throw InputError(fmt::format("moments: blocks {} to {} (counted from 0) are missing",
                                 missing.front().first, missing.front().second - 1),
                     "add the shards that hold them");
  auto next = std::make_shared<Model::Data>(model.data());
  const Plan::Data& data = plan.data();
  const Rows sample = data.training_sample();
  const bool counted = data.rows != PlanRows::drawn;
  RoundSums sums = moments.data().total();
  if (!counted && (sums.gaussian.totals.empty() && sums.regressions.empty()))
    throw InputError("moments: they are sums of no row", "give those of a site that has samples");
  if (model.rounds_done() == 0) {
    GaussianMoments all;
    if (counted) all.add(sample, data.settings.widths);
    if (!sums.gaussian.totals.empty()) all.add(sums.gaussian);
    next->stages.gaussian = GaussianCompletion(
        fit_gaussian(all, data.settings.widths, data.settings.ridge), data.settings.patterns);
  } else {
    std::vector<RegressionSums> all;
    if (counted) add_round_sums(next->stages, next->prepared, sample, all);
    all.resize(next->prepared.size());
    for (std::size_t k = 0; k < sums.regressions.size(); ++k) all[k].add(sums.regressions[k]);
    append_round(next->stages, std::move(next->prepared), all, sample, counted, run.threads);
    next->prepared.clear();
  }
  ++next->rounds_done;
  if (next->rounds_done < plan.rounds())
    next->prepared = prepared_round(data.settings, next->stages, sample, next->rounds_done + 1);
  else
    finish(data, *next, run.threads);
  return closed(std::move(next));
}

Model fit(const Plan& plan, const Source& source, const RunOptions& run) {
  Model model = start_model(plan);
  while (!model.finished())
    model = advance(plan, model, moments(plan, model, source, 0, plan.n_blocks(), run), run);
  return model;
}

Rows features_of_rows(const Plan::Data& plan, const Source& source, Index first, Index count,
                      Matrix* own) {
  Rows rows;
  const Index M = source.n_views();
  rows.has.resize(count, M);
  if (own != nullptr) *own = Matrix::Zero(count, M);
  for (Index m = 0; m < M; ++m) {
    const FeatureMap& map = plan.maps[at(m)];
    Matrix X;
    Presence has;
    if (map.of_kernel())
      source.read_columns(m, first, count, map.columns, X, has);
    else
      source.read(m, first, count, X, has);
    rows.has.col(m) = has;
    Indices there;
    Strings names;
    for (Index i = 0; i < count; ++i)
      if (has(i)) there.push_back(i);
    Matrix features = Matrix::Zero(count, map.rank());
    if (!there.empty()) {
      const Matrix observed = X(there, Eigen::all);
      if (!observed.allFinite())
        for (const Index i : there) names.push_back(source.sample(first + i));
      const Points points = map.points(observed, names);
      features(there, Eigen::all) = map.features(points);
      if (own != nullptr) {
        if (map.of_kernel()) {
          Indices columns;
          for (const Index i : there) columns.push_back(first + i);
          source.read_columns(m, first, count, columns, X, has);
          for (std::size_t k = 0; k < there.size(); ++k)
            (*own)(there[k], m) = X(there[k], static_cast<Index>(k));
        } else {
          (*own)(there, m) = map.diagonal(points);
        }
      }
    }
    rows.features.push_back(std::move(features));
  }
  return rows;
}

namespace {

struct Tile {
  Rows rows;
  Matrix own;
};

void apply_tile(const Plan::Data& plan, const Model::Data& model, const ConformalErrors* conformal,
                const Tile& tile, Index offset, CompletedBlock& block) {
  const Rows& rows = tile.rows;
  const std::vector<StageAnswer> answers = experts_of(model.stages, rows, model.weights);
  Features features = mixed(answers, model.weights);
  keep_observed(rows, features);
  const auto columns = static_cast<double>(std::max<Index>(1, plan.judged));
  for (Index m = 0; m < rows.n_views(); ++m) {
    const Vector w = model.weights.col(m);
    const Matrix& S = model.second[at(m)];
    for (Index i = 0; i < rows.size(); ++i) {
      const Index row = offset + i;
      const auto phi = features[at(m)].row(i);
      block.observed(row, m) = rows.has(i, m);
      if (rows.has(i, m)) {
        block.extra(row, m) = std::max(0.0, tile.own(i, m) - phi.squaredNorm());
        continue;
      }
      double variance = plan.open(m), squares = 0;
      for (Index c = 0; c < w.size(); ++c)
        if (w(c) > 0) {
          variance += w(c) * answers[at(c)].variance(i, m);
          if (conformal == nullptr) continue;
          const auto one = answers[at(c)].features[at(m)].row(i);
          squares += w(c) * (one * S).dot(one);
        }
      block.extra(row, m) = block.variance(row, m) = variance;
      if (conformal == nullptr) continue;
      RowSignals signals{m, row, rows.has.row(i).count(), 0, 0};
      if (const double square = (phi * S).dot(phi); square > 0) {
        signals.spread = spread_of(squares, square);
        signals.variance = variance / (columns * square);
      }
      const ErrorEstimate estimate = conformal->estimate(signals);
      block.error(row, m) = estimate.error;
      block.low(row, m) = estimate.low;
      block.high(row, m) = estimate.high;
    }
    block.features[at(m)].middleRows(offset, rows.size()) = features[at(m)];
  }
}

}  // namespace

CompletedBlock apply(const Plan& plan, const Model& model, const Source& source, Index block) {
  return complete_rows(plan, model, source, plan.first_row(block), plan.rows_of(block));
}

CompletedBlock complete_rows(const Plan& plan, const Model& model, const Source& source,
                             Index first_row, Index count) {
  constexpr Index tile = 2048;
  check_belongs(plan, model);
  if (!model.finished()) throw InputError("apply: the model is not finished");
  const Plan::Data& data = plan.data();
  const Index M = plan.n_views();
  CompletedBlock completed;
  completed.first = first_row;
  completed.observed.resize(count, M);
  for (const FeatureMap& map : data.maps) completed.features.emplace_back(count, map.rank());
  completed.extra = completed.variance = Matrix::Zero(count, M);
  completed.error = completed.low = completed.high = Matrix::Constant(count, M, nan);
  std::optional<ConformalErrors> conformal;
  if (model.data().known)
    conformal.emplace(model.data().signals, model.data().errors, M, data.options.coverage,
                      interval_margin(std::ssize(data.sample_rows)));
  for (Index first = 0; first < count; first += tile) {
    Tile one;
    one.rows = features_of_rows(data, source, completed.first + first,
                                std::min(tile, count - first), &one.own);
    apply_tile(data, model.data(), conformal ? &*conformal : nullptr, one, first, completed);
  }
  return completed;
}

}  // namespace mkc::factor
