#include "experiments/trial.hpp"

#include <cmath>

#include "mkc/complete.hpp"
#include "experiments/toy.hpp"
#include "support/expect_message.hpp"

namespace mkc {
namespace {

const TunedMethod neighbours = {"knn", "knn", {{"k", {"1", "3", "10"}}}};

Problem toy() {
  return toy_problem("TOYLG1", ToyRecipe::released, 2);
}

Split split_of(const Problem& data) {
  Protocol protocol;
  protocol.views_missing = 2;
  return draw_losses(data, draw_partition(data, protocol, 1, 1), protocol, 1, 1);
}

TEST(Trial, GridsAreProducts) {
  const TunedMethod method = {"x", "embd_ht", {{"c1", {"0.1", "1"}}, {"c2", {"2", "3"}}}};
  EXPECT_EQ(grid_specs(method), (Strings{"embd_ht,c1=0.1,c2=2", "embd_ht,c1=0.1,c2=3",
                                         "embd_ht,c1=1,c2=2", "embd_ht,c1=1,c2=3"}));
  EXPECT_EQ(grid_specs({"mean", "mean", {}}), Strings{"mean"});
}

TEST(Trial, TheChoiceIsTheBestOnTheTuningSet) {
  const Trial trial = make_trial(toy(), split_of(toy()));
  for (const Measure measure : {Measure::are, Measure::are_squared}) {
    const TunedChoice choice = choose_on(trial.tuning, neighbours, measure, {});
    EXPECT_EQ(choice.tried, 3);
    double best = INFINITY;
    for (const auto& spec : grid_specs(neighbours)) {
      const Completion completion = complete(trial.tuning.visible.problem, spec);
      double sum = 0;
      for (Index m = 0; m < 5; ++m) {
        const SharedMatrix& K = trial.tuning.truth.view(m).block;
        const Matrix& E = completion.kernels[std::size_t(m)];
        double view = 0;
        const auto& hidden = trial.tuning.visible.hidden[std::size_t(m)];
        for (const Index t : hidden) {
          const double error = (E.col(t) - K.col(t)).norm() / K.col(t).norm();
          view += measure == Measure::are ? error : error * error;
        }
        sum += 100 * view / double(hidden.size()) / 5;
      }
      if (sum < best) {
        best = sum;
        if (spec == choice.spec) {
          EXPECT_NEAR(choice.error, sum, 1e-9);
        }
      }
      EXPECT_GE(sum, choice.error - 1e-9);
    }
  }
}

TEST(Trial, NothingIsChosenWhereNothingIsHidden) {
  Trial trial = make_trial(toy(), split_of(toy()));
  trial.tuning.visible.hidden.assign(trial.tuning.visible.hidden.size(), {});
  test::expect_message([&] { choose_on(trial.tuning, neighbours, Measure::are, {}); },
                       "no row of the tuning set is hidden");
}

TEST(Trial, TheResultIsThatOfTheChosenOptions) {
  const Trial trial = make_trial(toy(), split_of(toy()));
  const TrialResult result = run_trial(trial, neighbours, Measure::are, {});
  const Completion completion = complete(trial.test.visible.problem, result.choice.spec);
  const auto scores = score_hidden_rows(trial.test.truth, trial.test.visible, completion);
  ASSERT_EQ(result.test.views.size(), 5u);
  for (std::size_t m = 0; m < 5; ++m) EXPECT_EQ(result.test.views[m].are, scores[m].are);
  EXPECT_EQ(result.test.failure, "");
}

// Other numbers in every hidden row of the test samples: the choice and the completion are the
// same.
TEST(Trial, TheTruthOfTheTestSetIsNotRead) {
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
  const Trial trial = make_trial(data, split), changed = make_trial(other, split);
  for (const auto& method :
       {neighbours, TunedMethod{"hm", "embd_hm,ridge=0.01", {{"c2", {"0.1", "1"}}}},
        TunedMethod{"auto", "auto,candidates=wknn+mean", {}}}) {
    const TrialResult a = run_trial(trial, method, Measure::are, {});
    const TrialResult b = run_trial(changed, method, Measure::are, {});
    EXPECT_EQ(a.choice.spec, b.choice.spec);
    if (a.choice.tried > 0) {
      EXPECT_EQ(a.choice.error, b.choice.error);
    }
    const auto kernels = complete(trial.test.visible.problem, a.choice.spec).kernels;
    const auto same = complete(changed.test.visible.problem, b.choice.spec).kernels;
    for (std::size_t m = 0; m < kernels.size(); ++m) EXPECT_EQ(kernels[m], same[m]);
    EXPECT_NE(a.test.views[0].are, b.test.views[0].are);  // only the score knows
  }
}

TEST(Trial, FailuresAreResults) {
  const Trial trial = make_trial(toy(), split_of(toy()));
  const TrialResult result = run_trial(trial, {"em", "em", {}}, Measure::are, {});
  EXPECT_EQ(result.test.status, "failed");
  EXPECT_NE(result.test.failure.find("no view is complete"), std::string::npos)
      << result.test.failure;
  const TrialResult tried =
      run_trial(trial, {"em", "em", {{"ridge", {"0.1", "1"}}}}, Measure::are, {});
  EXPECT_NE(tried.test.failure.find("no view is complete"), std::string::npos);
  EXPECT_EQ(tried.choice.tried, 0);
}

TEST(Trial, InterruptedOnesAreNotFinished) {
  const Trial trial = make_trial(toy(), split_of(toy()));
  RunOptions run;
  run.progress = [](const Progress&) { return false; };
  const TunedMethod method = {"hm", "embd_hm,ridge=0.01", {{"c2", {"0.1", "1"}}}};
  EXPECT_TRUE(run_trial(trial, method, Measure::are, run).test.interrupted);
}

}  // namespace
}  // namespace mkc
