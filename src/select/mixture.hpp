#pragma once

#include "select/candidate_runs.hpp"

/// Step 4 of stacking: the candidates with weight on the whole problem, put together.
namespace mkc {

/// sum_c w_c K_c with what is needed for the signals of its rows.
struct Mixture {
  std::vector<Matrix> kernels;
  Matrix squares;          // (N, M) sum_c w_c |k_c,t|^2
  Matrix variance, known;  // (N, M) sums of w_c u_c and w_c over candidates with a variance
  std::optional<Matrix> relations;    // of the candidate with the largest weight that has them
  double largest_with_relations = 0;  // its weight
  Info info;                          // of the candidate, where it is the only one
};

/// What the trials of the candidates have taken, to foresee how long the final runs take.
struct TrialSeconds {
  double all = 0;
  std::vector<double> one_run;  // per finished candidate
};

TrialSeconds trial_seconds(const CandidateRuns& runs, Index copies);

/// Runs the candidates with weight on the whole problem, `threads` at a time, and adds them up in
/// the order of the list. weights: (finished, M).
Mixture mix_candidates(const Problem& problem, const std::vector<std::string>& specs,
                       const Matrix& weights, const TrialSeconds& trials, const RunOptions& run);

}  // namespace mkc
