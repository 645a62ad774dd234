#include "experiments/experiment.hpp"

#include <cmath>
#include <filesystem>

#include "experiments/experiment_tables.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using test::contains;
using test::expect_contains;
using test::message;

const std::string methods = R"(
[[method]]
name = "knn"
grid = { k = [1, 2, 3] }
short = { k = [2] }
[[method]]
name = "embd_hm"
mkc = true
spec = "embd_hm,ridge=0.01"
grid = { c2 = [0.1, 1] }
[[method]]
name = "em"
first_view_complete = true
)";

Experiment parse(const std::string& text, bool full = true) {
  return parse_experiment(text, "folder/mine.toml", methods, full);
}

const std::string two_sets = "[[data]]\ntoy = \"TOYL\"\n[[data]]\ntoy = \"TOYG1\"\n";

std::string built_in(const std::string& name) {
  return test::read_file(test::source_file("experiments/" + name + ".toml"));
}

TEST(ExperimentConfig, BuiltInExperimentsAreRead) {
  for (const char* name : {"toy", "authors", "dream", "rcv", "more", "proportion", "literal"}) {
    for (const bool full : {false, true}) {
      const Experiment experiment =
          parse_experiment(built_in(name), std::string(name) + ".toml", built_in("methods"), full);
      EXPECT_EQ(experiment.name, name);
      EXPECT_FALSE(experiment.data.empty());
      Index mkc = 0;
      for (const auto& method : experiment.methods) mkc += method.mkc;
      EXPECT_EQ(mkc, name == std::string("literal") ? 2 : 4);
    }
  }
}

TEST(ExperimentConfig, ValuesAreThoseOfThePaper) {
  const Experiment toy = parse_experiment(built_in("toy"), "toy.toml", built_in("methods"), true);
  EXPECT_EQ(toy.partitions, 5);
  ASSERT_EQ(toy.data.size(), 4u);
  for (const auto& data : toy.data) {
    EXPECT_EQ(data.views_missing, (Indices{1, 2, 3}));
    EXPECT_EQ(data.protocol.tuning, 0.4);
  }
  const Experiment dream =
      parse_experiment(built_in("dream"), "dream.toml", built_in("methods"), true);
  EXPECT_EQ(dream.data[0].views_missing, (Indices{1, 3, 5}));
  EXPECT_EQ(dream.data[0].protocol.tuning, 0.6);
  for (const auto& method : toy.methods) {
    for (const auto& [option, values] : method.tuned.grid) {
      if (option == "k") {
        EXPECT_EQ(values, (Strings{"1", "2", "3", "5", "7", "10"}));
      }
      if (option == "c1" || option == "c") {
        EXPECT_EQ(values.front(), "0.001");
        EXPECT_EQ(values.back(), "1000");
        EXPECT_EQ(values.size(), 7u);
      }
    }
    EXPECT_EQ(method.first_view_complete, method.tuned.name == "em");
  }
}

TEST(ExperimentConfig, PaperFiguresGiveThePrintedRatios) {
  const PaperFigures figures = parse_paper_figures(built_in("paper"), "paper.toml");
  const double printed[][3] = {{.21, .27, .13}, {.12, .13, .19}, {.12, .19, .16},
                               {.19, .17, .21}, {.89, .73, .73}, {.20, .22, .20}};
  const char* columns[] = {"TOYL", "TOYG1", "TOYG0.1", "TOYLG1", "DREAM", "RCV1/RCV2"};
  for (int c = 0; c < 6; ++c)
    for (Index level = 0; level < 3; ++level) {
      double best = INFINITY;
      for (const char* method : {"embd_ht", "app", "sdp", "embd_hm"})
        best = std::fmin(best, paper_figure(figures.errors, columns[c], method, level));
      EXPECT_NEAR(best / paper_figure(figures.errors, columns[c], "knn", level), printed[c][level],
                  0.0051)
          << columns[c] << " " << level;
    }
  EXPECT_TRUE(std::isnan(paper_figure(figures.errors, "RCV1/RCV2", "sdp", 0)));
  EXPECT_EQ(paper_figure(figures.minutes, "TOY", "sdp", 2), 178.1);
}

