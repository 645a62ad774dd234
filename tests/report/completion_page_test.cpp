#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/tables_out.hpp"
#include "mkc/base/error.hpp"
#include "mkc/combine.hpp"
#include "numeric/linalg/eigh.hpp"
#include "report/completion_parts.hpp"
#include "report/report.hpp"
#include "report/warnings.hpp"
#include "support/random_problem.hpp"
#include "support/temp_dir.hpp"

namespace mkc::report {
namespace {

// The folder of a result, as `mkc complete` leaves it, without the kernels.
struct Stored {
  test::RandomProblem problem;
  test::TempDir folder;

  explicit Stored(std::uint64_t seed) : problem(test::random_problem(seed)) {
    io::write_matrix_tsv(folder.file("observed.tsv"), problem.samples, problem.views,
                         problem.observed.cast<double>());
    folder.write("meta_info.json", meta().dump());
    std::string quality = "sample\tview\tobserved_views\trelative_error\tlow\thigh\n";
    for (Index m = 0; m < 3; ++m)
      for (Index i = 0; i < problem.observed.rows(); ++i)
        if (!problem.observed(i, m))
          quality += fmt::format("s{}\tv{}\t1\t{}\t{}\t{}\n", i, m, error(i, m), 0.5 * error(i, m),
                                 2 * error(i, m));
    folder.write("quality.tsv", quality);
  }

  static double error(Index i, Index m) {
    return 0.01 * static_cast<double>(i + 1) + 0.1 * static_cast<double>(m);
  }

  Json meta() const {
    Json views = Json::array(), errors = Json::object();
    for (const auto& name : problem.views) {
      views.push_back({{"name", name}, {"observed", 10}, {"missing", 10}});
      errors[name] = {{"held_out_error", 0.2}, {"mean_fill_error", 0.4}};
    }
    return {{"method", "knn"},
            {"status", "converged"},
            {"views", views},
            {"objective", {3.0, 2.0, 1.0}},
            {"quality", {{"coverage", 0.9}, {"hidden_rows", 100}, {"views", errors}}}};
  }

