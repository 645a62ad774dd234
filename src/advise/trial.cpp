#include "advise/trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "advise/regressions.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "mkc/base/error.hpp"
#include "mkc/complete.hpp"
#include "mkc/problem/hiding.hpp"
#include "mkc/problem/metrics.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::advice {

namespace {

constexpr Index most_samples = 300;
constexpr Index copies = 3;
constexpr double fraction = 0.2;  // of the observed rows of a view that a copy hides
constexpr double most_power = 8;
constexpr double prior_rows = 20;  // weight of the defaults, in hidden rows of usual variation
// Fast, without options to choose; any method that uses the other views would do.
constexpr const char* method =
    "transfer,gamma=0.5,ridge=0.02,intercept=yes,weights=loo,sources=all,target=kernel,"
    "diagonal=none";

struct Copy {
  HeldOut all, half;  // A and B
};

// B shows every second hidden pair again, by the hash of its names.
Copy copy_of(const Problem& problem, std::uint64_t seed) {
  HeldOut all = hide_rows(problem, fraction, seed);
  Mask hidden = Mask::Constant(problem.n_samples(), problem.n_views(), false);
  for (Index m = 0; m < problem.n_views(); ++m)
    for (const Index i : all.hidden[at(m)])
      hidden(i, m) = Random(seed, problem.samples()[at(i)], problem.view(m).name).uniform() < 0.5;
  HeldOut half = hide_pairs(problem, hidden);
  return {std::move(all), std::move(half)};
}

void tell(const ProgressCallback& progress, double share) {
  if (progress && !progress({.phase = "calibrating on hidden rows", .share = share}))
    throw InterruptedError("interrupted while calibrating");
}

// Relative errors of the hidden rows over the samples that `truth` observes (N, M); NaN elsewhere.
Matrix errors_of(const Problem& truth, const HeldOut& copy, std::uint64_t seed) {
  RunOptions run;
  run.seed = seed;
  const Completion completion = complete(copy.problem, method, run);
  Matrix errors = Matrix::Constant(truth.n_samples(), truth.n_views(),
                                   std::numeric_limits<double>::quiet_NaN());
  for (Index m = 0; m < truth.n_views(); ++m) {
    const Indices& I = truth.view(m).rows;
    const Matrix K = completion.kernels[at(m)](I, I);
    const Vector e = relative_row_errors(truth.view(m).block, K, hidden_positions(truth, copy, m));
    for (Index k = 0; k < e.size(); ++k)
      if (e(k) > 0) errors(copy.hidden[at(m)][at(k)], m) = e(k);  // not NaN, has a logarithm
  }
  return errors;
}

// Sums of a regression through the views' own means.
struct Slope {
  double xy = 0, xx = 0;
  Index rows = 0;

