#include <chrono>
#include <random>
#include <thread>

#include "base/cancel.hpp"
#include "mkc/base/error.hpp"
#include "mkc/complete.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/psd.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

TEST(Cancel, StopsProductsAndTasks) {
  std::atomic<bool> wanted = false;
  const CancelScope scope(wanted);
  const Matrix A = Matrix::Ones(3, 3);
  EXPECT_NO_THROW(linalg::multiply(A, A));
  wanted = true;
  EXPECT_THROW(linalg::multiply(A, A), InterruptedError);
  {
    const std::atomic<bool> never = false;
    const CancelScope inner(never);
    EXPECT_NO_THROW(linalg::multiply(A, A));
  }
  EXPECT_THROW(linalg::multiply(A, A), InterruptedError);
}

// A step that is cut short anywhere leaves a result with all that complete() promises.
TEST(Stop, CutsAStepShortAndKeepsTheBestSoFar) {
  std::mt19937 random(1);
  Mask observed = Mask::Constant(80, 3, true);
  for (Index i = 0; i < 80; ++i) observed(i, 1 + i % 2) = i % 4 > 1;  // em needs a complete view
  const Problem problem(
      {test::random_psd(80, 60, 1), test::random_psd(80, 60, 2), test::random_psd(80, 60, 3)},
      observed);
  int cut = 0;
  for (const char* method :
       {"transfer,gamma=0.5,ridge=0.02,intercept=yes,weights=equal,sources=all,target=kernel,"
        "diagonal=none,tol=1e-12,max_iter=1000",
        "mkmc,tol=1e-12,max_iter=100000", "em,tol=1e-12,max_iter=100000",
        "embd_hm,c2=0.1,ridge=0.01,tol=1e-12,max_iter=100000",
        "embd_ht,c1=0.1,c2=0.1,ridge=0.01,tol=1e-12,max_iter=100000",
        "app,c2=0.1,tol=1e-12,max_iter=100000", "sdp,c=0.1,tol=1e-12,max_iter=100000"})
    for (int repeat = 0; repeat < 6; ++repeat) {
      std::atomic<bool> stop = false, ready = false;
      RunOptions run;
      run.threads = 1 + repeat % 2;
      run.stop = &stop;
      run.progress = [&](const Progress& progress) {
        ready = ready || progress.has_result;
        return true;  // only a step that is cut short ends the run
      };
      std::jthread stopper([&, wait = random() % 20000](const std::stop_token& ended) {
        while (!ready && !ended.stop_requested()) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::microseconds(wait));
        stop = true;
      });
      const Completion found = complete(problem, method, run);
      cut += found.info.status == Status::interrupted;
      for (Index m = 0; m < problem.n_views(); ++m) {
        const Matrix& K = found.kernels[at(m)];
        EXPECT_TRUE(K.allFinite()) << method;
        EXPECT_EQ(linalg::asymmetry(K), 0) << method;
        EXPECT_TRUE(linalg::is_psd(K, 1e-8)) << method;
        EXPECT_EQ(K(problem.view(m).rows, problem.view(m).rows), problem.view(m).block) << method;
      }
    }
  EXPECT_GT(cut, 21);  // of 42
}

}  // namespace
}  // namespace mkc