  ResultFiles files() const {
    return read_result_files(folder.path(), problem.samples, problem.views);
  }
};

Json data_of(const std::string& page) {
  const std::string open = "id=\"data\">";
  const auto begin = page.find(open) + open.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(ResultFiles, AreReadBack) {
  const Stored stored(1);
  const ResultFiles files = stored.files();
  EXPECT_TRUE((files.observed == stored.problem.observed).all());
  EXPECT_FALSE(files.relations || files.uncertainty || files.truth);
  for (Index m = 0; m < 3; ++m)
    for (Index i = 0; i < files.observed.rows(); ++i)
      if (files.observed(i, m))
        EXPECT_TRUE(std::isnan(files.errors->error(i, m)));
      else
        EXPECT_NEAR(files.errors->high(i, m), 2 * Stored::error(i, m), 1e-12);
}

TEST(ResultFiles, MustBelongTogether) {
  const Stored stored(2);
  Strings others = stored.problem.samples;
  others[3] = "someone";
  EXPECT_THROW(read_result_files(stored.folder.path(), others, stored.problem.views), InputError);
  const test::TempDir empty;
  EXPECT_THROW(read_meta(empty.path()), InputError);
}

// As in factor form: pictures of some samples, counts and errors of all.
TEST(CompletionPage, ShowsTheKernelsOfSomeSamples) {
  const Stored stored(4);
  const auto& [samples, views, truth, observed] = stored.problem;
  ReportOptions options;
  for (Index i = 1; i < observed.rows(); i += 3) options.shown.push_back(i);
  std::vector<Matrix> kernels;
  for (const Matrix& K : truth) kernels.emplace_back(K(options.shown, options.shown));
  const Json all = data_of(completion_page(stored.folder.path(), samples, views, truth, {}));
  const Json some =
      data_of(completion_page(stored.folder.path(), samples, views, kernels, options));
  for (const char* part : {"missing_pairs", "in_all_views", "missingness", "errors", "warnings"})
    EXPECT_EQ(some[part], all[part]) << part;
  const auto count = std::ssize(options.shown);
  EXPECT_EQ(some["kernels"]["n_samples"], count);
  EXPECT_EQ(some["map"]["n_samples"], samples.size());
  ASSERT_EQ(std::ssize(some["map"]["name"]), count);
  for (Index k = 0; k < count; ++k) {
    EXPECT_EQ(some["map"]["name"][at(k)], samples[at(options.shown[at(k)])]);
    EXPECT_EQ(some["map"]["missing"][at(k)],
              observed.cols() - observed.row(options.shown[at(k)]).count());
  }
  for (Index m = 0; m < observed.cols(); ++m)
    EXPECT_EQ(some["kernels"]["views"][at(m)]["n_observed"],
              observed(options.shown, Eigen::all).col(m).count());
}

TEST(CompletionPage, ContainsTheNumbersOfTheResult) {
  const Stored stored(3);
  const auto& [samples, views, truth, observed] = stored.problem;
  const Json data = data_of(completion_page(stored.folder.path(), samples, views, truth, {}));
  EXPECT_EQ(data["kind"], "completion");
  EXPECT_EQ(data["missing_pairs"], observed.size() - observed.count());
  EXPECT_EQ(data["in_all_views"], observed.rowwise().all().count());
  EXPECT_EQ(data["convergence"]["objective"], Json({3.0, 2.0, 1.0}));
  EXPECT_EQ(data["kernels"]["cells"], observed.rows());
  EXPECT_EQ(data["map"]["name"].size(), samples.size());
  ASSERT_EQ(data["spectra"].size(), 3U);
  // Eigenvalues from their definition, per sample.
  const Vector values =
      linalg::eigenvalues(truth[0]).reverse() / static_cast<double>(samples.size());
  EXPECT_NEAR(data["spectra"][0]["after"][0], values(0), 1e-3 * values(0));
  // The least reliable rows come first, by the upper end of their interval.
  double largest = 0;
  for (Index m = 0; m < 3; ++m)
    for (Index i = 0; i < observed.rows(); ++i)
      if (!observed(i, m)) largest = std::max(largest, 2 * Stored::error(i, m));
  EXPECT_NEAR(data["errors"]["rows"][0]["high"], largest, 1e-3 * largest);
}

// Principal components from their definition: the covariance of the coordinates is diagonal, and
// they reproduce the best approximation of the centred kernel.
TEST(MapSamples, IsKernelPca) {
  const auto problem = test::random_problem(4);
  const SampleLayout map = map_samples(problem.truth, problem.views, problem.samples);
  const Index n = problem.truth[0].rows();
  const Matrix K = combine_kernels(problem.truth, equal_weights(3), problem.views);
  const Matrix H = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / static_cast<double>(n));
  const Matrix centred = H * K * H;
  const linalg::Eigh all = linalg::eigh(centred);
  for (Index k = 0; k < 2; ++k) {
    const Vector x = map.coordinates.col(k);
    EXPECT_LT((centred * x - all.values(n - 1 - k) * x).norm(), 1e-8 * centred.norm());
    EXPECT_NEAR(x.squaredNorm(), all.values(n - 1 - k), 1e-8 * centred.norm());
    EXPECT_NEAR(map.shares(k), all.values(n - 1 - k) / centred.trace(), 1e-10);
  }
}

TEST(MapSamples, AcceptsConstantKernels) {
  const std::vector<Matrix> kernels(2, Matrix::Ones(5, 5));
  const SampleLayout map = map_samples(kernels, {"a", "b"}, {"1", "2", "3", "4", "5"});
  EXPECT_EQ(map.order.size(), 5U);
  EXPECT_LT(map.coordinates.norm(), 1e-6);
}

TEST(MissingnessJson, CountsPatternsAndGroupsSamples) {
  Mask observed(4, 2);
  observed << true, false, true, true, false, true, true, true;
  const Json part = missingness_json(observed, {"a", "b", "c", "d"});
  EXPECT_EQ(part["first"], Json({"b", "d", "a", "c"}));  // all views first, then by what is there
  EXPECT_EQ(part["patterns"][0], Json({{"views", "11"}, {"samples", 2}}));
  EXPECT_EQ(part["n_patterns"], 3);
  EXPECT_FALSE(part.contains("last"));
}

bool any_with(const std::vector<Warning>& warnings, const std::string& part) {
  return std::any_of(warnings.begin(), warnings.end(), [&](const Warning& warning) {
    return warning.text.find(part) != std::string::npos;
  });
}

TEST(Warnings, NameWhatWentWrong) {
  const Stored stored(5);
  ResultFiles files = stored.files();
  EXPECT_FALSE(any_with(completion_warnings(files), "converge"));
  EXPECT_FALSE(any_with(completion_warnings(files), "no better"));
  files.meta["status"] = "max_iterations";
  files.meta["iterations"] = 7;
  files.meta["quality"]["views"]["v1"]["held_out_error"] = 0.41;
  files.meta["quality"]["views"]["v2"] = {{"held_out_error", 0.8}, {"mean_fill_error", 0.9}};
  files.meta["notices"] = {"view 'x' was clipped"};
  files.observed.col(0).setConstant(false);
  const auto warnings = completion_warnings(files);
  EXPECT_TRUE(any_with(warnings, "stopped after 7 iterations"));
  EXPECT_TRUE(any_with(warnings,
                       "no better than filling in the mean of the other views in view 'v1' (41 % "
                       "error against 40 %)"));
  EXPECT_TRUE(any_with(warnings, "is large in view 'v2' (80 % error)"));
  EXPECT_TRUE(any_with(warnings, "observed in view 'v0' (0 % of the samples)"));
  EXPECT_TRUE(any_with(warnings, "view 'x' was clipped"));
  EXPECT_EQ(warnings.front().kind, Warning::Kind::serious);
  EXPECT_EQ(warnings.back().kind, Warning::Kind::log);
}

TEST(Warnings, AreShortWithManyViews) {
  const Stored stored(7);
  ResultFiles files = stored.files();
  for (int m = 0; m < 9; ++m)
    files.meta["quality"]["views"]["v" + std::to_string(m)] = {{"held_out_error", 0.5},
                                                               {"mean_fill_error", 0.4}};
  EXPECT_TRUE(
      any_with(completion_warnings(files), "in 9 views: 'v0' (50 % error against 40 %), 'v1'"));
  EXPECT_TRUE(any_with(completion_warnings(files), "and 5 more."));
  files.meta["method"] = "mean";  // cannot be better than itself
  EXPECT_FALSE(any_with(completion_warnings(files), "no better"));
}

TEST(Warnings, NameWhatIsNotKnown) {
  const Stored stored(6);
  ResultFiles files = stored.files();
  files.meta.erase("quality");
  EXPECT_TRUE(any_with(completion_warnings(files), "was not estimated"));
  files.observed.setConstant(true);
  EXPECT_TRUE(any_with(completion_warnings(files), "Nothing was missing"));
  EXPECT_FALSE(any_with(completion_warnings(files), "was not estimated"));
}

}  // namespace
}  // namespace mkc::report
