#pragma once

#include <limits>

#include "mkc/models/reconstruction.hpp"
#include "mkc/result.hpp"
#include "mkc/run.hpp"
#include "mkc/solvers/reweighted_cg.hpp"
#include "models/tuning.hpp"

/// What embd_ht and embd_hm do alike: choose the ridge of the start, then descend round by round.
namespace mkc {

struct DescentOptions {
  std::string method;  // for progress
  double tol;
  Index max_iter;
};

/// The ridge of the leave-one-out start that predicts held-out rows best with the start alone.
double choose_ridge(const TuningSet& tuning, const std::vector<double>& grid, double fallback,
                    DiagonalRule diagonal, int threads, SharedProgress& progress, Strings& notices);

/// Rounds of reweighted conjugate gradients on `objective` from X, until the relative distance to
/// stationarity is at most tol. begin_round() is called before each round and may change the
/// objective, as long as that does not raise it. Fills in everything an Info says about the
/// descent.
template <class Objective, class BeginRound>
Info descend(Objective& objective, solvers::Blocks& X, const DescentOptions& options,
             const ProgressCallback& progress, const BeginRound& begin_round) {
  Info info;
  info.status = Status::max_iterations;
  solvers::ReweightedWorkspace work;
  solvers::ReweightedOptions settings;
  settings.tolerance = options.tol;
  for (Index round = 0; round <= options.max_iter; ++round) {
    begin_round();
    const bool last = round == options.max_iter;
    if (last) settings.tolerance = std::numeric_limits<double>::infinity();  // measure only
    const auto done = solvers::reweighted_round(objective, X, settings, work);
    info.objective.push_back(done.objective + objective.constant());
    info.residual = done.residual;
    info.iterations = round;
    if (done.residual <= options.tol) info.status = Status::converged;
    if (last || done.residual <= options.tol) break;
    if (progress &&
        !progress({options.method, round + 1, options.max_iter, info.objective.back()})) {
      info.status = Status::interrupted;
      break;
    }
  }
  // The last value is that of the returned X: rows may have been dropped since it was measured.
  info.terms = objective.terms(X);
  info.objective.back() = 0;
  for (const auto& [name, value] : info.terms) info.objective.back() += value;
  return info;
}

}  // namespace mkc
