#include "mkc/predict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "api/regression.hpp"
#include "base/names.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "methods/shared/conditional.hpp"
#include "mkc/base/error.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "problem/view_patterns.hpp"
#include "select/conformal.hpp"

namespace mkc {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double extension_ridge = 1e-6;  // K_IT lies in the range of K_II, so little is enough
constexpr double same_value = 1e-8;       // relative to the largest entry: the same sample
constexpr double constant_diagonal = 1e-9;

void check_new_views(const TrainedModel& model, const Strings& new_samples,
                     const std::vector<NewView>& views) {
  if (static_cast<Index>(views.size()) != model.n_views())
    throw InputError(fmt::format("{} views for a model of {}", views.size(), model.n_views()));
  std::vector<bool> known(new_samples.size());
  for (std::size_t m = 0; m < views.size(); ++m) {
    const NewView& view = views[m];
    const auto& trained = model.views[m];
    const auto count = static_cast<Index>(view.which.size());
    if (view.rows.rows() != count || view.diagonal.size() != count)
      throw InputError(fmt::format("view '{}': {} samples, but {} rows and {} diagonal values",
                                   trained.name, count, view.rows.rows(), view.diagonal.size()));
    if (count > 0 && view.rows.cols() != static_cast<Index>(trained.rows.size()))
      throw InputError(
          fmt::format("view '{}': kernel rows have {} columns, but {} training samples have it",
                      trained.name, view.rows.cols(), trained.rows.size()));
    for (Index i = 0; i < count; ++i) {
      if (!view.rows.row(i).allFinite())
        throw InputError(fmt::format("view '{}': sample '{}' has a value that is not a number",
                                     trained.name, new_samples[at(view.which[at(i)])]));
      known[at(view.which[at(i)])] = true;
    }
  }
  for (std::size_t x = 0; x < new_samples.size(); ++x)
    if (!known[x])
      throw InputError(fmt::format("new sample '{}' has none of the model's views", new_samples[x]),
                       "leave it out: a prediction needs at least one view");
}

Indices lacking(const TrainedModel& model, const TrainedView& view) {
  Indices rest;
  for (Index i = 0; i < model.n_samples(); ++i)
    if (!has_sample(view, i)) rest.push_back(i);
  return rest;
}

// Rows at every training sample: those given, and K^_TI (K_II + lambda I)^-1 k_I.
Matrix extended_rows(const TrainedModel& model, const TrainedView& view, const Matrix& given) {
  const Indices &I = view.rows, T = lacking(model, view);
  Matrix rows(given.rows(), model.n_samples());
  for (std::size_t i = 0; i < I.size(); ++i) rows.col(I[i]) = given.col(static_cast<Index>(i));
  if (T.empty()) return rows;
  const Matrix K_II = submatrix(view.kernel, I, I);
  const Matrix W =
      linalg::multiply(ridge_inverse(K_II, extension_ridge * std::max(K_II.diagonal().mean(), 0.0)),
                       submatrix(view.kernel, I, T));
  const Matrix rest = linalg::multiply(given, W);
  for (std::size_t t = 0; t < T.size(); ++t) rows.col(T[t]) = rest.col(static_cast<Index>(t));
  return rows;
}

// The diagonal a view has wherever it was observed, or nothing where it varies.
std::optional<double> usual_diagonal(const TrainedView& view) {
  const double first = view.kernel(view.rows[0], view.rows[0]);
  for (const Index i : view.rows)
    if (std::abs(view.kernel(i, i) - first) > constant_diagonal * std::abs(first)) return {};
  return first;
}

/// One view to predict for the new samples that have the same others.
struct Task {
  Index view;
  Indices sources, samples;
};

std::vector<Task> tasks_of(const Mask& observed) {
  std::vector<Task> tasks;
  for (const auto& [has, samples] : view_patterns(observed)) {
    Indices sources;
    for (Index l = 0; l < observed.cols(); ++l)
      if (has[at(l)]) sources.push_back(l);
    for (Index m = 0; m < observed.cols(); ++m)
      if (!has[at(m)]) tasks.push_back({m, sources, samples});
  }
  return tasks;
}

double relative(double variance, double length) {
  return length > 0 ? variance / (length * length) : 0;
}

// Intervals from the training rows left out of the regression.
ConformalErrors calibrated_on_training_rows(const ViewRegression& regression, double coverage) {
  const LeftOut& left_out = regression.left_out();
  std::vector<RowSignals> signals;
  std::vector<double> errors;
  for (const Index i : regression.measured()) {
    if (std::isnan(left_out.errors(i))) continue;
    signals.push_back(
        {.sample = i, .variance = relative(left_out.variance(i), left_out.lengths(i))});
    errors.push_back(left_out.errors(i));
  }
  if (errors.empty()) {
    signals.emplace_back();
    errors.push_back(0);
  }
  const Vector known = Eigen::Map<const Vector>(errors.data(), static_cast<Index>(errors.size()));
  return ConformalErrors(signals, known, 1, coverage);
}

void run_task(const TrainedModel& model, const Task& task, const PredictOptions& options,
              Prediction& prediction, Matrix& calibration) {
  const ViewRegression regression(model, task.view, task.sources);
  std::vector<Matrix> rows;
  Matrix own(static_cast<Index>(task.samples.size()), static_cast<Index>(task.sources.size()));
  for (std::size_t k = 0; k < task.sources.size(); ++k) {
    const Index l = task.sources[k];
    rows.push_back(prediction.rows[at(l)](task.samples, Eigen::all));
    own.col(static_cast<Index>(k)) = prediction.diagonals(task.samples, l);
  }
  const auto predicted = regression.predict(rows, own);
  const ConformalErrors intervals = calibrated_on_training_rows(regression, options.coverage);
  const auto usual = usual_diagonal(model.views[at(task.view)]);
  for (std::size_t k = 0; k < task.samples.size(); ++k) {
    const Index x = task.samples[k], i = static_cast<Index>(k), m = task.view;
    prediction.rows[at(m)].row(x) = predicted.rows.row(i);
    prediction.diagonals(x, m) = usual ? *usual : predicted.own(i);
    const ErrorEstimate estimate =
        intervals.estimate({.variance = relative(predicted.variance(i), predicted.lengths(i))});
    prediction.quality.error(x, m) = estimate.error;
    prediction.quality.low(x, m) = estimate.low;
    prediction.quality.high(x, m) = estimate.high;
  }
  for (const Index i : regression.measured())
    if (!std::isnan(regression.left_out().errors(i))) {
      calibration(task.view, 0) += regression.left_out().errors(i);
      calibration(task.view, 1) += 1;
    }
}

// The row of a view that the sample had in training: nothing is estimated.
void own_row_is_exact(std::size_t x, std::size_t m, Prediction& prediction) {
  const auto row = static_cast<Index>(x), view = static_cast<Index>(m);
  if (prediction.observed(row, view)) return;
  prediction.quality.error(row, view) = prediction.quality.low(row, view) =
      prediction.quality.high(row, view) = 0;
}

// Whether new sample x has the values of training sample t in every view given.
bool has_same_values(const TrainedModel& model, const std::vector<NewView>& views, Index x,
                     Index t) {
  for (std::size_t m = 0; m < views.size(); ++m) {
    const Indices& which = views[m].which;
    const auto place = std::lower_bound(which.begin(), which.end(), x);
    if (place == which.end() || *place != x) continue;
    const TrainedView& view = model.views[m];
    if (!has_sample(view, t)) return false;
    const Index given = place - which.begin();
    const double largest = view.kernel.diagonal().cwiseAbs().maxCoeff();
    for (std::size_t i = 0; i < view.rows.size(); ++i)
      if (!(std::abs(views[m].rows(given, static_cast<Index>(i)) - view.kernel(t, view.rows[i])) <=
            same_value * largest))
        return false;
  }
  return true;
}

// Rows of new samples that are training samples with the same values: their own.
void give_own_rows(const TrainedModel& model, const Strings& new_samples,
                   const std::vector<NewView>& views, Prediction& prediction) {
  const Places training = places_of(model.samples);
  Index others = 0;
  std::string example;
  for (std::size_t x = 0; x < new_samples.size(); ++x) {
    const auto found = training.find(new_samples[x]);
    if (found == training.end()) continue;
    const Index t = found->second;
    if (!has_same_values(model, views, static_cast<Index>(x), t)) {
      ++others;
      if (example.empty()) example = new_samples[x];
      continue;
    }
    for (std::size_t m = 0; m < views.size(); ++m) {
      prediction.rows[m].row(static_cast<Index>(x)) = model.views[m].kernel.row(t);
      prediction.diagonals(static_cast<Index>(x), static_cast<Index>(m)) =
          model.views[m].kernel(t, t);
      if (has_sample(model.views[m], t)) own_row_is_exact(x, m, prediction);
    }
  }
  if (others > 0)
    prediction.notices.push_back(
        fmt::format("{} new sample(s), such as '{}', have the name of a training sample but other "
                    "values: taken as new",
                    others, example));
}

Prediction nothing_predicted(const TrainedModel& model, Index count, double coverage) {
  const Index M = model.n_views();
  Prediction prediction;
  prediction.observed = Mask::Constant(count, M, false);
  prediction.diagonals = Matrix::Constant(count, M, nan);
  prediction.rows.assign(at(M), Matrix::Constant(count, model.n_samples(), nan));
  Quality& quality = prediction.quality;
  quality.error = quality.low = quality.high = Matrix::Constant(count, M, nan);
  quality.coverage = coverage;
  return prediction;
}

// Which samples have view m, and their k(x, x).
void take_given(const TrainedModel& model, const NewView& given, Index m, Prediction& prediction) {
  const TrainedView& view = model.views[at(m)];
  const auto usual = usual_diagonal(view);
  Index unknown = 0;
  for (std::size_t i = 0; i < given.which.size(); ++i) {
    const Index x = given.which[i];
    prediction.observed(x, m) = true;
    double own = given.diagonal(static_cast<Index>(i));
    if (std::isnan(own)) {
      own = usual ? *usual : mean_diagonal(view);
      if (!usual) ++unknown;
    }
    prediction.diagonals(x, m) = own;
  }
  if (unknown > 0)
    prediction.notices.push_back(fmt::format(
        "view '{}': k(x, x) of {} new sample(s) is not given and not the same for all training "
        "samples; their mean is taken",
        view.name, unknown));
}

// Every row is a number, or nothing is returned.
void check_predicted(const TrainedModel& model, const Strings& new_samples,
                     const Prediction& prediction) {
  for (std::size_t m = 0; m < prediction.rows.size(); ++m)
    for (Index x = 0; x < prediction.rows[m].rows(); ++x)
      if (!prediction.rows[m].row(x).allFinite() ||
          !std::isfinite(prediction.diagonals(x, static_cast<Index>(m))))
        throw InputError(
            fmt::format("view '{}': the prediction for sample '{}' is not a finite number",
                        shown(model.views[m].name), shown(new_samples[at(x)])),
            "the model may be damaged, or the sample's values far outside those of training: "
            "check both");
}

}  // namespace

