#include "select/mixture.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "methods/run_method.hpp"
#include "methods/shared/tuning.hpp"
#include "methods/single_methods.hpp"
#include "numeric/blocks.hpp"

namespace mkc {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Adds candidate c.
void add_part(const Problem& problem, const Completion& part, const Matrix& weights, Index c,
              Mixture& sum) {
  for (Index m = 0; m < problem.n_views(); ++m) {
    const double w = weights(c, m);
    if (w == 0) continue;
    const Matrix& K = part.kernels[at(m)];
    sum.kernels[at(m)] += w * K;
    for (const Index t : problem.missing(m)) {
      sum.squares(t, m) += w * K.col(t).squaredNorm();
      if (part.uncertainty) {
        sum.variance(t, m) += w * (*part.uncertainty)(t, m);
        sum.known(t, m) += w;
      }
    }
  }
  if (part.relations && weights.row(c).sum() > sum.largest_with_relations) {
    sum.largest_with_relations = weights.row(c).sum();
    sum.relations = part.relations;
  }
  if (part.info.status == Status::max_iterations)
    sum.info.notices.push_back(fmt::format("{} stopped at its iteration limit (residual {:.2g})",
                                           part.info.method, part.info.residual));
  if (part.info.status == Status::interrupted) sum.info.status = Status::interrupted;
}

}  // namespace

TrialSeconds trial_seconds(const CandidateRuns& runs, Index copies) {
  TrialSeconds seconds;
  for (const auto& record : runs.records) seconds.all += record.seconds;
  for (const std::size_t k : runs.finished)
    seconds.one_run.push_back(runs.records[k].seconds / static_cast<double>(copies));
  return seconds;
}

Mixture mix_candidates(const Problem& problem, const std::vector<std::string>& specs,
                       const Matrix& weights, const TrialSeconds& trials, const RunOptions& run) {
  const Index N = problem.n_samples(), M = problem.n_views();
  Mixture sum;
  sum.kernels.assign(at(M), Matrix::Zero(N, N));
  sum.squares = sum.variance = sum.known = Matrix::Zero(N, M);
  Indices used;
  for (Index c = 0; c < weights.rows(); ++c)
    if (weights.row(c).maxCoeff() > 0) used.push_back(c);
  double done = trials.all, whole = trials.all;
  for (const Index c : used) whole += trials.one_run[at(c)];
  SharedProgress shared(run);
  const ProgressCallback callback = shared.callback();
  const ProgressCallback progress = [&](const Progress& part) {
    if (used.size() == 1) return callback(part);
    return callback({"completing with the candidates", 0, 0, nan, 0, 0, done / whole});
  };
  const auto together = static_cast<std::size_t>(std::max(1, run.threads));
  for (std::size_t first = 0; first < used.size(); first += together) {
    const std::size_t count = std::min(together, used.size() - first);
    std::vector<Completion> parts(count);
    RunOptions inner = run;
    inner.progress = progress;
    parallel_for(static_cast<Index>(count), static_cast<int>(count), [&](Index k) {
      parts[at(k)] = complete_single(problem, specs[at(used[first + at(k)])], inner);
    });
    for (std::size_t k = 0; k < count; ++k) {
      add_part(problem, parts[k], weights, used[first + k], sum);
      if (used.size() == 1) sum.info = std::move(parts[k].info);
      done += trials.one_run[at(used[first + k])];
    }
  }
  for (Index m = 0; m < M && !run.fitted; ++m)
    paste(problem.view(m).block, problem.view(m).rows, sum.kernels[at(m)]);
  return sum;
}

}  // namespace mkc
