#include "mkc/evaluate/evaluation.hpp"

#include <cmath>

#include "support/view_files.hpp"
#include "mkc/evaluate/cell.hpp"
#include "files/result_reader.hpp"
#include "support/random_problem.hpp"

namespace mkc::io {
namespace {

using test::input_error;
using test::TempDir;

TEST(EvaluationCells, ComeBackAsTheyWere) {
  EvaluatedCell cell{{"knn,k=3", 2, true}, {}};
  cell.result.spec = "knn,k=3";
  cell.result.status = "converged";
  cell.result.failure = "a \"quoted\"\ttext";
  cell.result.seconds = 0.1 + 0.2;
  cell.result.peak_mib = std::nan("");
  cell.result.views = {{3, 1.0 / 3, 2, 3, -0.5, std::nan("")}};
  cell.result.labels = {{4, {"complete", 7, 0.9, 0.8, 0.1, -0.01}}};
  const auto back = parse_cell(cell_json(cell));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->plan.method, "knn,k=3");
  EXPECT_EQ(back->plan.repeat, 2);
  EXPECT_EQ(back->result.failure, cell.result.failure);
  EXPECT_EQ(back->result.seconds, cell.result.seconds);
  EXPECT_TRUE(std::isnan(back->result.peak_mib));
  EXPECT_EQ(back->result.views.at(0).are, 1.0 / 3);
  EXPECT_TRUE(std::isnan(back->result.views.at(0).coverage));
  EXPECT_EQ(back->result.labels.at(0).scores.ari, -0.01);
  EXPECT_EQ(cell_json(*back), cell_json(cell));
}

TEST(EvaluationCells, DamagedOnesAreNoCells) {
  const std::string whole = cell_json({{"mean", 1, false}, {}});
  EXPECT_TRUE(parse_cell(whole));
  for (const std::string& text : {std::string(), whole.substr(0, whole.size() / 2),
                                  std::string("{\"format\": \"other\"}"), std::string("[1]")})
    EXPECT_FALSE(parse_cell(text));
}

TEST(EvaluationCells, KeysFollowAllThatMatters) {
  const auto random = mkc::test::random_problem(1);
  const Problem problem = random.problem();
  const std::string digest = problem_digest(problem, {});
  const EvaluatePlan plan;
  const CellPlan cell{"knn", 1, false};
  const std::string key = cell_key(cell, plan, digest, nullptr);
  EXPECT_EQ(key, cell_key({"knn,k=5", 1, false}, plan, digest, nullptr)) << "5 is the default";
  EXPECT_NE(key, cell_key({"knn,k=6", 1, false}, plan, digest, nullptr));
  EXPECT_NE(key, cell_key({"knn", 2, false}, plan, digest, nullptr));
  EvaluatePlan other = plan;
  other.seed = 1;
  EXPECT_NE(key, cell_key(cell, other, digest, nullptr));
  other = plan;
  other.fraction = 0.2;
  EXPECT_NE(key, cell_key(cell, other, digest, nullptr));
  other = plan;
  other.quality = true;
  EXPECT_NE(key, cell_key(cell, other, digest, nullptr));
  other = plan;
  other.repeats = 9;
  EXPECT_EQ(key, cell_key(cell, other, digest, nullptr)) << "more repeats keep the first ones";

  auto changed = mkc::test::random_problem(1);
  changed.truth[0] *= 1 + 1e-12;
  EXPECT_NE(digest, problem_digest(changed.problem(), {}));
  KernelTransformOptions centred;
  centred.center = true;
  EXPECT_NE(digest, problem_digest(problem, {centred}));

  const Labels a = make_labels({"x", "y"}), b = make_labels({"y", "x"});
  EXPECT_NE(cell_key({"knn", 0, true}, plan, digest, &a),
            cell_key({"knn", 0, true}, plan, digest, &b));
}

TEST(ResultReader, RefusesWhatIsNoResult) {
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