TEST(ExperimentConfig, ShortAndFull) {
  const std::string text =
      "partitions = 5\nlosing = [0.5, 1]\n[short]\npartitions = 2\nlosing = [1]\nmethods = "
      "[\"knn\"]\n" +
      two_sets + "full_only = true\n";
  const Experiment full = parse(text), coarse = parse(text, false);
  EXPECT_EQ(full.name, "mine");
  EXPECT_EQ(full.partitions, 5);
  EXPECT_EQ(coarse.partitions, 2);
  EXPECT_EQ(coarse.losing, std::vector<double>{1});
  EXPECT_EQ(full.data.size(), 2u);
  EXPECT_EQ(coarse.data.size(), 1u);
  EXPECT_EQ(full.methods.size(), 3u);
  ASSERT_EQ(coarse.methods.size(), 1u);
  EXPECT_EQ(grid_specs(full.methods[0].tuned), (Strings{"knn,k=1", "knn,k=2", "knn,k=3"}));
  EXPECT_EQ(grid_specs(coarse.methods[0].tuned), Strings{"knn,k=2"});
  const std::string replacement = two_sets + "short_only = true\n";
  EXPECT_EQ(parse(replacement).data.size(), 1u);
  EXPECT_EQ(parse(replacement, false).data.size(), 2u);
}

TEST(ExperimentConfig, MistakesAreReported) {
  const auto error = [](const std::string& text) { return message([&] { parse(text); }); };
  expect_contains(error("partitons = 3\n" + two_sets), "did you mean 'partitions'");
  expect_contains(error("partitons = 3\n" + two_sets), "folder/mine.toml, line 1");
  expect_contains(error("partitions = 0\n" + two_sets), "whole number from 1");
  expect_contains(error("methods = [\"knm\"]\n" + two_sets), "did you mean 'knn'");
  expect_contains(error("measure = \"mse\"\n" + two_sets), "are or are_squared");
  expect_contains(error("losing = [2]\n" + two_sets), "'2' in 'losing'");
  expect_contains(error("[[data]]\ntoy = \"TOYX\"\n"), "TOYX");
  expect_contains(error("[[data]]\nname = \"a\"\n"), "needs one of toy, splits and [[data.view]]");
  expect_contains(error("[[data]]\nname = \"a\"\n[[data.view]]\narray = \"K\"\n"), "has no file");
  expect_contains(error("title = 3\n" + two_sets), "'title' is not a text");
  expect_contains(error("title = \"a\"\n"), "there is no [[data]]");
  expect_contains(error("title = \n"), "line 1");
  expect_contains(error(two_sets + "[[method]]\nname = \"knn\"\ngrid = { k = [0] }\n"), "k");
  expect_contains(error(two_sets + "[[method]]\nname = \"knm\"\n"), "did you mean 'knn'");
}

TEST(ExperimentTrials, ThePlanHasEveryCombinationOnce) {
  const Experiment experiment = parse("partitions = 2\nlosing = [0.5, 1]\n" + two_sets);
  const auto trials = plan_experiment(experiment, {true, true});
  EXPECT_EQ(trials.size(), 2u * 2 * 2 * 3 * 3);
  std::set<std::string> keys;
  for (const auto& trial : trials)
    keys.insert(experiment_trial_key(experiment, trial, trial.data == 0 ? "a" : "b"));
  EXPECT_EQ(keys.size(), trials.size());
  EXPECT_EQ(plan_experiment(experiment, {true, false}).size(), trials.size() / 2);
}

