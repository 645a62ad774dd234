#include "mkc/evaluate/evaluation.hpp"

#include <cmath>

#include "files/result_reader.hpp"
#include "support/random_problem.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using test::input_error;
using test::TempDir;

TEST(EvaluationTrials, AreReadBack) {
  FinishedTrial trial{{"knn,k=3", 2, true}, {}};
  trial.result.spec = "knn,k=3";
  trial.result.status = "converged";
  trial.result.failure = "a \"quoted\"\ttext";
  trial.result.seconds = 0.1 + 0.2;
  trial.result.peak_mib = std::nan("");
  trial.result.views = {{3, 1.0 / 3, 2, 3, -0.5, std::nan("")}};
  trial.result.labels = {{4, {"complete", 7, 0.9, 0.8, 0.1, -0.01}}};
  const auto back = parse_trial(trial_json(trial));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->plan.method, "knn,k=3");
  EXPECT_EQ(back->plan.repeat, 2);
  EXPECT_EQ(back->result.failure, trial.result.failure);
  EXPECT_EQ(back->result.seconds, trial.result.seconds);
  EXPECT_TRUE(std::isnan(back->result.peak_mib));
  EXPECT_EQ(back->result.views.at(0).are, 1.0 / 3);
  EXPECT_TRUE(std::isnan(back->result.views.at(0).coverage));
  EXPECT_EQ(back->result.labels.at(0).scores.ari, -0.01);
  EXPECT_EQ(trial_json(*back), trial_json(trial));
}

TEST(EvaluationTrials, DamagedTextsAreNotTrials) {
  const std::string whole = trial_json({{"mean", 1, false}, {}});
  EXPECT_TRUE(parse_trial(whole));
  for (const std::string& text : {std::string(), whole.substr(0, whole.size() / 2),
                                  std::string("{\"format\": \"other\"}"), std::string("[1]")})
    EXPECT_FALSE(parse_trial(text));
}

TEST(EvaluationTrials, KeysDependOnEverythingThatMatters) {
  const auto random = mkc::test::random_problem(1);
  const Problem problem = random.problem();
  const std::string digest = problem_digest(problem, {});
  const EvaluatePlan plan;
  const TrialPlan trial{"knn", 1, false};
  const std::string key = trial_key(trial, plan, digest, nullptr);
  EXPECT_EQ(key, trial_key({"knn,k=5", 1, false}, plan, digest, nullptr)) << "5 is the default";
  EXPECT_NE(key, trial_key({"knn,k=6", 1, false}, plan, digest, nullptr));
  EXPECT_NE(key, trial_key({"knn", 2, false}, plan, digest, nullptr));
  const auto changed_by = [&](auto change) {
    EvaluatePlan other = plan;
    change(other);
    return trial_key(trial, other, digest, nullptr) != key;
  };
  EXPECT_TRUE(changed_by([](EvaluatePlan& p) { p.seed = 1; }));
  EXPECT_TRUE(changed_by([](EvaluatePlan& p) { p.fraction = 0.2; }));
  EXPECT_TRUE(changed_by([](EvaluatePlan& p) { p.quality = true; }));
  EXPECT_FALSE(changed_by([](EvaluatePlan& p) { p.repeats = 9; })) << "the first ones stay";

  auto changed = mkc::test::random_problem(1);
  changed.truth[0] *= 1 + 1e-12;
  EXPECT_NE(digest, problem_digest(changed.problem(), {}));
  KernelTransformOptions centred;
  centred.center = true;
  EXPECT_NE(digest, problem_digest(problem, {centred}));

  const Target a = make_labels({"x", "y"}), b = make_labels({"y", "x"});
  EXPECT_NE(trial_key({"knn", 0, true}, plan, digest, &a),
            trial_key({"knn", 0, true}, plan, digest, &b));
}

// As since `scores_since`: a key that changes has finished trials run again.
TEST(EvaluationTrials, KeysAreThoseOfEarlierVersions) {
  const Target labels = make_labels({"x", "y"});
  EXPECT_EQ(trial_key({"knn", 2, false}, {}, "problem", nullptr),
            "56c89d597de760fb8c3bc1a5b204608e3e44f9eced480e192d4f061913ad5814");
  EXPECT_EQ(trial_key({"knn", 0, true}, {}, "problem", &labels),
            "1cca9cff98f58fd45e98531a6dec4259cc0200a6ba9bed0c69a36286649246fc");
}

TEST(ResultReader, RefusesOtherFolders) {
  const TempDir folder;
  const std::string here = folder.path().string();
  const auto error = [&] { return input_error([&] { read_result(here); }); };
  test::expect_contains(input_error([&] { read_result(here + "/none"); }).what(), "no folder");
  test::expect_contains(error().what(), "no meta_info.json");
  folder.write("meta_info.json", "{\"command\": \"evaluate\"}");
  test::expect_contains(error().what(), "not written by mkc complete");
  folder.write("meta_info.json", R"({"method": "knn", "views": [{"name": 3}]})");
  test::expect_contains(error().what(), "not written by mkc complete");
  folder.write("meta_info.json", R"({"method": "knn", "views": [{"name": "a"}]})");
  test::expect_contains(error().what(), "a.tsv.gz");
  folder.write("kernels.npz", "no zip");
  test::expect_contains(error().what(), "kernels.npz");
}

}  // namespace
}  // namespace mkc::io
