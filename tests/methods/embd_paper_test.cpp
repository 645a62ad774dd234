// The embedding problems as the paper prints them.
#include "methods/embd/embd_paper.hpp"
#include "numeric/blocks.hpp"

#include "methods/embd/embd.hpp"
#include "methods/embd/embd_start.hpp"
#include "support/complete_with.hpp"
#include "support/expect_message.hpp"
#include "support/finite_differences.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"
#include "support/slow_embedding.hpp"

namespace mkc {
namespace {

constexpr double c1 = 0.7, c2 = 0.4;

Problem small_problem(std::uint64_t seed) {
  return test::random_problem(seed, {.n_samples = 9, .n_views = 3, .missing = 0.3}).problem();
}

Matrix some_relations() {
  Matrix S(3, 3);
  S << 0, 0.3, 0.7, 1, 0, 0, 0.5, 0.5, 0;
  return S;
}

TEST(EmbdPaper, HeterogeneousObjectiveAndGradientFollowTheDefinition) {
  const Problem problem = small_problem(1);
  for (const LossScaling scaling : {LossScaling::unit, LossScaling::paper, LossScaling::released}) {
    const LossWeights w = loss_weights(problem, EmbeddingForm::paper, scaling, c1, c2);
    PaperHeterogeneous objective(problem, w);
    objective.set_relations(some_relations());
    Weights start = identity_start(problem, 3);
    const Matrix X =
        objective.stack(start) +
        0.3 * test::random_matrix(objective.stack(start).rows(), problem.n_samples(), 4);
    const auto slow = [&](const Matrix& Y) {
      return test::slow_paper_heterogeneous(problem, objective.unstack(Y), some_relations(),
                                            w.within, w.between);
    };
    Matrix G(X.rows(), X.cols());
    EXPECT_NEAR(objective.value_and_gradient(X, G), slow(X), 1e-10 * slow(X));
    EXPECT_NEAR(objective.value(X), slow(X), 1e-10 * slow(X));
    EXPECT_LT(test::gradient_error(slow, X, G), 1e-6);
    const auto terms = objective.terms(X);
    EXPECT_NEAR(terms[0].second + terms[1].second, slow(X), 1e-10 * slow(X));
    EXPECT_NEAR(terms[2].second, w.l21 * test::slow_l21(objective.unstack(X)), 1e-10);
  }
}

TEST(EmbdPaper, HomogeneousObjectiveAndGradientFollowTheDefinition) {
  const Problem problem = small_problem(2);
  const LossWeights w = loss_weights(problem, EmbeddingForm::paper, LossScaling::unit, 0, c2);
  PaperHomogeneous objective(problem, w);
  const Matrix A = Matrix::Identity(9, 9) + 0.3 * test::random_matrix(9, 9, 5);
  const auto slow = [&](const Matrix& X) {
    return test::slow_paper_homogeneous(problem, X, w.within);
  };
  Matrix G(9, 9);
  EXPECT_NEAR(objective.value_and_gradient(A, G), slow(A), 1e-10 * slow(A));
  EXPECT_LT(test::gradient_error(slow, A, G), 1e-6);
  EXPECT_NEAR(objective.penalty(A), test::slow_homogeneous_penalty(problem, c2, A), 1e-12);
}

TEST(EmbdPaper, ScalingIsThePapersPlainSums) {
  const LossWeights w =
      loss_weights(small_problem(3), EmbeddingForm::paper, LossScaling::paper, 2, 5);
  EXPECT_EQ(w.within, Vector::Ones(3));
  EXPECT_EQ(w.between, 2);
  EXPECT_EQ(w.l21, 5);
}

TEST(EmbdPaper, ScalingIsThatOfTheReleasedCode) {
  const Problem problem = small_problem(3);
  const LossWeights w = loss_weights(problem, EmbeddingForm::paper, LossScaling::released, 2, 5);
  for (Index m = 0; m < 3; ++m) {
    const auto n = static_cast<double>(problem.view(m).rows.size());
    EXPECT_DOUBLE_EQ(w.within(m), 1 / (3 * n * n));
  }
  EXPECT_DOUBLE_EQ(w.between, 2.0 / (3 * 9));
  EXPECT_DOUBLE_EQ(w.l21, 5.0 / 3);
}

TEST(EmbdPaper, RelationsAreBestForTheWeights) {
  const Problem problem = small_problem(4);
  PaperHeterogeneous objective(
      problem, loss_weights(problem, EmbeddingForm::paper, LossScaling::unit, c1, c2));
  const Matrix X = objective.stack(leave_one_out_weights(problem, 0.1));
  objective.update_relations(X);
  const Matrix S = objective.relations();
  const double best = objective.value(X);
  for (int step = 0; step <= 10; ++step) {
    Matrix other = S;
    other.row(0) << 0, 0.1 * step, 1 - 0.1 * step;
    objective.set_relations(other);
    EXPECT_GE(objective.value(X), best - 1e-12);
  }
}

TEST(EmbdPaper, TheIdentityCostsNothingWithinAView) {
  const Problem problem = small_problem(5);
  PaperHeterogeneous objective(
      problem, loss_weights(problem, EmbeddingForm::paper, LossScaling::unit, c1, c2));
  const Weights start = identity_start(problem, 7);
  EXPECT_NEAR(objective.terms(objective.stack(start))[0].second, 0, 1e-20);
  for (Index m = 0; m < 3; ++m)
    for (const Index t : problem.missing(m)) {
      const auto column = start[at(m)].col(t);
      EXPECT_LE(column.cwiseAbs().maxCoeff(), 1 / static_cast<double>(column.size()));
      EXPECT_GT(column.norm(), 0);
    }
}

template <class Options, class Complete>
void expect_honest_runs(const Options& given, const Complete& complete) {
  const Problem problem = small_problem(6);
  for (const EmbeddingStart start : {EmbeddingStart::loo, EmbeddingStart::identity,
                                     EmbeddingStart::paper, EmbeddingStart::random}) {
    Options options = given;
    options.form = EmbeddingForm::paper;
    options.start = start;
    options.ridge = 0.01;
    options.scaling = LossScaling::unit;
    options.max_iter = 2000;
    options.tol = 1e-3;
    options.n_init = 1;
    const Completion one = complete(problem, options);
    EXPECT_EQ(one.info.status, Status::converged);
    EXPECT_LE(one.info.residual, options.tol * 1.01);
    double sum = 0;
    for (const auto& term : one.info.terms) sum += term.second;
    EXPECT_NEAR(sum, one.info.objective.back(), 1e-10 * sum);
    for (std::size_t i = 1; i < one.info.objective.size(); ++i)
      EXPECT_LE(one.info.objective[i], one.info.objective[i - 1] * (1 + 1e-10));
    options.n_init = 3;
    const Completion three = complete(problem, options);
    EXPECT_LE(three.info.objective.back(), one.info.objective.back());
    EXPECT_EQ(complete(problem, options).kernels[0], three.kernels[0]);  // keyed by the seed
  }
}

TEST(EmbdPaper, InfoDescribesTheResultAndMoreStartsNeverEndHigher) {
  HeterogeneousOptions ht;
  ht.c1 = 0.1;
  ht.c2 = 0.05;
  expect_honest_runs(ht, [](const Problem& problem, const HeterogeneousOptions& options) {
    return test::complete_with(embd_ht_options(), problem, options);
  });
  HomogeneousOptions hm;
  hm.c2 = 0.05;
  expect_honest_runs(hm, [](const Problem& problem, const HomogeneousOptions& options) {
    return test::complete_with(embd_hm_options(), problem, options);
  });
}

TEST(EmbdPaper, RestartsOfTheDefaultFormNeverEndHigherAndFollowTheNames) {
  const auto p = test::random_problem(8, {.n_samples = 14, .n_views = 3});
  const Indices samples = test::random_permutation(14, 20), views = {2, 0, 1};
  HeterogeneousOptions options;
  options.c1 = 0.1;
  options.c2 = 0.03;
  options.ridge = 0.01;
  options.tol = 1e-9;
  options.max_iter = 300;
  const double one =
      test::complete_with(embd_ht_options(), p.problem(), options).info.objective.back();
  options.n_init = 3;
  const Completion a = test::complete_with(embd_ht_options(), p.problem(), options);
  const Completion b =
      test::complete_with(embd_ht_options(), test::permuted(p, samples, views).problem(), options);
  EXPECT_LE(a.info.objective.back(), one);
  for (std::size_t v = 0; v < 3; ++v) {
    const Matrix expected = submatrix(a.kernels[at(views[v])], samples, samples);
    EXPECT_LT((b.kernels[v] - expected).norm(), 1e-6 * expected.norm());
  }
}

TEST(EmbdPaper, RefusesTheIdentityWhereNoSampleMayExplainItself) {
  test::expect_message([] { complete(small_problem(9), "embd_ht,start=identity"); },
                       "start=identity needs form=paper");
}

}  // namespace
}  // namespace mkc