TEST(ExperimentTrials, KeysDependOnEverythingThatMatters) {
  Experiment experiment = parse(two_sets);
  const ExperimentTrial trial{0, 0, 1, 1, 2};
  const std::string key = experiment_trial_key(experiment, trial, "digest");
  EXPECT_EQ(key, "88a057ee4678fc4ad16a77d212581f21fe3a5a9e35660ad5545bbd9ab20c1eba")
      << "the key since `scores_since`";
  EXPECT_NE(key, experiment_trial_key(experiment, trial, "other"));
  const auto changed = [&](auto change) {
    Experiment other = experiment;
    change(other);
    return experiment_trial_key(other, trial, "digest") != key;
  };
  EXPECT_TRUE(changed([](Experiment& e) { e.seed = 1; }));
  EXPECT_TRUE(changed([](Experiment& e) { e.measure = Measure::are_squared; }));
  EXPECT_TRUE(changed([](Experiment& e) { e.methods[0].tuned.grid[0].second = {"1"}; }));
  EXPECT_TRUE(changed([](Experiment& e) { e.data[0].protocol.whole = 0.2; }));
  EXPECT_TRUE(changed([](Experiment& e) { e.data[0].views_missing = {1, 3}; }));
  EXPECT_TRUE(changed([](Experiment& e) { e.methods[0].tuned.fitted = true; }));
  EXPECT_FALSE(changed([](Experiment& e) { e.methods[0].paper = "x"; }));
  EXPECT_FALSE(changed([](Experiment& e) { e.title = "x"; }));
  EXPECT_FALSE(changed([](Experiment& e) { e.partitions = 9; }));
}

TEST(ExperimentTrials, AreReadBack) {
  const Experiment experiment = parse(two_sets);
  ExperimentTrial trial{0, 0, 1, 1, 2, {"knn,k=3", 3, 1.0 / 3, 0.25, {}}};
  trial.result.test.spec = "knn,k=3";
  trial.result.test.views = {{3, 1.0 / 7, 2, 3, -0.5, std::nan("")}};
  const std::string text = experiment_trial_json(experiment, trial);
  for (const char* part : {"\"seed\": 0", "\"partition\": 2", "\"views_missing\": 2", "TOYL"})
    expect_contains(text, part);
  const auto back = parse_tuned_result(text);
  ASSERT_TRUE(back);
  EXPECT_EQ(experiment_trial_json(experiment, {0, 0, 1, 1, 2, *back}), text);
  EXPECT_FALSE(parse_tuned_result(text.substr(0, text.size() / 2)));
  EXPECT_FALSE(parse_tuned_result(""));
}

TEST(ExperimentTables, AMethodMayHaveTheRowOfAnother) {
  ExperimentRun run;
  run.experiment = parse_experiment(
      "partitions = 1\n[[data]]\ntoy = \"TOYL\"\npaper = \"TOYL\"\n[[method]]\nname = \"mine\"\n"
      "spec = \"mean\"\npaper = \"knn\"\nfitted = true\n",
      "mine.toml", methods, true);
  EXPECT_TRUE(run.experiment.methods.at(3).tuned.fitted);
  run.paper.errors["TOYL"]["knn"] = {0.4};
  ExperimentTrial trial{0, 3, 0, 1, 1};
  trial.result.test.views.push_back({2, 1, 1, 0, 0, std::nan("")});
  run.trials = {trial};
  run.missing = {""};
  expect_contains(experiment_markdown(run, "mkc", {}), "| `mine` | 1 (0.4) |");
}

TEST(ExperimentTrials, MasksForMethodsThatNeedACompleteView) {
  const Experiment experiment = parse(two_sets);
  const LoadedData data = load_data(experiment.data[0], "", 0);
  const Task em = test_task(data.problem, split_of(experiment, {0, 2, 2, 1, 1}, data));
  EXPECT_TRUE(em.visible.problem.complete(0));
  const Task knn = test_task(data.problem, split_of(experiment, {0, 0, 2, 1, 1}, data));
  EXPECT_FALSE(knn.visible.problem.complete(0));
  EXPECT_EQ(em.truth.samples(), knn.truth.samples());
}

ExperimentTrial made_up(std::size_t method, Index level, Index partition, double first,
                        double second) {
  ExperimentTrial trial{0, method, level, 1, partition};
  for (const double value : {first, second})
    trial.result.test.views.push_back({2, std::sqrt(value), value, 0, 0, std::nan("")});
  trial.result.test.seconds = double(partition);
  return trial;
}

