// form=paper of embd_ht, embd_hm and app: free rows, Eq. mkc_app, read-outs and defaults.
#include "methods/app/app.hpp"
#include "methods/app/app_paper.hpp"
#include "methods/embd/embd.hpp"
#include "methods/embd/embd_paper.hpp"
#include "methods/embd/embd_start.hpp"
#include "methods/shared/readout.hpp"
#include "numeric/linalg/psd.hpp"

#include "support/complete_with.hpp"
#include "support/expect_message.hpp"
#include "support/finite_differences.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"
#include "support/slow_embedding.hpp"

namespace mkc::paper_form {

constexpr Index N = 9, M = 3;

static Problem small_problem(std::uint64_t seed) {
  return test::random_problem(seed, {.n_samples = N, .n_views = M, .missing = 0.3}).problem();
}

static Matrix some_relations() {
  Matrix S(3, 3);
  S << 0, 0.3, 0.7, 1, 0, 0, 0.5, 0.5, 0;
  return S;
}

static Weights random_weights(const Problem& problem, std::uint64_t seed) {
  Weights weights;
  for (Index m = 0; m < M; ++m)
    weights.push_back(test::random_matrix(problem.view(m).block.rows(), N, seed + m));
  return weights;
}

static std::string parameter(const Completion& c, const std::string& name) {
  for (const auto& [key, value] : c.info.parameters)
    if (key == name) return value;
  return "";
}

TEST(PaperForm, FreeRowsFollowTheDefinition) {
  const Problem problem = small_problem(1);
  LossWeights w = loss_weights(problem, EmbeddingForm::paper, LossScaling::unit, 0.7, 0.4);
  PaperHeterogeneous objective(problem, w, OutsideRows::free);
  objective.set_relations(some_relations());
  const Matrix X = 0.4 * test::random_matrix(M * N, N, 4);
  const auto blocks = [](const Matrix& Y) {
    std::vector<Matrix> A;
    for (Index m = 0; m < M; ++m) A.emplace_back(Y.middleRows(m * N, N));
    return A;
  };
  const auto slow = [&](const Matrix& Y) {
    return test::slow_paper_free_rows(problem, blocks(Y), some_relations(), w.within, w.between);
  };
  Matrix G(M * N, N);
  EXPECT_NEAR(objective.value_and_gradient(X, G), slow(X), 1e-10 * slow(X));
  EXPECT_NEAR(objective.value(X), slow(X), 1e-10 * slow(X));
  EXPECT_LT(test::gradient_error(slow, X, G), 1e-6);
  // the norm runs over the rows I_m alone
  EXPECT_NEAR(objective.penalty(X), w.l21 * test::slow_l21(objective.unstack(X)), 1e-12);
  Matrix Y = X;
  objective.prox(Y, 0.1);
  for (Index m = 0; m < M; ++m)
    for (const Index i : problem.missing(m)) EXPECT_EQ(Y.row(m * N + i), X.row(m * N + i));
}

TEST(PaperForm, FreeRowsCanOnlyLowerTheBetweenViewLoss) {
  // With rows of zeros as a start both are the same function, and the free rows leave it downhill.
  const Problem problem = small_problem(2);
  const LossWeights w = loss_weights(problem, EmbeddingForm::paper, LossScaling::paper, 0.7, 0.4);
  PaperHeterogeneous zero(problem, w), free(problem, w, OutsideRows::free);
  const Weights start = leave_one_out_weights(problem, 0.1);
  Matrix X = free.stack(start);
  EXPECT_NEAR(free.value(X), zero.value(zero.stack(start)), 1e-12 * free.value(X));
  Matrix G(X.rows(), X.cols());
  const double before = free.value_and_gradient(X, G);
  for (Index m = 0; m < M; ++m)
    for (const Index i : problem.missing(m)) X.row(m * N + i) -= 1e-3 * G.row(m * N + i);
  EXPECT_LT(free.value(X), before);
}

TEST(PaperForm, TheSecondEstimateSumsTheOtherViews) {
  const Problem problem = small_problem(3);
  for (const OutsideRows rows : {OutsideRows::zero, OutsideRows::free}) {
    PaperHeterogeneous objective(
        problem, loss_weights(problem, EmbeddingForm::paper, LossScaling::paper, 1, 1), rows);
    objective.set_relations(some_relations());
    Matrix X = objective.stack(random_weights(problem, 5));
    if (rows == OutsideRows::free) X = test::random_matrix(M * N, N, 6);
    const Weights found = objective.of_others(X);
    for (Index m = 0; m < M; ++m)
      for (std::size_t p = 0; p < problem.view(m).rows.size(); ++p)
        for (Index t = 0; t < N; ++t) {
          double sum = 0;
          for (Index l = 0; l < M; ++l) {
            const auto& has = objective.samples_of(l);
            for (std::size_t i = 0; i < has.size(); ++i)
              if (l != m && has[i] == problem.view(m).rows[p])
                sum += some_relations()(m, l) * objective.block(X, l)(static_cast<Index>(i), t);
          }
          EXPECT_NEAR(found[at(m)](static_cast<Index>(p), t), sum, 1e-12);
        }
  }
}

TEST(PaperForm, TheReadOutIsADoubleSum) {
  const Problem problem = small_problem(4);
  const Weights A = random_weights(problem, 7);
  const auto kernels = kernels_as_solved(problem, A, DiagonalRule::none);
  for (Index m = 0; m < M; ++m)
    for (Index s = 0; s < N; ++s)
      for (Index t = 0; t < N; ++t)
        EXPECT_NEAR(kernels[at(m)](s, t), test::slow_kernel_entry(problem.view(m), A[at(m)], s, t),
                    1e-11);
  const Matrix expected = expected_diagonals(problem);
  const auto added = kernels_as_solved(problem, A, DiagonalRule::add);
  for (Index m = 0; m < M; ++m) {
    EXPECT_TRUE(linalg::is_psd(added[at(m)], 1e-11));
    for (const Index t : problem.missing(m)) EXPECT_NEAR(added[at(m)](t, t), expected(t, m), 1e-12);
  }
}

TEST(PaperForm, ApproximationFollowsTheDefinition) {
  const Problem problem = small_problem(5);
  Vector within(M), between(M);
  within << 1, 0.5, 2;
  between << 0.3, 1, 0.7;
  approx::PaperObjective objective(problem, within, between, 0.4);
  objective.set_relations(some_relations());
  const Matrix A = 0.4 * objective.stack(random_weights(problem, 8));
  const auto slow = [&](const Matrix& X) {
    return test::slow_paper_app(problem, objective.unstack(X), some_relations(), within, between);
  };
  Matrix G;
  EXPECT_NEAR(objective.value_and_gradient(A, G), slow(A), 1e-10 * slow(A));
  EXPECT_NEAR(objective.value(A), slow(A), 1e-10 * slow(A));
  EXPECT_LT(test::gradient_error(slow, A, G), 1e-6);
  EXPECT_NEAR(objective.penalty(A), 0.4 * test::slow_l21(objective.unstack(A)), 1e-12);
  const auto terms = objective.terms(A);
  EXPECT_NEAR(terms[0].second + terms[1].second, slow(A), 1e-10 * slow(A));

  objective.update_relations(A);  // the best S of a grid on the simplex
  const Matrix S = objective.relations();
  const double best = objective.value(A);
  for (int step = 0; step <= 10; ++step) {
    Matrix other = S;
    other.row(1) << 0.1 * step, 0, 1 - 0.1 * step;
    objective.set_relations(other);
    EXPECT_GE(objective.value(A), best - 1e-12 * best);
  }
}

TEST(PaperForm, AlgorithmOneStartsFromIdentityAndUniformNumbers) {
  const Problem problem = small_problem(6);
  const Matrix A = uniform_start(problem, "v0", all_samples(problem), 3, 0);
  EXPECT_LE(A.cwiseAbs().maxCoeff(), 1);
  EXPECT_GT(A.cwiseAbs().maxCoeff(), 0.8);  // of 81 draws
  EXPECT_LT(std::abs(A.mean()), 0.25);
  EXPECT_NE(A, uniform_start(problem, "v0", all_samples(problem), 3, 1));
  EXPECT_EQ(A, uniform_start(problem, "v0", all_samples(problem), 3, 0));
}

TEST(PaperForm, DefaultsAreThePapersAndReported) {
  const Problem problem = small_problem(7);
  const Completion ht = complete(problem, "embd_ht,form=paper,c1=1,c2=0.1,max_iter=3"),
                   hm = complete(problem, "embd_hm,form=paper,c2=0.1,max_iter=3"),
                   app = complete(problem, "app,form=paper,c2=0.1,max_iter=3");
  for (const Completion* c : {&ht, &hm, &app}) {
    EXPECT_EQ(parameter(*c, "diagonal"), "none");
    EXPECT_EQ(parameter(*c, "start"), "paper");
    EXPECT_EQ(parameter(*c, "scaling"), "paper");
    EXPECT_EQ(parameter(*c, "n_init"), "5");
  }
  EXPECT_EQ(parameter(ht, "readout"), "weights");
  EXPECT_EQ(parameter(hm, "readout"), "weights");
  EXPECT_EQ(parameter(ht, "rows"), "free");

  const Completion usual = complete(problem, "embd_ht,c1=1,c2=0.1,ridge=0.01");
  EXPECT_EQ(parameter(usual, "readout"), "identity");
  EXPECT_EQ(parameter(usual, "rows"), "carried");
  EXPECT_EQ(parameter(usual, "start"), "loo");
  EXPECT_EQ(parameter(usual, "n_init"), "1");
}

TEST(PaperForm, FittedIsTheReadOutAndOtherwiseTheObservedBlockIsKept) {
  const Problem problem = small_problem(8);
  for (const std::string method :
       {"embd_ht,form=paper,c1=1,c2=0.1,n_init=2,max_iter=20",
        "embd_ht,form=paper,readout=others,c1=1,c2=0.1,n_init=2,max_iter=20",
        "embd_ht,form=paper,rows=zero,c1=1,c2=0.1,n_init=2,max_iter=20",
        "embd_hm,form=paper,c2=0.1,n_init=2,max_iter=20",
        "app,form=paper,c2=0.1,n_init=2,max_iter=20"}) {
    RunOptions run;
    run.fitted = true;
    const Completion fitted = complete(problem, method, run), kept = complete(problem, method);
    bool differs = false;
    for (Index m = 0; m < M; ++m) {
      const ObservedKernel& view = problem.view(m);
      const Matrix own = fitted.kernels[at(m)](view.rows, view.rows);
      const Matrix pasted = kept.kernels[at(m)](view.rows, view.rows);
      EXPECT_TRUE(linalg::is_psd(fitted.kernels[at(m)], 1e-11)) << method;
      EXPECT_TRUE(linalg::is_psd(kept.kernels[at(m)], 1e-10)) << method;
      EXPECT_EQ(pasted, Matrix(view.block)) << method;
      differs = differs || own != pasted;
    }
    EXPECT_TRUE(differs) << method;  // the l2,1 norm shrinks A_II
  }
}

TEST(PaperForm, AppMinimisesAndMoreStartsNeverEndHigher) {
  const Problem problem = small_problem(9);
  for (const std::string start : {"loo", "random", "paper"}) {
    const std::string method = "app,form=paper,scaling=unit,c2=0.05,max_iter=2000,tol=1e-3,start=";
    const Completion one = complete(problem, method + start + ",n_init=1"),
                     three = complete(problem, method + start + ",n_init=3");
    EXPECT_EQ(one.info.status, Status::converged);
    EXPECT_LE(three.info.objective.back(), one.info.objective.back());
    for (std::size_t i = 1; i < one.info.objective.size(); ++i)
      EXPECT_LE(one.info.objective[i], one.info.objective[i - 1] * (1 + 1e-10));
  }
}

TEST(PaperForm, RefusesItsOptionsElsewhere) {
  const Problem problem = small_problem(10);
  test::expect_message([&] { complete(problem, "embd_hm,readout=weights"); }, "needs form=paper");
  test::expect_message([&] { complete(problem, "embd_ht,rows=free"); }, "needs form=paper");
  test::expect_message([&] { complete(problem, "embd_ht,start=paper"); }, "needs form=paper");
  test::expect_message([&] { complete(problem, "embd_ht,form=paper,rows=carried"); },
                       "needs form=features");
}

}  // namespace mkc::paper_form