TrainedModel trained_model(const Problem& problem, const Completion& completion) {
  TrainedModel model{problem.samples(), {}};
  for (Index m = 0; m < problem.n_views(); ++m)
    model.views.push_back({problem.view(m).name, problem.view(m).rows, completion.kernels[at(m)]});
  return model;
}

Prediction predict(const TrainedModel& model, const Strings& new_samples,
                   const std::vector<NewView>& views, const PredictOptions& options) {
  check_new_views(model, new_samples, views);
  const Index M = model.n_views();
  Prediction prediction =
      nothing_predicted(model, static_cast<Index>(new_samples.size()), options.coverage);
  parallel_for(M, options.threads, [&](Index m) {
    const NewView& given = views[at(m)];
    if (given.which.empty()) return;
    const TrainedView& view = model.views[at(m)];
    prediction.rows[at(m)](given.which, Eigen::all) = extended_rows(model, view, given.rows);
  });
  for (Index m = 0; m < M; ++m) take_given(model, views[at(m)], m, prediction);

  const std::vector<Task> tasks = tasks_of(prediction.observed);
  std::vector<Matrix> calibrations(tasks.size(), Matrix::Zero(M, 2));
  parallel_for(static_cast<Index>(tasks.size()), options.threads, [&](Index k) {
    run_task(model, tasks[at(k)], options, prediction, calibrations[at(k)]);
  });
  Matrix calibration = Matrix::Zero(M, 2);
  for (const auto& one : calibrations) calibration += one;
  prediction.quality.hidden_rows = static_cast<Index>(calibration.col(1).sum());
  prediction.quality.held_out_errors =
      (calibration.col(1).array() > 0)
          .select(calibration.col(0).array() / calibration.col(1).array(), nan);
  give_own_rows(model, new_samples, views, prediction);
  check_predicted(model, new_samples, prediction);
  return prediction;
}

}  // namespace mkc