TEST(ExperimentTables, MeansDeviationsAndRatios) {
  ExperimentRun run;
  run.experiment = parse("partitions = 2\n[[data]]\ntoy = \"TOYL\"\npaper = \"TOYL\"\n");
  run.paper.errors["TOYL"]["embd_hm"] = {0.1};
  run.paper.errors["TOYL"]["knn"] = {0.4};
  run.trials = {made_up(0, 0, 1, 2, 4), made_up(1, 0, 1, 1, 1), made_up(0, 0, 2, 4, 6),
                made_up(1, 0, 2, 2, 4)};
  run.planned = 4;
  run.missing = {""};
  const auto summaries = summarize(run);
  ASSERT_EQ(summaries.size(), 2u);
  EXPECT_DOUBLE_EQ(summaries[0].errors.are_squared.mean, 4);  // of (2 + 4)/2 and (4 + 6)/2
  // of 2, 4, 4, 6: over views and partitions, as in the paper
  EXPECT_DOUBLE_EQ(summaries[0].errors.are_squared.deviation, std::sqrt(8.0 / 3));
  EXPECT_DOUBLE_EQ(summaries[0].seconds.mean, 1.5);
  const auto ratio = ratios(run).at(0);
  EXPECT_EQ(ratio.best, "embd_hm");
  EXPECT_DOUBLE_EQ(ratio.ratio, 2.0 / 4);
  EXPECT_DOUBLE_EQ(ratio.paper_ratio, 0.25);
  EXPECT_TRUE(std::isnan(ratio.automatic));
  EXPECT_TRUE(std::isnan(ratio.over_diagonal));
  run.experiment.methods[2].tuned.name = "knn, diagonal";
  run.trials.push_back(made_up(2, 0, 1, 4, 12));
  EXPECT_DOUBLE_EQ(ratios(run).at(0).over_diagonal, 2.0 / 8);
  const std::string page = experiment_markdown(run, "mkc experiment mine", {"spectra.svg"});
  expect_contains(page, "| `knn` | 4 ± 1.6 (0.4) |");
  expect_contains(page, "![spectra.svg](spectra.svg)");
  expect_contains(error_tsv(run), "TOYL\t1\t1\tembd_hm\t");
}

TEST(ExperimentTables, FailedTrialsAreReported) {
  ExperimentRun run;
  run.experiment = parse("partitions = 1\n[[data]]\ntoy = \"TOYL\"\n");
  run.trials = {made_up(0, 0, 1, 2, 4)};
  run.trials.push_back({0, 1, 0, 1, 1});
  run.trials.back().result.test.failure = "it broke";
  run.missing = {""};
  const std::string page = experiment_markdown(run, "mkc", {});
  expect_contains(page, "embd_hm on TOYL failed in 1 of 1 trials: it broke");
  expect_contains(page, "| `embd_hm` | failed |");
  EXPECT_EQ(summarize(run)[0].failed, 0);
}

TEST(ExperimentFigures, AreWellFormed) {
  ExperimentRun run;
  run.experiment = parse("partitions = 1\nlosing = [0.5, 1]\n[[data]]\ntoy = \"TOYL\"\n");
  for (const double losing : {0.5, 1.0}) {
    run.trials.push_back(made_up(0, 0, 1, 2 * losing, 4));
    run.trials.back().losing = losing;
  }
  Vector values(3);
  values << 0.7, 0.3, 0;
  run.spectra = {{0, "a<b", values}};
  const std::string spectra = spectrum_svg(run), losing = losing_svg(run);
  for (const auto& svg : {spectra, losing}) {
    EXPECT_TRUE(svg.starts_with("<svg"));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_FALSE(contains(svg, "nan") || contains(svg, "inf"));
    expect_contains(svg, "<polyline points=\"");
  }
  expect_contains(spectra, "a&lt;b");
  run.experiment.losing = {1};
  EXPECT_EQ(losing_svg(run), "");
}

}  // namespace
}  // namespace mkc::io
