#include "experiments/tuning.hpp"

#include <cmath>

#include "experiments/toy.hpp"
#include "mkc/complete.hpp"
#include "support/expect_message.hpp"

namespace mkc {
namespace {

const TunedMethod neighbours = {"knn", "knn", {{"k", {"1", "3", "10"}}}};

Problem toy() { return toy_problem("TOYLG1", ToyRecipe::released, 2); }

Split split_of(const Problem& data) {
  Protocol protocol;
  protocol.views_missing = 2;
  return draw_losses(data, draw_partition(data, protocol, 1, 1), protocol, 1, 1);
}

TEST(Tuning, GridsAreProducts) {
  const TunedMethod method = {"x", "embd_ht", {{"c1", {"0.1", "1"}}, {"c2", {"2", "3"}}}};
  EXPECT_EQ(grid_specs(method), (Strings{"embd_ht,c1=0.1,c2=2", "embd_ht,c1=0.1,c2=3",
                                         "embd_ht,c1=1,c2=2", "embd_ht,c1=1,c2=3"}));
  EXPECT_EQ(grid_specs({"mean", "mean", {}}), Strings{"mean"});
}

TEST(Tuning, TheChoiceIsTheBestOnTheTuningSet) {
  const Task tuning = tuning_task(toy(), split_of(toy()));
  for (const Measure measure : {Measure::are, Measure::are_squared}) {
    const TunedResult result = tune(tuning, neighbours, measure, {});
    EXPECT_EQ(result.tried, 3);
    double best = INFINITY;
    for (const auto& spec : grid_specs(neighbours)) {
      const Completion completion = complete(tuning.visible.problem, spec);
      double sum = 0;
      for (Index m = 0; m < 5; ++m) {
        const SharedMatrix& K = tuning.truth.view(m).block;
        const Matrix& E = completion.kernels[std::size_t(m)];
        double view = 0;
        const auto& hidden = tuning.visible.hidden[std::size_t(m)];
        for (const Index t : hidden) {
          const double error = (E.col(t) - K.col(t)).norm() / K.col(t).norm();
          view += measure == Measure::are ? error : error * error;
        }
        sum += 100 * view / double(hidden.size()) / 5;
      }
      if (sum < best) {
        best = sum;
        if (spec == result.chosen) {
          EXPECT_NEAR(result.tuning_error, sum, 1e-9);
        }
      }
      EXPECT_GE(sum, result.tuning_error - 1e-9);
    }
  }
}

TEST(Tuning, FittedScoresTheMatricesOfTheMethod) {
  const TunedMethod own = {"own", "mean", {}, true}, completed = {"mean", "mean", {}};
  const TunedResult a = run_tuned(toy(), split_of(toy()), own, Measure::are, {}),
                    b = run_tuned(toy(), split_of(toy()), completed, Measure::are, {});
  const Task test = test_task(toy(), split_of(toy()));
  RunOptions run;
  run.fitted = true;
  const Completion matrices = complete(test.visible.problem, "mean", run);
  const Vector errors = held_out_errors(test.truth, test.visible, matrices.kernels);
  for (std::size_t m = 0; m < a.test.views.size(); ++m)
    EXPECT_NEAR(a.test.views[m].are, errors(Index(m)), 1e-12);
  EXPECT_GT(std::abs(a.test.views[0].are - b.test.views[0].are), 0.1);
}

TEST(Tuning, NothingIsChosenWhereNothingIsHidden) {
  Task tuning = tuning_task(toy(), split_of(toy()));
  tuning.visible.hidden.assign(tuning.visible.hidden.size(), {});
  test::expect_message([&] { tune(tuning, neighbours, Measure::are, {}); },
                       "no row of the tuning set is hidden");
}

TEST(Tuning, TheResultIsThatOfTheChosenOptions) {
  const TunedResult result = run_tuned(toy(), split_of(toy()), neighbours, Measure::are, {});
  const Task test = test_task(toy(), split_of(toy()));
  const Completion completion = complete(test.visible.problem, result.chosen);
  const auto scores = score_hidden_rows(test.truth, test.visible, completion);
  ASSERT_EQ(result.test.views.size(), 5u);
  for (std::size_t m = 0; m < 5; ++m) EXPECT_EQ(result.test.views[m].are, scores[m].are);
  EXPECT_EQ(result.test.failure, "");
}

// Other numbers in every hidden row of the test samples: the choice and the completion are the
// same.
TEST(Tuning, TheTruthOfTheTestSetIsNotRead) {
  const Problem data = toy();
  const Split split = split_of(data);
  std::vector<SharedMatrix> blocks;
  for (Index m = 0; m < data.n_views(); ++m) {
    Matrix K(data.view(m).block);
    for (const Index t : split.partition.test)
      if (split.hidden(t, m)) {
        K.row(t) *= 0.5;
        K.col(t) *= 0.5;
      }
    blocks.push_back(K);
  }
  const Problem other = data.with_blocks(blocks);
  const Task test = test_task(data, split), changed = test_task(other, split);
  for (const auto& method :
       {neighbours, TunedMethod{"hm", "embd_hm,ridge=0.01", {{"c2", {"0.1", "1"}}}},
        TunedMethod{"auto", "auto,candidates=wknn+mean", {}}}) {
    const TunedResult a = run_tuned(data, split, method, Measure::are, {});
    const TunedResult b = run_tuned(other, split, method, Measure::are, {});
    EXPECT_EQ(a.chosen, b.chosen);
    if (a.tried > 0) {
      EXPECT_EQ(a.tuning_error, b.tuning_error);
    }
    const auto kernels = complete(test.visible.problem, a.chosen).kernels;
    const auto same = complete(changed.visible.problem, b.chosen).kernels;
    for (std::size_t m = 0; m < kernels.size(); ++m) EXPECT_EQ(kernels[m], same[m]);
    EXPECT_NE(a.test.views[0].are, b.test.views[0].are);  // only the score uses it
  }
}

TEST(Tuning, FailuresAreResults) {
  const TunedResult result = run_tuned(toy(), split_of(toy()), {"em", "em", {}}, Measure::are, {});
  EXPECT_EQ(result.test.status, "failed");
  EXPECT_NE(result.test.failure.find("no view is complete"), std::string::npos)
      << result.test.failure;
  const TunedResult tried =
      run_tuned(toy(), split_of(toy()), {"em", "em", {{"ridge", {"0.1", "1"}}}}, Measure::are, {});
  EXPECT_NE(tried.test.failure.find("no view is complete"), std::string::npos);
  EXPECT_EQ(tried.tried, 0);
}

TEST(Tuning, InterruptedTrialsAreNotFinished) {
  RunOptions run;
  run.progress = [](const Progress&) { return false; };
  const TunedMethod method = {"hm", "embd_hm,ridge=0.01", {{"c2", {"0.1", "1"}}}};
  EXPECT_TRUE(run_tuned(toy(), split_of(toy()), method, Measure::are, run).test.interrupted);
}

}  // namespace
}  // namespace mkc
