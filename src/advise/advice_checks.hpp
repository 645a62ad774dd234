#pragma once

#include "advise/ranking.hpp"
#include "mkc/problem/result.hpp"

namespace mkc::advice {

/// InputError where nothing is missing, or the completion has no error estimates or another size.
void check_problem(const Problem& problem, const Completion& completion);

void check_factors(const CompletedFactors& completed);

/// Costs, candidates and budget. InputError as advise() says.
RankingPlan checked_plan(const JointModel& model, const AdviceOptions& options);

/// The estimates of missing rows (N, M); one that is not known becomes the mean of its view's, else
/// of all. InputError where none is known.
Matrix known_errors(const Mask& observed, const Matrix& error);

/// Ranks from a joint model and estimates: what dense and factor form share.
AssayAdvice advise_on(const JointModel& model, const Matrix& error, const Quality& quality,
                      const AdviceCalibration& calibration, const AdviceOptions& options);

}  // namespace mkc::advice
