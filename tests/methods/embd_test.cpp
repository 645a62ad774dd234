#include "methods/embd/embd.hpp"

#include <cmath>

#include "kernels/functions.hpp"
#include "methods/embd/embd_hm_objective.hpp"
#include "methods/embd/embd_ht_objective.hpp"
#include "mkc/problem/metrics.hpp"
#include "support/allocation_counter.hpp"
#include "support/complete_with.hpp"
#include "support/finite_differences.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"
#include "support/slow_embedding.hpp"

namespace mkc {
namespace {

using test::random_matrix;

constexpr double c1 = 0.7, c2 = 0.4;

Problem small_problem(std::uint64_t seed) {
  return test::random_problem(seed, {.n_samples = 12, .n_views = 3, .missing = 0.3}).problem();
}

LossWeights unit_weights(const Problem& problem) {
  return loss_weights(problem, EmbeddingForm::features, LossScaling::unit, c1, c2);
}

Matrix without_diagonal(Matrix A) {
  A.diagonal().setZero();
  return A;
}

TEST(EmbdHm, ObjectiveAndGradientFollowTheDefinition) {
  const Problem problem = small_problem(1);
  const Weights start = leave_one_out_weights(problem, 0.1);
  HomogeneousObjective objective(problem, start, unit_weights(problem), 1);
  const Matrix A = without_diagonal(0.3 * random_matrix(12, 12, 2));
  solvers::Blocks HA = {A};
  objective.apply({A}, HA);
  const double value =
      0.5 * A.cwiseProduct(HA[0]).sum() - objective.linear_dot({A}) + objective.constant();
  const double slow = test::slow_homogeneous_loss(problem, start, A);
  EXPECT_NEAR(value, slow, 1e-12 * slow);
  EXPECT_NEAR(objective.row_penalties()[0].dot(A.rowwise().norm()),
              test::slow_homogeneous_penalty(problem, c2, A), 1e-12);
  const auto loss = [&](const Matrix& X) {
    return test::slow_homogeneous_loss(problem, start, without_diagonal(X));
  };
  objective.subtract_linear(HA);
  EXPECT_LT(test::gradient_error(loss, A, HA[0]), 1e-6);
}

TEST(EmbdHm, ManyMissingPatternsGiveTheSameProducts) {
  // More patterns than are kept: the matrices are summed anew at every call.
  const Problem problem =
      test::random_problem(3, {.n_samples = 40, .n_views = 6, .missing = 0.5}).problem();
  const Weights start = leave_one_out_weights(problem, 0.1);
  HomogeneousObjective objective(problem, start, unit_weights(problem), 1);
  const Matrix A = without_diagonal(random_matrix(40, 40, 4));
  solvers::Blocks HA = {A};
  objective.apply({A}, HA);
  const double value =
      0.5 * A.cwiseProduct(HA[0]).sum() - objective.linear_dot({A}) + objective.constant();
  EXPECT_NEAR(value, test::slow_homogeneous_loss(problem, start, A), 1e-10 * value);
}

TEST(EmbdHt, ObjectiveAndGradientFollowTheDefinition) {
  const Problem problem = small_problem(5);
  const Weights start = leave_one_out_weights(problem, 0.1);
  HeterogeneousObjective objective(problem, start, unit_weights(problem), 1, 1);
  solvers::Blocks B;
  for (Index m = 0; m < 3; ++m) {
    const Index n = problem.view(m).block.rows();
    B.push_back(without_diagonal(0.3 * random_matrix(n, n, 6 + static_cast<std::uint64_t>(m))));
  }
  Matrix S(3, 3);
  S << 0, 0.3, 0.7, 1, 0, 0, 0.5, 0.5, 0;
  objective.set_relations(S);

  solvers::Blocks HB = B;
  objective.apply(B, HB);
  const auto smooth = [&](const solvers::Blocks& X) {
    return test::slow_heterogeneous_within(problem, X) +
           c1 / 12 * test::slow_heterogeneous_between(problem, start, X, S);
  };
  double value = 3;  // the within loss of B = 0 is 1 per view
  for (std::size_t m = 0; m < 3; ++m) value += 0.5 * B[m].cwiseProduct(HB[m]).sum();
  value -= objective.linear_dot(B);
  EXPECT_NEAR(value, smooth(B), 1e-10 * value);
  objective.subtract_linear(HB);
  for (std::size_t m = 0; m < 3; ++m) {
    const auto loss = [&](const Matrix& X) {
      solvers::Blocks moved = B;
      moved[m] = without_diagonal(X);
      return smooth(moved);
    };
    EXPECT_LT(test::gradient_error(loss, B[m], HB[m]), 1e-6);
  }
  const auto terms = objective.terms(B);
  EXPECT_NEAR(terms[0].second, test::slow_heterogeneous_within(problem, B), 1e-10);
  EXPECT_NEAR(terms[3].second, c2 / 12 * test::slow_l21(B), 1e-10);
}

TEST(EmbdHt, RelationsMinimiseTheirQuadraticOverTheSimplex) {
  const Problem problem = small_problem(7);
  const Weights start = leave_one_out_weights(problem, 0.1);
  HeterogeneousObjective objective(problem, start, unit_weights(problem), 0.5, 1);
  const solvers::Blocks B = objective.take_start();
  objective.update_relations(B);
  const Matrix S = objective.relations();
  const auto cost = [&] { return objective.terms(B)[1].second + objective.terms(B)[2].second; };
  const double best = cost();
  for (int step = 0; step <= 10; ++step) {  // every other point of the edge of row 0 costs more
    Matrix other = S;
    other.row(0) << 0, 0.1 * step, 1 - 0.1 * step;
    objective.set_relations(other);
    EXPECT_GE(cost(), best - 1e-12);
  }
  EXPECT_NEAR(S.rowwise().sum().maxCoeff(), 1, 1e-12);
  EXPECT_EQ(S.diagonal(), Vector::Zero(3));
  EXPECT_GE(S.minCoeff(), 0);
}

// Products and preconditioner, what a conjugate gradient step calls, on buffers made beforehand.
template <class Objective>
long allocations_of_a_step(Objective& objective, solvers::Blocks X) {
  solvers::Blocks Y = X;
  solvers::BlockVectors weights;
  for (const Matrix& block : X) weights.push_back(Vector::Ones(block.rows()));
  objective.prepare(weights);
  objective.apply(X, Y);
  const long before = test::allocations();
  objective.apply(X, Y);
  objective.precondition(X, Y);
  return test::allocations() - before;
}

TEST(Embd, AConjugateGradientStepAllocatesNothing) {
  const Problem problem =
      test::random_problem(15, {.n_samples = 30, .n_views = 3, .missing = 0.3}).problem();
  const Weights start = leave_one_out_weights(problem, 0.1);
  HomogeneousObjective hm(problem, start, unit_weights(problem), 1);
  EXPECT_EQ(allocations_of_a_step(hm, {without_diagonal(random_matrix(30, 30, 16))}), 0);
  HeterogeneousObjective ht(problem, start, unit_weights(problem), 1, 1);
  EXPECT_EQ(allocations_of_a_step(ht, ht.take_start()), 0);
}

// A whole round: S, products, preconditioner, steps. Small vectors of the quadratic program and
// lists of views may come and go; nothing of the size of a matrix may.
TEST(Embd, ARoundAllocatesNoMatrix) {
  const Problem problem =
      test::random_problem(17, {.n_samples = 60, .n_views = 3, .missing = 0.3}).problem();
  const Weights start = leave_one_out_weights(problem, 0.1);
  solvers::ReweightedWorkspace work;
  solvers::ReweightedOptions settings;
  settings.tolerance = 0;
  HomogeneousObjective hm(problem, start, unit_weights(problem), 1);
  solvers::Blocks A = {without_diagonal(0.1 * random_matrix(60, 60, 16))};
  solvers::reweighted_round(hm, A, settings, work);
  test::reset_largest_allocation();
  for (int round = 0; round < 3; ++round) solvers::reweighted_round(hm, A, settings, work);
  EXPECT_EQ(test::largest_allocation(), 0u);

  solvers::ReweightedWorkspace other_work;
  HeterogeneousObjective ht(problem, start, unit_weights(problem), 1, 1);
  solvers::Blocks B = ht.take_start();
  solvers::reweighted_round(ht, B, settings, other_work);
  test::reset_largest_allocation();
  for (int round = 0; round < 3; ++round) {
    ht.update_relations(B);
    solvers::reweighted_round(ht, B, settings, other_work);
  }
  EXPECT_LT(test::largest_allocation(), 60 * sizeof(double));
}

void expect_honest_info(const Completion& c, double tol) {
  EXPECT_EQ(c.info.status, Status::converged);
  EXPECT_LE(c.info.residual, tol);
  double sum = 0;
  for (const auto& [name, value] : c.info.terms) sum += value;
  EXPECT_NEAR(sum, c.info.objective.back(), 1e-10 * sum);
  for (std::size_t i = 1; i < c.info.objective.size(); ++i)
    EXPECT_LE(c.info.objective[i], c.info.objective[i - 1] * (1 + 1e-12));
}

TEST(Embd, TheObjectiveNeverRisesAndTheToleranceHolds) {
  for (const std::uint64_t seed : {8, 9, 10}) {
    const Problem problem =
        test::random_problem(seed, {.n_samples = 40, .n_views = 4, .missing = 0.3}).problem();
    for (const double weight : {0.01, 0.3, 3.0}) {
      HomogeneousOptions hm;
      hm.c2 = weight;
      hm.ridge = 0.01;
      hm.max_iter = 500;
      expect_honest_info(test::complete_with(embd_hm_options(), problem, hm), hm.tol);
      HeterogeneousOptions ht;
      ht.c1 = weight;
      ht.c2 = 0.1 * weight;
      ht.ridge = 0.01;
      ht.max_iter = 500;
      expect_honest_info(test::complete_with(embd_ht_options(), problem, ht), ht.tol);
    }
  }
}

TEST(Embd, ALargeC2EmptiesTheBasis) {
  const Problem problem = small_problem(11);
  HomogeneousOptions options;
  options.c2 = 1e4;
  options.ridge = 0.01;
  options.max_iter = 200;
  const Completion c = test::complete_with(embd_hm_options(), problem, options);
  ASSERT_FALSE(c.info.notices.empty());
  EXPECT_NE(c.info.notices.back().find("basis sets: 'v0' 0 of"), std::string::npos)
      << c.info.notices.back();
}

TEST(Embd, EqualKernelsAreRecovered) {
  // One kernel of rank 4 in three views, every pair of samples observed in some view.
  const Matrix K = linear_kernel(random_matrix(30, 4, 12));
  Mask observed = Mask::Constant(30, 3, true);
  for (Index i = 0; i < 30; ++i) observed(i, i % 3) = i >= 15;
  const Problem problem({K, K, K}, observed);
  HomogeneousOptions hm;
  hm.c2 = 1e-5;
  hm.ridge = 1e-6;
  HeterogeneousOptions ht;
  ht.c1 = 1;
  ht.c2 = 1e-5;
  ht.ridge = 1e-6;
  for (const Completion& c : {test::complete_with(embd_hm_options(), problem, hm),
                              test::complete_with(embd_ht_options(), problem, ht)})
    for (Index m = 0; m < 3; ++m)
      EXPECT_LT(average_relative_error(K, c.kernels[at(m)], problem.missing(m)), 1.0);
}

TEST(Embd, OpenOptionsAreChosenAndReported) {
  const Problem problem = small_problem(13);
  const Completion hm = test::complete_with(embd_hm_options(), problem),
                   ht = test::complete_with(embd_ht_options(), problem);
  EXPECT_NE(hm.info.notices[0].find("ridge = "), std::string::npos);
  EXPECT_NE(hm.info.notices[1].find("chosen on held-out rows"), std::string::npos);
  EXPECT_NE(ht.info.notices[1].find("c1 = "), std::string::npos);
  // what was chosen is among the parameters, in place of `auto`
  for (const Completion* c : {&hm, &ht})
    for (const auto& [name, value] : c->info.parameters) EXPECT_NE(value, "auto") << name;
  ASSERT_TRUE(ht.relations);
  EXPECT_NEAR(ht.relations->rowwise().sum().minCoeff(), 1, 1e-12);
}

TEST(Embd, RefusesWeightsWhoseSquaresOverflow) {
  const Problem problem = test::random_problem(1).problem();
  for (const char* method :
       {"embd_ht,c1=inf", "embd_ht,tau=1e308", "embd_hm,c2=inf", "embd_hm,ridge=1e308"})
    EXPECT_THROW(complete(problem, method), OptionError) << method;
}

TEST(Embd, AnInterruptKeepsTheBestSoFar) {
  const Problem problem = small_problem(14);
  RunOptions run;
  run.progress = [](const Progress&) { return false; };
  HomogeneousOptions options;
  options.c2 = 0.5;
  options.ridge = 0.01;
  options.tol = 1e-12;
  const Completion c = test::complete_with(embd_hm_options(), problem, options, run);
  EXPECT_EQ(c.info.status, Status::interrupted);
  EXPECT_EQ(c.kernels[0].rows(), 12);
  EXPECT_TRUE(c.kernels[0].allFinite());
}

}  // namespace
}  // namespace mkc
