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
constexpr Index copies = 4;
constexpr double fraction = 0.2;  // of the observed rows of a view that a copy hides
constexpr double pattern_spread = 0.75, rate_spread = 0.1;  // how far powers are from the defaults
constexpr double most_pattern_power = 8, most_sample_rate = 2;
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

struct TrialCopy {
  Copy copy;
  JointModel model;
  Matrix A, B;  // (N, M) errors
};

// Of the rows that both A and B hide. Precisions are those of the default power.
void add_falls(const TrialCopy& trial, std::vector<ErrorFall>& falls) {
  Patterns patterns(trial.model, default_pattern_power);
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

  for (Index m = 0; m < trial.A.cols(); ++m) {
    const auto count = [m](const Mask& has) { return static_cast<double>(has.col(m).count()); };
    const double samples = std::log(count(shown) / count(trial.model.has));
    for (Index i = 0; i < trial.A.rows(); ++i)
      if (!std::isnan(trial.A(i, m)) && !std::isnan(trial.B(i, m)))
        falls.push_back({std::log(trial.B(i, m) / trial.A(i, m)),
                         std::log(patterns[after[at(i)]].open(m) / patterns[number[at(i)]].open(m)),
                         std::log((1 + regressions.leverage(i, m)) / (1 + before(i, m))), samples});
  }
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

AdviceCalibration calibrated_on(const std::vector<ErrorFall>& falls, Index groups) {
  AdviceCalibration calibration{std::ssize(falls), default_pattern_power, default_sample_rate};
  if (falls.empty()) return calibration;
  double square = 0, open = 0, both = 0, samples = 0, open_y = 0, samples_y = 0;
  for (const ErrorFall& fall : falls) {
    const double y = fall.error - default_pattern_power * fall.open - fall.leverage / 2 +
                     default_sample_rate * fall.samples;  // what the defaults leave
    square += y * y;
    open += fall.open * fall.open;
    both -= fall.open * fall.samples;
    samples += fall.samples * fall.samples;
    open_y += fall.open * y;
    samples_y -= fall.samples * y;
  }
  // (X'X + noise diag(1 / spread^2)) (b - default, a - default)' = X'y
  const auto solved = [&](double noise) {
    const double p = open + noise / (pattern_spread * pattern_spread),
                 q = samples + noise / (rate_spread * rate_spread),
                 determinant = p * q - both * both;
    if (!(determinant > 1e-12 * p * q)) return std::pair(0.0, 0.0);
    return std::pair((q * open_y - both * samples_y) / determinant,
                     (p * samples_y - both * open_y) / determinant);
  };
  const auto [b, a] = solved(0);
  const double noise = std::max(0.0, square - b * open_y - a * samples_y) / double(groups);
  const auto [b_drawn, a_drawn] = solved(noise);
  calibration.pattern_power = std::clamp(default_pattern_power + b_drawn, 0.0, most_pattern_power);
  calibration.sample_rate = std::clamp(default_sample_rate + a_drawn, 0.0, most_sample_rate);
  return calibration;
}

AdviceCalibration calibrate(const Problem& problem, std::uint64_t seed, int threads,
                            const ProgressCallback& progress) {
  AdviceCalibration calibration{0, default_pattern_power, default_sample_rate};
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

  std::vector<ErrorFall> falls;
  for (const TrialCopy& trial : trials) add_falls(trial, falls);
  return calibrated_on(falls, copies * problem.n_views());
}

}  // namespace mkc::advice
