#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>

#include "mkc/base/options.hpp"
#include "mkc/problem/hiding.hpp"
#include "mkc/problem/run.hpp"

/// The one way in which methods choose options that were left open (`auto`): every candidate
/// completes rows that were hidden on top, and the one with the smallest error there is taken.
namespace mkc {

/// The caller's callback for solves on several threads: one thread calls it at a time, all obey it,
/// and a request to stop stays in force. The RunOptions must outlive it.
class SharedProgress {
 public:
  explicit SharedProgress(const RunOptions& run) : callback_(run.progress) {}

  bool stopped() const { return stopped_; }

  /// What a solver calls. `phase`, where not empty, replaces the solver's own: then the solver does
  /// part of the work only, and what it has is no result yet. The SharedProgress must outlive it.
  ProgressCallback callback(std::string phase = {});

 private:
  const ProgressCallback& callback_;
  std::mutex mutex_;
  std::atomic<bool> stopped_ = false;
};

/// A choice among candidates, or why there is none.
struct Choice {
  std::size_t best = 0;
  double error = std::numeric_limits<double>::quiet_NaN();  // mean on held-out rows, in percent
  bool stopped = false;                                     // by the caller, before all were tried

  bool made() const { return !stopped && error == error; }

  /// "c = 0.1: chosen on held-out rows, where the error is 7.2 %", or why it was not chosen.
  std::string notice(const std::string& what) const;
};

/// A candidate of a race: its errors in percent, and whether it was given up before the last copy.
struct Trial {
  Matrix errors;  // (copies, M) NaN = nothing could be hidden, or not tried
  bool dropped = false;

  /// Mean over the copies per view (M), NaN in views where nothing could be hidden; infinity where
  /// the candidate was dropped.
  Vector mean() const;
};

/// The table of their means, one row per trial.
Matrix means_of(const std::vector<Trial>& trials);

/// Held-out copies of a problem on which options are compared: at most 300 samples of it, two
/// copies with 15 % of each view's rows hidden; twelve with 10 % where there are 60 samples or
/// fewer, since a choice made on very few rows is random.
class TuningSet {
 public:
  /// Completed kernels of `problem` with candidate number `candidate`.
  using Complete = std::function<std::vector<Matrix>(const Problem& problem, std::size_t candidate,
                                                     const ProgressCallback& progress)>;

  /// The problem must outlive the set.
  TuningSet(const Problem& problem, std::uint64_t seed, Measure measure = Measure::are);

  /// Mean error in percent of every candidate (row) in every view (column), NaN in views where
  /// nothing could be hidden. Candidates and copies run in parallel.
  Matrix errors(std::size_t candidates, int threads, SharedProgress& progress,
                const std::string& phase, const Complete& complete) const;

  /// Several candidates from one run, where most of the work is shared: kernels[variant][view].
  using CompleteVariants = std::function<std::vector<std::vector<Matrix>>(
      const Problem& problem, std::size_t run, const ProgressCallback& progress)>;

  /// A race: all candidates on a few copies, then those that may still win on further ones. One is
  /// dropped where it is behind the leader by more than two standard errors of the difference,
  /// taken over views and copies, and by more than 0.5 %. Trial run * variants + variant belongs to
  /// that variant of that run. `leader` (copies, M), may be null: errors that are to be beaten.
  std::vector<Trial> race(std::size_t runs, std::size_t variants, int threads,
                          SharedProgress& progress, const std::string& phase,
                          const CompleteVariants& complete, const Matrix* leader = nullptr) const;

  /// The same with one variant.
  std::vector<Trial> race(std::size_t candidates, int threads, SharedProgress& progress,
                          const std::string& phase, const Complete& complete,
                          const Matrix* leader = nullptr) const;

  /// The candidate with the smallest mean error over the views; the first of (nearly) equals.
  Choice choose(std::size_t candidates, int threads, SharedProgress& progress,
                const std::string& phase, const Complete& complete) const;

 private:
  const Problem& truth() const { return part_ ? *part_ : *whole_; }
  Index copies() const { return static_cast<Index>(held_out_.size()); }
  std::vector<Trial> run(std::size_t runs, std::size_t variants,
                         const std::vector<Index>& stage_ends, int threads,
                         SharedProgress& progress, const std::string& phase,
                         const CompleteVariants& complete, const Matrix* leader) const;

  const Problem* whole_;
  std::optional<Problem> part_;  // where the problem is too large to tune on all of it
  std::vector<HeldOut> held_out_;
  Measure measure_;
};

/// Method::working_bytes of a method that solves problems of (N, M) with solve_doubles(N, M)
/// doubles: those of the solve, or those in use while options are chosen if that is more.
std::function<double(Index n_samples, Index n_views, int threads)> bytes_with_tuning(
    double (*solve_doubles)(double N, double M));

/// The option `measure` of methods that choose options on held-out rows.
template <class Options>
OptionTable<Options>& add_measure(OptionTable<Options>& table) {
  return table.choice("measure", &Options::measure, {"are", "are_squared"},
                      "what `auto` minimises on held-out rows: relative errors or their squares");
}

/// The best row of a table of errors, as TuningSet::choose does.
Choice best_row(const Matrix& errors, bool stopped);

}  // namespace mkc
