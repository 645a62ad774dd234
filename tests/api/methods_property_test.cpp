// Properties every registered method must have; a new method is covered by being registered.
#include <map>

#include <rapidcheck/gtest.h>

#include "mkc/complete.hpp"
#include "mkc/registry.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/eigh.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

class EveryMethod : public ::testing::TestWithParam<std::string> {
 protected:
  static Completion run(const Problem& problem, const RunOptions& options = {}) {
    return complete(problem, spec(), options);
  }

  /// Methods that would choose among many options, or candidates, have these given: the choice is
  /// tested with the one loop that makes it (tests/models/tuning_test.cpp).
  static std::string spec() {
    static const std::map<std::string, std::string> quick = {
        {"auto", "auto,candidates=wknn+mean+knn"},
        {"latent", "latent,domain=kernel,rank=20,ridge=0.01,noise=0.5,groups=1,length=full"},
        {"transfer",
         "transfer,gamma=0.5,ridge=0.02,intercept=yes,sources=observed,target=kernel,"
         "diagonal=none"},
        {"embd_ht", "embd_ht,c1=0.1,c2=0.03,ridge=0.01"},
        {"embd_hm", "embd_hm,c2=0.1,ridge=0.01"},
        {"app", "app,c2=0.01"},
        {"sdp", "sdp,c=0.1"},
        {"mkkm", "mkkm,k=3,eps=0.01"},
    };
    const auto found = quick.find(GetParam());
    return found == quick.end() ? GetParam() : found->second;
  }

  /// A random problem of random size, from RapidCheck.
  static test::RandomProblem draw() {
    test::RandomProblemOptions options;
    options.n_samples = *rc::gen::inRange<Index>(8, 24);
    options.n_views = *rc::gen::inRange<Index>(2, 5);
    options.missing = *rc::gen::element(0.1, 0.3, 0.5);
    options.first_view_complete = *rc::gen::arbitrary<bool>();
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const test::RandomProblem problem = test::random_problem(seed, options);
    if (find_method(GetParam()).obstacle(problem.problem()).empty()) return problem;
    options.first_view_complete = true;
    return test::random_problem(seed, options);
  }

  static void check(const std::function<void()>& property) {
    rc::detail::checkGTest([&] { property(); });
  }
};

TEST_P(EveryMethod, KeepsObservedEntriesBitForBit) {
  check([] {
    const Problem problem = draw().problem();
    const Completion c = run(problem);
    for (Index m = 0; m < problem.n_views(); ++m)
      RC_ASSERT(submatrix(c.kernels[at(m)], problem.view(m).rows, problem.view(m).rows) ==
                problem.view(m).block);
  });
}

TEST_P(EveryMethod, GivesSymmetricPositiveSemidefiniteKernels) {
  check([] {
    const Completion c = run(draw().problem());
    for (const Matrix& K : c.kernels) {
      RC_ASSERT(K.allFinite());
      RC_ASSERT(K == K.transpose());
      const Vector values = linalg::eigenvalues(K);
      RC_ASSERT(values(0) >= -1e-10 * values(values.size() - 1));
    }
  });
}

// How far the kernels of the permuted problem are from the permuted kernels, relative, at most.
double departure(const test::RandomProblem& original, const std::string& method,
                 std::uint64_t samples_seed, std::uint64_t views_seed) {
  const Indices samples = test::random_permutation(original.observed.rows(), samples_seed);
  const Indices views = test::random_permutation(original.observed.cols(), views_seed);
  const Completion a = complete(original.problem(), method);
  const Completion b = complete(test::permuted(original, samples, views).problem(), method);
  double largest = 0;
  for (std::size_t v = 0; v < views.size(); ++v) {
    const Matrix expected = submatrix(a.kernels[at(views[v])], samples, samples);
    largest = std::max(largest, (b.kernels[v] - expected).norm() / expected.norm());
  }
  return largest;
}

TEST_P(EveryMethod, FollowsAPermutationOfSamplesAndViews) {
  check([] {
    const test::RandomProblem original = draw();
    const auto samples_seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto views_seed = *rc::gen::arbitrary<std::uint64_t>();
    RC_ASSERT(departure(original, spec(), samples_seed, views_seed) <= 1e-8);
  });
}

// Problems that rounding decided, and so the order of the samples: pivots of a nearly singular
// matrix, and the gain of a single sample beside its own standard error.
TEST(Permutation, IsFollowedWhereRoundingUsedToDecide) {
  test::RandomProblemOptions options;
  options.missing = 0.5;
  options.n_samples = 11;
  options.n_views = 2;
  EXPECT_LE(departure(test::random_problem(106569, options), "mkmc", 0, 0), 1e-8);
  options.n_samples = 12;
  options.n_views = 3;
  EXPECT_LE(departure(test::random_problem(2151385208971577, options),
                      "auto,candidates=wknn+mean+knn", 0, 0),
            1e-8);
}

