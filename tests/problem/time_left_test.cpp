#include "problem/time_left.hpp"

#include <cmath>

namespace mkc {
namespace {

Progress report(const std::string& phase, Index iteration, Index most) {
  Progress progress;
  progress.phase = phase;
  progress.iteration = iteration;
  progress.max_iterations = most;
  return progress;
}

TEST(TimeLeft, NothingIsKnownAtFirst) {
  TimeLeft left;
  EXPECT_FALSE(left.at(0));
  left.add(0, report("reading", 0, 0));
  EXPECT_FALSE(left.at(1));
}

TEST(TimeLeft, CountsWhatIsToBeDone) {
  TimeLeft left;
  for (Index i = 0; i <= 10; ++i) left.add(2.0 * double(i), report("evaluating", i, 40));
  ASSERT_TRUE(left.at(20));
  EXPECT_NEAR(left.at(20)->to, 60, 1e-9);
  EXPECT_FALSE(left.at(20)->is_bound);
  EXPECT_NEAR(left.at(21)->to, 59, 1e-9);  // between reports
}

TEST(TimeLeft, StartsAgainInEveryPhase) {
  TimeLeft left;
  for (Index i = 0; i <= 4; ++i) left.add(double(i), report("choosing", i, 4));
  left.add(4, report("solving", 0, 10));
  EXPECT_FALSE(left.at(5));
  left.add(7, report("solving", 1, 10));
  EXPECT_NEAR(left.at(7)->to, 27, 1e-9);
}

// Residuals of runs on real problems, from the first iteration to the last.
const std::vector<std::vector<double>> recorded = {
    // embd_hm
    {0.0168, 0.00195, 0.000548, 0.000197, 7.92e-05},
    // embd_ht
    {0.00606, 0.00111, 0.000197, 4.32e-05},
    // mkmc
    {0.205,    0.11,     0.0679,   0.0447,   0.0307,   0.022,    0.0164,   0.0126,   0.00995,
     0.0081,   0.00677,  0.0058,   0.00506,  0.00449,  0.00404,  0.00367,  0.00335,  0.00308,
     0.00284,  0.00263,  0.00244,  0.00226,  0.0021,   0.00196,  0.00182,  0.0017,   0.00159,
     0.0015,   0.00141,  0.00132,  0.00125,  0.00118,  0.00112,  0.00107,  0.00102,  0.000969,
     0.000926, 0.000886, 0.000849, 0.000815, 0.000783, 0.000753, 0.000725, 0.000699, 0.000675,
     0.000651, 0.00063,  0.000609, 0.000589, 0.000571, 0.000553, 0.000536, 0.00052,  0.000505,
     0.00049,  0.000476, 0.000463, 0.00045,  0.000438, 0.000426, 0.000414, 0.000403, 0.000393,
     0.000383, 0.000373, 0.000363, 0.000354, 0.000345, 0.000337, 0.000329, 0.000321, 0.000313,
     0.000305, 0.000298, 0.000291, 0.000284, 0.000278, 0.000271, 0.000265, 0.000259, 0.000253,
     0.000247, 0.000242, 0.000237, 0.000231, 0.000226, 0.000221, 0.000216, 0.000212, 0.000207,
     0.000203, 0.000198, 0.000194, 0.00019,  0.000186, 0.000182, 0.000178, 0.000174, 0.000171,
     0.000167, 0.000164, 0.000161, 0.000157, 0.000154, 0.000151, 0.000148, 0.000145, 0.000142,
     0.000139, 0.000136, 0.000134, 0.000131, 0.000129, 0.000126, 0.000124, 0.000121, 0.000119,
     0.000117, 0.000114},
    // em
    {1.44,     0.561,    0.0758,   0.0213,   0.00905,  0.00499,  0.00315,  0.00212,  0.00148,
     0.00105,  0.000759, 0.000555, 0.00041,  0.000305, 0.000228, 0.000171, 0.000129, 9.77e-05,
     7.4e-05,  5.62e-05, 4.28e-05, 3.26e-05, 2.48e-05, 1.9e-05,  1.45e-05, 1.11e-05, 8.5e-06,
     6.9e-06,  5.89e-06, 5.04e-06, 4.31e-06, 3.7e-06,  3.18e-06, 2.73e-06, 2.35e-06, 2.02e-06,
     1.74e-06, 1.5e-06,  1.29e-06, 1.11e-06, 9.57e-07},
    // transfer
    {0.158, 0.0536, 0.024, 0.0123, 0.00746, 0.0053, 0.00375},
    // app
    {0.0743,   0.0207,   0.00867,  0.00356,  0.00166,  0.000978, 0.00072,
     0.000594, 0.000474, 0.000353, 0.000299, 0.000249, 0.000222, 0.000201,
     0.000184, 0.000171, 0.00016,  0.00013,  0.000122, 0.000115, 9.61e-05},
    // sdp
    {0.132,    0.0872,   0.0641,   0.0403,   0.0232,   0.0133,   0.00895,  0.00736,  0.00635,
     0.00527,  0.00417,  0.00323,  0.00257,  0.00219,  0.00196,  0.00179,  0.00161,  0.00143,
     0.00125,  0.00109,  0.000944, 0.000828, 0.000748, 0.000698, 0.000663, 0.00063,  0.00059,
     0.000545, 0.000497, 0.000451, 0.00041,  0.000377, 0.000351, 0.000331, 0.000314, 0.000298,
     0.000282, 0.000266, 0.000251, 0.000237, 0.000225, 0.000214, 0.000204, 0.000196, 0.000187,
     0.000179, 0.00017,  0.000161, 0.000152, 0.000144, 0.000136, 0.000129, 0.000123, 0.000118,
     0.000113, 0.000109, 0.000106, 0.000102, 9.85e-05, 9.47e-05, 9.07e-05, 8.64e-05, 8.21e-05},
};

// Estimates after the first fifth of the iterations that are not within a factor of two.
double share_of_bad_estimates(const std::vector<double>& residuals) {
  const double tolerance = residuals.back() * 1.0001;  // reached by the last one
  const auto n = static_cast<Index>(residuals.size());
  TimeLeft left;
  left.add(0, report("solving", 0, 10000));
  double bad = 0, all = 0;
  for (Index i = 1; i + 2 <= n; ++i) {
    Progress progress = report("solving", i, 10000);
    progress.residual = residuals[at(i - 1)];
    progress.tolerance = tolerance;
    left.add(double(i), progress);
    if (double(i) < 0.2 * double(n) || i < 2) continue;
    const auto estimate = left.at(double(i));
    const double truth = double(n - i);
    EXPECT_TRUE(estimate && !estimate->is_bound) << i << " of " << n;
    all += 1;
    if (!estimate || estimate->from > 2 * truth || estimate->to < truth / 2) bad += 1;
    // a range is shown where it says more than one number, and is no excuse to say nothing
    if (estimate && estimate->from < estimate->to) {
      EXPECT_LE(estimate->to, 4.001 * estimate->from);
    }
  }
  return all > 0 ? bad / all : 0;
}

TEST(TimeLeft, FollowsConvergenceWithinAFactorOfTwo) {
  double sum = 0;
  for (const auto& residuals : recorded) {
    sum += share_of_bad_estimates(residuals);
    EXPECT_LE(share_of_bad_estimates(residuals), 0.05) << residuals.size();
  }
  EXPECT_LE(sum / double(recorded.size()), 0.02);
}

TEST(TimeLeft, IsABoundWhereTheResidualDoesNotFall) {
  TimeLeft left;
  for (Index i = 0; i <= 20; ++i) {
    Progress progress = report("solving", i, 100);
    progress.residual = 0.5;
    progress.tolerance = 1e-6;
    left.add(double(i), progress);
  }
  EXPECT_NEAR(left.at(20)->to, 80, 1e-9);
  EXPECT_TRUE(left.at(20)->is_bound);
}

TEST(TimeLeft, UsesTheShareOfTheWhole) {
  TimeLeft left;
  Progress progress = report("trying candidates", 0, 10);
  progress.share = 1e-9;
  left.add(5, progress);
  EXPECT_FALSE(left.at(6));
  progress.share = 0.25;
  left.add(15, progress);
  EXPECT_NEAR(left.at(15)->to, 30, 1e-6);
  progress.phase = "completing with the candidates";
  progress.share = 0.5;
  left.add(25, progress);
  EXPECT_NEAR(left.at(25)->to, 20, 1e-6);
}

}  // namespace
}  // namespace mkc
