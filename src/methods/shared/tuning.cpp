#include "methods/shared/tuning.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <fmt/format.h>

#include "base/parallel.hpp"

namespace mkc {

namespace {

constexpr Index most_samples = 300;
constexpr Index few_samples = 60;
// Errors this close are equal. The order of samples shows in the last digits of a solve, and more
// so where it stops before it has converged.
constexpr double nearly = 1e-4;

}  // namespace

ProgressCallback SharedProgress::callback(std::string phase) {
  return [this, phase = std::move(phase)](const Progress& progress) {
    if (!callback_ || stopped_) return !stopped_;
    const std::lock_guard lock(mutex_);
    Progress here = progress;
    if (!phase.empty()) {
      here.phase = phase;
      here.has_result = false;
    }
    if (!stopped_ && !callback_(here)) stopped_ = true;
    return !stopped_;
  };
}

std::string Choice::notice(const std::string& what) const {
  if (stopped) return fmt::format("{}: stopped before it was chosen", what);
  if (!made()) return fmt::format("{}: no rows could be held out to choose it", what);
  return fmt::format("{}: chosen on held-out rows, where the error is {:.3g} %", what, error);
}

TuningSet::TuningSet(const Problem& problem, std::uint64_t seed, Measure measure)
    : whole_(&problem), seed_(seed), measure_(measure) {
  if (problem.n_samples() > most_samples) part_ = subsample(problem, most_samples, seed);
  const bool few = truth().n_samples() <= few_samples;
  copies_ = few ? 12 : 2;
  share_ = few ? 0.10 : 0.15;
}

HeldOut TuningSet::copy(Index k) const {
  return hide_rows(truth(), share_, seed_ + static_cast<std::uint64_t>(k));
}

Matrix TuningSet::errors(std::size_t candidates, int threads, SharedProgress& progress,
                         const std::string& phase, const Complete& complete) const {
  return errors_of_variants(
      candidates, 1, threads, progress, phase,
      [&](const Problem& problem, std::size_t candidate, const ProgressCallback& callback) {
        return std::vector<std::vector<Matrix>>{complete(problem, candidate, callback)};
      });
}

Matrix TuningSet::errors_of_variants(std::size_t runs, std::size_t variants, int threads,
                                     SharedProgress& progress, const std::string& phase,
                                     const CompleteVariants& complete) const {
  const Index M = truth().n_views(), count = static_cast<Index>(runs);
  const Index width = static_cast<Index>(variants);
  const ProgressCallback callback = progress.callback(phase);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::atomic<Index> done = 0;
  const ProgressCallback go_on = [&](const Progress&) {
    return callback({phase, done, count * copies_, none});
  };
  // row (run * copies + copy) * variants + variant
  Matrix each =
      Matrix::Constant(count * copies_ * width, M, std::numeric_limits<double>::quiet_NaN());
  parallel_for(count * copies_, threads, [&](Index k) {
    if (!go_on({})) return;
    const HeldOut held_out = copy(k % copies_);
    if (!held_out.hides_something()) return;
    const auto kernels = complete(held_out.problem, static_cast<std::size_t>(k / copies_), go_on);
    for (Index v = 0; v < width; ++v)
      each.row(k * width + v) =
          held_out_errors(truth(), held_out, kernels[at(v)], measure_).transpose();
    ++done;
  });
  Matrix mean(count * width, M);
  for (Index c = 0; c < count * width; ++c)
    for (Index m = 0; m < M; ++m) {
      double sum = 0, n = 0;
      for (Index k = 0; k < copies_; ++k)
        if (const double error = each((c / width * copies_ + k) * width + c % width, m);
            !std::isnan(error)) {
          sum += error;
          n += 1;
        }
      mean(c, m) = n > 0 ? sum / n : std::numeric_limits<double>::quiet_NaN();
    }
  return mean;
}

std::function<double(Index n_samples, Index n_views, int threads)> bytes_with_tuning(
    double (*solve_doubles)(double N, double M)) {
  return [solve_doubles](Index n_samples, Index n_views, int threads) {
    const auto N = static_cast<double>(std::min(n_samples, most_samples));
    const auto M = static_cast<double>(n_views);
    // per thread the copy, its completion and the solve
    const double kernels = M * N * N;
    const double tuning = kernels + std::max(1, threads) * (2 * kernels + solve_doubles(N, M));
    return 8 * std::max(solve_doubles(double(n_samples), M), tuning);
  };
}

Choice best_row(const Matrix& errors, bool stopped) {
  Choice choice;
  choice.stopped = stopped;
  if (stopped) return choice;
  for (Index c = 0; c < errors.rows(); ++c) {
    double sum = 0, n = 0;
    for (Index m = 0; m < errors.cols(); ++m)
      if (!std::isnan(errors(c, m))) {
        sum += errors(c, m);
        n += 1;
      }
    if (n > 0 && !(sum / n >= choice.error * (1 - nearly))) {
      choice.best = static_cast<std::size_t>(c);
      choice.error = sum / n;
    }
  }
  return choice;
}

Choice TuningSet::choose(std::size_t candidates, int threads, SharedProgress& progress,
                         const std::string& phase, const Complete& complete) const {
  const Matrix table = errors(candidates, threads, progress, phase, complete);
  return best_row(table, progress.stopped());
}

}  // namespace mkc