// `mean` averages views as they are: it follows a unit that all of them share.
TEST_P(EveryMethod, FollowsTheUnitOfAView) {
  const std::string name = GetParam();
  const std::string method = name == "auto" ? "auto,candidates=wknn+affine+knn" : spec();
  check([&] {
    const Problem problem = draw().problem();
    const auto scaled_view =
        static_cast<std::size_t>(*rc::gen::inRange<Index>(0, problem.n_views()));
    std::vector<double> units(at(problem.n_views()), name == "mean" ? 0x1p20 : 1);
    units[scaled_view] = 0x1p20;
    std::vector<SharedMatrix> blocks;
    for (std::size_t m = 0; m < units.size(); ++m)
      blocks.push_back(Matrix(units[m] * problem.views()[m].block));
    const Completion a = complete(problem, method),
                     b = complete(problem.with_blocks(blocks), method);
    for (std::size_t m = 0; m < blocks.size(); ++m) {
      const Matrix expected = units[m] * a.kernels[m];
      RC_ASSERT((b.kernels[m] - expected).norm() <= 1e-7 * expected.norm());
    }
  });
}

TEST_P(EveryMethod, ReportsThatItWasStopped) {
  test::RandomProblemOptions options;
  options.first_view_complete = true;
  const Problem problem = test::random_problem(5, options).problem();
  const std::string name = GetParam();
  for (const std::string& method : {name.ends_with("knn") ? name + ",k=auto" : name, spec()})
    for (const int threads : {1, 2}) {
      bool asked = false;
      RunOptions run;
      run.threads = threads;
      run.progress = [&](const Progress&) {
        asked = true;
        return false;
      };
      const Completion c = complete(problem, method, run);
      EXPECT_TRUE(!asked || c.info.status == Status::interrupted) << method << " " << threads;
    }
}

TEST_P(EveryMethod, HandlesAZeroView) {
  test::RandomProblemOptions options;
  options.first_view_complete = true;
  test::RandomProblem p = test::random_problem(9, options);
  p.truth[2].setZero();
  const Completion c = run(p.problem());
  for (const Matrix& K : c.kernels) EXPECT_TRUE(K.allFinite());
  EXPECT_LE(c.kernels[2].norm(), 1e-3);  // em keeps a ridge
  EXPECT_FALSE(std::isnan(c.info.residual));
  if (std::string(GetParam()) != "mkmc") {  // slow there as elsewhere
    EXPECT_NE(c.info.status, Status::max_iterations);
  }
}

TEST_P(EveryMethod, DoesNotDependOnThreadsAndRepeatsWithTheSeed) {
  check([] {
    const Problem problem = draw().problem();
    RunOptions one, two;
    one.seed = two.seed = 7;
    two.threads = 2;
    const Completion a = run(problem, one), b = run(problem, one), c = run(problem, two);
    for (std::size_t m = 0; m < a.kernels.size(); ++m) {
      RC_ASSERT(a.kernels[m] == b.kernels[m]);
      RC_ASSERT(a.kernels[m] == c.kernels[m]);
    }
  });
}

TEST_P(EveryMethod, ReturnsTheInputWhereNothingIsMissing) {
  test::RandomProblemOptions options;
  options.missing = 0;
  const Problem problem = test::random_problem(3, options).problem();
  const Completion c = run(problem);
  for (std::size_t m = 0; m < c.kernels.size(); ++m)
    EXPECT_EQ(c.kernels[m], problem.views()[m].block);
  ASSERT_EQ(c.info.notices.size(), 1u);
  EXPECT_NE(c.info.notices[0].find("nothing is missing"), std::string::npos);
}

TEST_P(EveryMethod, NeverReadsHiddenEntries) {
  // Other truth behind the same observed part changes nothing.
  test::RandomProblemOptions options;
  options.first_view_complete = true;
  test::RandomProblem a = test::random_problem(11, options), b = a;
  for (std::size_t m = 0; m < b.truth.size(); ++m)
    for (Index i = 0; i < b.observed.rows(); ++i)
      if (!b.observed(i, static_cast<Index>(m))) {
        b.truth[m].row(i).setConstant(1e6);
        b.truth[m].col(i).setConstant(1e6);
      }
  const Completion x = run(a.problem()), y = run(b.problem());
  for (std::size_t m = 0; m < x.kernels.size(); ++m) EXPECT_EQ(x.kernels[m], y.kernels[m]);
}

TEST_P(EveryMethod, ReportsWhatItDid) {
  test::RandomProblemOptions options;
  options.first_view_complete = true;
  RunOptions run_options;
  run_options.seed = 42;
  const Completion c = run(test::random_problem(5, options).problem(), run_options);
  EXPECT_EQ(c.info.method, GetParam());
  EXPECT_EQ(c.info.seed, 42u);
  EXPECT_FALSE(c.info.seconds.empty());
  EXPECT_EQ(c.info.parameters.size(), find_method(GetParam()).options.size());
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const auto& method : methods()) names.push_back(method.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryMethod, ::testing::ValuesIn(method_names()),
                         [](const auto& parameter) { return parameter.param; });

}  // namespace
}  // namespace mkc
