#include "methods/shared/tuning.hpp"

#include <atomic>
#include <cmath>
#include <limits>

#include "methods/shared/observed_block.hpp"
#include "mkc/complete.hpp"
#include "mkc/registry.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

// Truth plus a symmetric error of the given size; zero where `noise` is 0.
std::vector<Matrix> disturbed(const std::vector<Matrix>& truth, double noise) {
  std::vector<Matrix> kernels = truth;
  for (Matrix& K : kernels) K += noise * K.cwiseAbs().maxCoeff() * Matrix::Ones(K.rows(), K.cols());
  return kernels;
}

TEST(Tuning, TakesTheCandidateWithTheSmallestErrorOnHiddenRows) {
  const auto p = test::random_problem(1, {.n_samples = 30, .n_views = 3});
  const Problem problem = p.problem();
  const TuningSet tuning(problem, 5);
  const std::vector<double> noise = {0.5, 0.1, 0.3, 0.1};
  RunOptions run;
  for (const int threads : {1, 3}) {
    SharedProgress progress(run);
    const auto complete = [&](const Problem&, std::size_t k, const ProgressCallback&) {
      return disturbed(p.truth, noise[k]);
    };
    const Choice choice = tuning.choose(noise.size(), threads, progress, "test", complete);
    EXPECT_TRUE(choice.made());
    EXPECT_EQ(choice.best, 1u);  // the first of equals
    const Matrix errors = tuning.errors(noise.size(), threads, progress, "test", complete);
    EXPECT_NEAR(choice.error, errors.row(1).mean(), 1e-10);
    EXPECT_EQ(choice.notice("k = 3").substr(0, 32), "k = 3: chosen on held-out rows, ");
  }
}

TEST(Tuning, ARaceGivesUpThoseThatAreClearlyBehindAndKeepsTheOthers) {
  const auto p = test::random_problem(1, {.n_samples = 30, .n_views = 3});
  const Problem problem = p.problem();
  const TuningSet tuning(problem, 5);
  const std::vector<double> noise = {0.5, 0.1, 0.1002, 0.3};
  RunOptions run;
  for (const int threads : {1, 3}) {
    SharedProgress progress(run);
    std::vector<std::atomic<int>> calls(noise.size());
    const auto complete = [&](const Problem&, std::size_t k, const ProgressCallback&) {
      ++calls[k];
      return disturbed(p.truth, noise[k]);
    };
    const Matrix all = tuning.errors(noise.size(), threads, progress, "test", complete);
    EXPECT_EQ(calls[0], 12);
    for (auto& count : calls) count = 0;
    const auto trials = tuning.race(noise.size(), threads, progress, "test", complete);
    EXPECT_EQ(calls[0], 3);  // after the first quarter of the copies
    EXPECT_EQ(calls[3], 3);
    EXPECT_EQ(calls[1], 12);
    EXPECT_EQ(calls[2], 12);
    for (const std::size_t k : {1u, 2u}) {
      EXPECT_FALSE(trials[k].dropped);
      EXPECT_EQ(trials[k].mean(), all.row(static_cast<Index>(k)).transpose());
    }
    for (const std::size_t k : {0u, 3u}) {
      EXPECT_TRUE(trials[k].dropped);
      EXPECT_TRUE((trials[k].mean().array() == std::numeric_limits<double>::infinity()).all());
    }
    // and against a leader from outside
    for (auto& count : calls) count = 0;
    const Matrix leader = 0.5 * trials[1].errors;
    for (const auto& trial :
         tuning.race(noise.size(), threads, progress, "test", complete, &leader))
      EXPECT_TRUE(trial.dropped);
    EXPECT_EQ(calls[1], 3);
  }
}

TEST(Tuning, HiddenRowsAreNotInTheProblemsThatCandidatesSee) {
  const Problem problem = test::random_problem(2, {.n_samples = 30, .n_views = 3}).problem();
  RunOptions run;
  SharedProgress progress(run);
  Index smaller = 0;
  TuningSet(problem, 0)
      .errors(1, 1, progress, "test",
              [&](const Problem& copy, std::size_t, const ProgressCallback&) {
                for (Index m = 0; m < 3; ++m)
                  smaller += copy.view(m).rows.size() < problem.view(m).rows.size();
                return std::vector<Matrix>(3, Matrix::Zero(30, 30));
              });
  EXPECT_GE(smaller, 3);
}

TEST(Tuning, ReportsThatNothingWasHeldOutOrThatItWasStopped) {
  // Views of three samples have none to spare.
  Mask observed = Mask::Constant(4, 2, true);
  observed(3, 0) = observed(0, 1) = false;
  const Problem tiny({test::random_psd(4, 4, 1), test::random_psd(4, 4, 2)}, observed);
  const auto zero = [](const Problem& copy, std::size_t, const ProgressCallback&) {
    return std::vector<Matrix>(2, Matrix::Zero(copy.n_samples(), copy.n_samples()));
  };
  RunOptions run;
  SharedProgress progress(run);
  const Choice none = TuningSet(tiny, 0).choose(2, 1, progress, "test", zero);
  EXPECT_FALSE(none.made());
  EXPECT_EQ(none.notice("c = 1"), "c = 1: no rows could be held out to choose it");

  run.progress = [](const Progress& p) { return p.phase != "test"; };
  SharedProgress stopping(run);
  const Choice stopped = TuningSet(tiny, 0).choose(2, 1, stopping, "test", zero);
  EXPECT_FALSE(stopped.made());
  EXPECT_EQ(stopped.notice("c = 1"), "c = 1: stopped before it was chosen");
  EXPECT_FALSE(stopping.callback("later")({"fit", 1, 2, 0}));  // not forgotten
}

TEST(Tuning, ParametersOfEveryMethodHoldTheValuesUsed) {
  const Problem problem =
      test::random_problem(3, {.n_samples = 24, .n_views = 3, .first_view_complete = true})
          .problem();
  for (const auto& method : methods()) {
    const Completion c = complete(problem, method.name);
    ASSERT_EQ(c.info.parameters.size(), method.options.size()) << method.name;
    OptionValues given;
    for (std::size_t i = 0; i < method.options.size(); ++i) {
      EXPECT_EQ(c.info.parameters[i].first, method.options[i].name);
      EXPECT_NE(c.info.parameters[i].second, "auto") << method.name;
    }
    // and they give the same result once more
    const Completion again = complete(problem, format_spec({method.name, c.info.parameters}));
    for (std::size_t m = 0; m < c.kernels.size(); ++m)
      EXPECT_EQ(again.kernels[m], c.kernels[m]) << method.name;
  }
}

}  // namespace
}  // namespace mkc
