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
constexpr double hardly = 0.005;  // behind the leader by less is not behind
constexpr double none = std::numeric_limits<double>::quiet_NaN();

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

Vector Trial::mean() const {
  Vector mean(errors.cols());
  for (Index m = 0; m < mean.size(); ++m) {
    double sum = 0, n = 0;
    for (Index k = 0; k < errors.rows(); ++k)
      if (!std::isnan(errors(k, m))) {
        sum += errors(k, m);
        n += 1;
      }
    mean(m) = n == 0 ? none : dropped ? std::numeric_limits<double>::infinity() : sum / n;
  }
  return mean;
}

Matrix means_of(const std::vector<Trial>& trials) {
  Matrix means(static_cast<Index>(trials.size()), trials.empty() ? 0 : trials[0].errors.cols());
  for (std::size_t c = 0; c < trials.size(); ++c)
    means.row(static_cast<Index>(c)) = trials[c].mean().transpose();
  return means;
}

TuningSet::TuningSet(const Problem& problem, std::uint64_t seed, Measure measure)
    : whole_(&problem), measure_(measure) {
  if (problem.n_samples() > most_samples) part_ = subsample(problem, most_samples, seed);
  const bool few = truth().n_samples() <= few_samples;
  const Index copies = few ? 12 : 2;
  for (Index k = 0; k < copies; ++k)
    held_out_.push_back(
        hide_rows(truth(), few ? 0.10 : 0.15, seed + static_cast<std::uint64_t>(k)));
}

Matrix TuningSet::errors(std::size_t candidates, int threads, SharedProgress& progress,
                         const std::string& phase, const Complete& complete) const {
  return means_of(run(
      candidates, 1, {copies()}, threads, progress, phase,
      [&](const Problem& problem, std::size_t candidate, const ProgressCallback& callback) {
        return std::vector<std::vector<Matrix>>{complete(problem, candidate, callback)};
      },
      nullptr));
}

std::vector<Trial> TuningSet::race(std::size_t runs, std::size_t variants, int threads,
                                   SharedProgress& progress, const std::string& phase,
                                   const CompleteVariants& complete, const Matrix* leader) const {
  const std::vector<Index> stage_ends =
      copies() > 2 ? std::vector<Index>{copies() / 4, copies() / 2, copies()}
                   : std::vector<Index>{1, copies()};
  return run(runs, variants, stage_ends, threads, progress, phase, complete, leader);
}

std::vector<Trial> TuningSet::race(std::size_t candidates, int threads, SharedProgress& progress,
                                   const std::string& phase, const Complete& complete,
                                   const Matrix* leader) const {
  return race(
      candidates, 1, threads, progress, phase,
      [&](const Problem& problem, std::size_t candidate, const ProgressCallback& callback) {
        return std::vector<std::vector<Matrix>>{complete(problem, candidate, callback)};
      },
      leader);
}

namespace {

// Mean of the known ones among the first `copies` rows; infinity where there is none.
double mean_error(const Matrix& errors, Index copies) {
  double sum = 0, n = 0;
  for (Index k = 0; k < copies; ++k)
    for (Index m = 0; m < errors.cols(); ++m)
      if (!std::isnan(errors(k, m))) {
        sum += errors(k, m);
        n += 1;
      }
  return n > 0 ? sum / n : std::numeric_limits<double>::infinity();
}

// Whether a candidate is so far behind that more copies would hardly bring it to the front.
bool cannot_win(const Matrix& errors, const Matrix& leader, Index copies) {
  double sum = 0, squares = 0, n = 0;
  for (Index k = 0; k < copies; ++k)
    for (Index m = 0; m < errors.cols(); ++m) {
      const double behind = errors(k, m) - leader(k, m);
      if (std::isnan(behind)) continue;
      sum += behind;
      squares += behind * behind;
      n += 1;
    }
  if (n < 2) return false;
  const double mean = sum / n;
  const double standard_error = std::sqrt(std::max(0.0, squares / n - mean * mean) / (n - 1));
  return mean > 2 * standard_error && mean > hardly * mean_error(leader, copies);
}

void drop_losers(std::vector<Trial>& trials, const Matrix* leader, Index copies) {
  const Matrix* best = leader;
  double smallest = leader ? mean_error(*leader, copies) : std::numeric_limits<double>::infinity();
  for (const Trial& trial : trials)
    if (const double error = mean_error(trial.errors, copies); !trial.dropped && error < smallest) {
      smallest = error;
      best = &trial.errors;
    }
  if (best == nullptr) return;
  for (Trial& trial : trials)
    if (!trial.dropped && &trial.errors != best && cannot_win(trial.errors, *best, copies))
      trial.dropped = true;
}

}  // namespace

std::vector<Trial> TuningSet::run(std::size_t runs, std::size_t variants,
                                  const std::vector<Index>& stage_ends, int threads,
                                  SharedProgress& progress, const std::string& phase,
                                  const CompleteVariants& complete, const Matrix* leader) const {
  std::vector<Trial> trials(runs * variants, {Matrix::Constant(copies(), truth().n_views(), none)});
  const ProgressCallback callback = progress.callback(phase);
  std::atomic<Index> done = 0;
  const ProgressCallback go_on = [&](const Progress&) {
    return callback({phase, done, static_cast<Index>(runs) * copies(), none});
  };
  Index first = 0;
  for (const Index end : stage_ends) {
    std::vector<std::pair<std::size_t, Index>> tasks;  // run and copy
    for (std::size_t r = 0; r < runs; ++r) {
      const auto begin = trials.begin() + static_cast<std::ptrdiff_t>(r * variants);
      if (std::all_of(begin, begin + static_cast<std::ptrdiff_t>(variants),
                      [](const Trial& trial) { return trial.dropped; }))
        continue;
      for (Index k = first; k < end; ++k) tasks.emplace_back(r, k);
    }
    parallel_for(std::ssize(tasks), threads, [&](Index task) {
      const auto [r, k] = tasks[at(task)];
      const HeldOut& copy = held_out_[at(k)];
      if (!go_on({}) || !copy.hides_something()) return;
      const auto kernels = complete(copy.problem, r, go_on);
      for (std::size_t v = 0; v < variants; ++v)
        trials[r * variants + v].errors.row(k) =
            held_out_errors(truth(), copy, kernels[v], measure_).transpose();
      ++done;
    });
    first = end;
    if (end < copies()) drop_losers(trials, leader, end);
  }
  return trials;
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
  const auto trials = race(candidates, threads, progress, phase, complete);
  return best_row(means_of(trials), progress.stopped());
}

}  // namespace mkc