  void add(const std::vector<std::vector<std::pair<double, double>>>& points) {
    for (const auto& view : points) {
      double x = 0, y = 0;
      for (const auto& [a, b] : view) {
        x += a;
        y += b;
      }
      const auto n = static_cast<double>(view.size());
      for (const auto& [a, b] : view) {
        xy += (a - x / n) * (b - y / n);
        xx += (a - x / n) * (a - x / n);
        ++rows;
      }
    }
  }
  double value() const {
    if (rows == 0) return default_pattern_power;
    const double prior = xx * prior_rows / static_cast<double>(rows);
    if (!(xx > 1e-12)) return default_pattern_power;
    return std::clamp((xy + prior * default_pattern_power) / (xx + prior), 0.0, most_power);
  }
};

struct TrialCopy {
  Copy copy;
  JointModel model;
  Matrix A, B;  // (N, M) errors
};

// log error against log V of the rows hidden in A, per view.
void add_points(const TrialCopy& trial, Slope& slope) {
  Patterns patterns(trial.model, 1);
  const Indices number = patterns_of(trial.model, patterns);
  std::vector<std::vector<std::pair<double, double>>> points(at(trial.A.cols()));
  for (Index m = 0; m < trial.A.cols(); ++m)
    for (Index i = 0; i < trial.A.rows(); ++i)
      if (!std::isnan(trial.A(i, m)))
        points[at(m)].emplace_back(std::log(patterns[number[at(i)]].open(m)),
                                   std::log(trial.A(i, m)));
  slope.add(points);
}

// What the samples shown again in B did to rows that both hide: logs, weighted by rows.
struct Effect {
  double realised = 0, expected = 0, rows = 0;
};

void add_effect(const TrialCopy& trial, double power, Effect& effect) {
  Patterns patterns(trial.model, power);
  const Indices number = patterns_of(trial.model, patterns);
  Regressions regressions(trial.model, patterns, number, 1);
  const Matrix before = regressions.leverages();
  const Mask& shown = trial.copy.half.problem.observed();
  Indices after = number;
  for (Index m = 0; m < trial.A.cols(); ++m)
    for (const Index i : trial.copy.all.hidden[at(m)])
      if (shown(i, m)) after[at(i)] = patterns.with(after[at(i)], m);
  for (Index i = 0; i < trial.A.rows(); ++i)
    for (Index m = 0; m < trial.A.cols(); ++m) {
      if (!shown(i, m)) continue;
      const double now = regressions.precision(m, after[at(i)], patterns);
      const bool had = trial.model.has(i, m);
      regressions.add(m, i, now - (had ? regressions.precision(m, number[at(i)], patterns) : 0));
    }
  regressions.refresh(1);

  double sum_A = 0, sum_B = 0, logs = 0, rows = 0;
  for (Index m = 0; m < trial.A.cols(); ++m)
    for (Index i = 0; i < trial.A.rows(); ++i) {
      if (std::isnan(trial.A(i, m)) || std::isnan(trial.B(i, m))) continue;
      const double pattern =
          std::pow(patterns[after[at(i)]].open(m) / patterns[number[at(i)]].open(m), power);
      sum_A += trial.A(i, m) * pattern;
      sum_B += trial.B(i, m);
      logs +=
          trial.A(i, m) * pattern * std::log((1 + regressions.leverage(i, m)) / (1 + before(i, m)));
      rows += 1;
    }
  if (rows == 0 || !(sum_A > 0) || !(sum_B > 0)) return;
  effect.realised += rows * std::log(sum_B / sum_A);
  effect.expected += rows * logs / sum_A;
  effect.rows += rows;
}

double sample_power_of(const Effect& effect) {
  if (effect.rows == 0 || effect.expected > -1e-9) return default_sample_power;
  // as many rows with the effect that the default expects
  const double prior = effect.expected * prior_rows / effect.rows;
  return std::clamp((effect.realised + prior * default_sample_power) / (effect.expected + prior),
                    0.0, most_power);
}

}  // namespace

// At least most_samples, so that calibrate() takes its part by its own rule.
Problem part_for_trial(const CompletedFactors& completed) {
  Indices all(completed.samples.size());
  std::iota(all.begin(), all.end(), 0);
  const Indices some = rows_by_hash(completed.samples, all, 2 * at(most_samples), "advice");
  Strings samples;
  for (const Index i : some) samples.push_back(completed.samples[at(i)]);
  std::vector<ObservedKernel> views;
  for (std::size_t m = 0; m < completed.views.size(); ++m) {
    ObservedKernel view{completed.views[m], {}, {}, ""};
    Indices rows;
    for (std::size_t k = 0; k < some.size(); ++k)
      if (completed.observed(some[k], static_cast<Index>(m))) {
        view.rows.push_back(static_cast<Index>(k));
        rows.push_back(some[k]);
      }
    const Matrix F = completed.features[m](rows, Eigen::all);
    view.block = Matrix(linalg::gram_of_rows(F));
    views.push_back(std::move(view));
  }
  ProblemChecks checks;
  checks.psd = PsdPolicy::unchecked;  // F F'
  return Problem(std::move(samples), std::move(views), checks);
}

AdviceCalibration calibrate(const Problem& problem, std::uint64_t seed, int threads,
                            const ProgressCallback& progress) {
  AdviceCalibration calibration{0, default_pattern_power, default_sample_power};
  if (problem.n_views() < 2) return calibration;
  const Problem part = subsample(problem, most_samples, seed);
  std::vector<TrialCopy> trials;
  for (Index c = 0; c < copies; ++c) {
    Copy copy = copy_of(part, Random(seed, fmt::format("advice {}", c)).next());
    if (!copy.all.hides_something()) return calibration;
    JointModel model = joint_model(copy.all.problem, threads);
    trials.push_back({std::move(copy), std::move(model), {}, {}});
  }
  tell(progress, 0);
  parallel_for(2 * copies, threads, [&](Index job) {
    TrialCopy& trial = trials[at(job / 2)];
    (job % 2 == 0 ? trial.A : trial.B) =
        errors_of(part, job % 2 == 0 ? trial.copy.all : trial.copy.half, seed);
  });
  tell(progress, 1);

  Slope slope;
  for (const TrialCopy& trial : trials) add_points(trial, slope);
  calibration.rows = slope.rows;
  calibration.pattern_power = slope.value();
  Effect effect;
  for (const TrialCopy& trial : trials) add_effect(trial, calibration.pattern_power, effect);
  calibration.sample_power = sample_power_of(effect);
  return calibration;
}

}  // namespace mkc::advice
