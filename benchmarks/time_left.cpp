// How well the time left is told: runs of iterative methods on random problems, whose reports go to
// the estimator of the progress line. An iteration is a second, so that the figures do not depend
// on the machine.
//   time_left [FIRST [TRACES]]   one line per method, over 12 problems from number FIRST on;
//                                TRACES: a file for all residuals, as JSON lines
// missed: reports after the first fifth of a run of which the truth is not within a factor of two
// of the range that is shown. outside: of a number, the same; of a range, not in the range itself.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/random.hpp"
#include "kernels/functions.hpp"
#include "mkc/base/error.hpp"
#include "mkc/complete.hpp"
#include "numeric/linalg/blas.hpp"
#include "problem/time_left.hpp"

namespace {

using namespace mkc;  // NOLINT: a benchmark file

/// Kernels of noisy views of one state. Everything about the problem is drawn from its number.
Problem random_problem(std::uint64_t number, bool first_complete) {
  Random random(number, "time left");
  const auto normal = [&](Index, Index) { return random.normal(); };
  const auto between = [&](double low, double high) {
    return low + (high - low) * random.uniform();
  };
  const auto n = static_cast<Index>(between(50, 220)), d = 2 + static_cast<Index>(random.below(6)),
             m = 2 + static_cast<Index>(random.below(4));
  const double lost = between(0.1, 0.5), noise = between(0, 0.6);
  const Matrix state = Matrix::NullaryExpr(n, d, normal);
  std::vector<Matrix> kernels;
  for (Index v = 0; v < m; ++v) {
    const Matrix loadings = Matrix::NullaryExpr(d, 20, normal);
    const Matrix x = linalg::multiply(state, loadings).array().tanh().matrix() +
                     noise * Matrix::NullaryExpr(n, 20, normal);
    kernels.push_back(exponential_of_distances(squared_distances(x), between(0.01, 0.2)));
  }
  Mask observed(n, m);
  for (Index i = 0; i < n; ++i)
    for (Index v = 0; v < m; ++v) observed(i, v) = random.uniform() > lost || v == i % m;
  if (first_complete) observed.col(0).setConstant(true);
  return Problem(kernels, observed);
}

std::vector<Progress> reports_of(const Problem& problem, const std::string& method) {
  std::vector<Progress> reports;
  RunOptions options;
  options.progress = [&](const Progress& progress) {
    reports.push_back(progress);
    return true;
  };
  complete(problem, method, options);
  return reports;
}

struct Score {
  int reports = 0, missed = 0, outside = 0, ranges = 0, bounds = 0;
};

/// All reports after the first fifth of a run; the last one ends it.
void judge(const std::vector<Progress>& reports, Score& score) {
  const auto end = static_cast<double>(reports.back().iteration);
  TimeLeft left;
  left.add(0, {reports.front().phase, 0, reports.front().max_iterations});
  for (const auto& progress : reports) {
    const auto now = static_cast<double>(progress.iteration);
    left.add(now, progress);
    const double truth = end - now;
    if (now < 0.2 * end || now < 2 || truth < 2) continue;
    const auto estimate = left.at(now);
    ++score.reports;
    if (!estimate) {
      ++score.missed;
      ++score.outside;
      continue;
    }
    const bool range = estimate->from < estimate->to;
    const bool missed = estimate->from > 2 * truth || estimate->to < truth / 2;
    score.missed += missed;
    score.outside += range ? estimate->from > truth || estimate->to < truth : missed;
    score.ranges += range;
    score.bounds += estimate->is_bound;
  }
}

struct Family {
  std::string name;
  Strings methods;  // with all options that would be chosen
};

const std::vector<Family> families = {
    {"app", {"app,c2=0.001,diagonal=none", "app,c2=0.1,diagonal=none", "app,c2=1,diagonal=none"}},
    {"sdp", {"sdp,c=0.03", "sdp,c=0.3", "sdp,c=1"}},
    {"transfer",
     {"transfer,gamma=0.5,ridge=0.02,intercept=yes,sources=all,target=kernel,diagonal=none,tol=1e-"
      "4,"
      "max_iter=200",
      "transfer,gamma=0.2,ridge=0.002,intercept=yes,sources=all,target=kernel,diagonal=none,"
      "tol=1e-3,max_iter=200"}},
    {"embd_hm", {"embd_hm,c2=0.5,ridge=0.01", "embd_hm,c2=0.05,ridge=0.1"}},
    {"embd_ht", {"embd_ht,c1=0.1,c2=0.5,ridge=0.01", "embd_ht,c1=0.1,c2=0.05,ridge=0.1"}},
    {"mkmc", {"mkmc,ridge=0.001", "mkmc,ridge=0.01"}},
    {"em", {"em"}},
};

}  // namespace

int main(int argc, char** argv) try {
  constexpr std::uint64_t problems = 12;
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  std::ofstream traces;
  if (argc > 2) traces.open(argv[2]);
  fmt::print("{:10}{:>8}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "method", "runs", "reports", "missed",
             "outside", "ranges", "bounds");
  for (const auto& family : families) {
    Score score;
    int runs = 0;
    for (std::uint64_t number = first; number < first + problems; ++number)
      for (const auto& method : family.methods) {
        const Problem problem = random_problem(number, family.name == "em");
        const std::vector<Progress> reports = reports_of(problem, method);
        std::vector<double> residuals;
        for (const auto& report : reports) residuals.push_back(report.residual);
        if (traces.is_open())
          traces << fmt::format(
              "{{\"method\":\"{}\",\"problem\":{},\"tolerance\":{},\"first\":{},\"last\":{},"
              "\"most\":{},\"residuals\":[{:.6g}]}}\n",
              method, number, reports.back().tolerance, reports.front().iteration,
              reports.back().iteration, reports.back().max_iterations, fmt::join(residuals, ","));
        judge(reports, score);
        ++runs;
      }
    const auto percent = [&](int count) { return 100.0 * count / std::max(1, score.reports); };
    fmt::print("{:10}{:8}{:9}{:7.1f} %{:7.1f} %{:7.1f} %{:7.1f} %\n", family.name, runs,
               score.reports, percent(score.missed), percent(score.outside), percent(score.ranges),
               percent(score.bounds));
    std::fflush(stdout);
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
