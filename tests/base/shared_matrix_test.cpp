#include "mkc/base/shared_matrix.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#include "mkc/complete.hpp"
#include "mkc/problem/problem.hpp"
#include "support/allocation_counter.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

using test::random_psd;

// Nothing copies in silence; what was meant as a copy is written as one.
static_assert(!std::is_convertible_v<const SharedMatrix&, Matrix>);
static_assert(!std::is_convertible_v<const SharedMatrix&, const Matrix&>);
static_assert(std::is_constructible_v<Matrix, const SharedMatrix&>);
static_assert(std::is_convertible_v<const SharedMatrix&, MatrixRef>);
static_assert(std::is_convertible_v<Matrix, SharedMatrix>);
static_assert(std::is_nothrow_move_constructible_v<SharedMatrix>);  // vectors of them move

// Memory of another owner, which records when it is released.
struct Lender {
  explicit Lender(const Matrix& K, std::size_t offset = 0)
      : size(K.rows()), numbers(new double[static_cast<std::size_t>(K.size()) + 16]) {
    // offset 0: at a multiple of 64 bytes
    auto* address = numbers.get();
    while (reinterpret_cast<std::uintptr_t>(address) % 64 != 0) ++address;
    data = address + offset;
    Eigen::Map<Matrix>(data, size, size) = K;
  }

  SharedMatrix lend() {
    return SharedMatrix::looking_at(
        data, size, size, std::shared_ptr<const void>(data, [this](const void*) { held = false; }));
  }

  Index size;
  std::unique_ptr<double[]> numbers;
  double* data = nullptr;
  bool held = true;
};

TEST(SharedMatrix, TakesOverNumbersWithoutACopy) {
  Matrix K = random_psd(6, 4, 1);
  const Matrix same = K;
  const double* where = K.data();
  const SharedMatrix shared = std::move(K);
  EXPECT_EQ(shared.data(), where);
  EXPECT_EQ(shared, same);
}

TEST(SharedMatrix, CopiesLookAtTheSameNumbersAndKeepThemAlive) {
  Lender lender(random_psd(5, 5, 2));
  SharedMatrix last;
  EXPECT_EQ(last.size(), 0);
  {
    const SharedMatrix first = lender.lend();
    EXPECT_EQ(first.data(), lender.data);
    const std::vector<SharedMatrix> list(3, first);
    last = list[2];
  }
  EXPECT_TRUE(lender.held);
  EXPECT_EQ(last.data(), lender.data);
  SharedMatrix moved = std::move(last);
  EXPECT_TRUE(lender.held);
  moved = Matrix(2 * moved);  // its own numbers from now on
  EXPECT_FALSE(lender.held);
  EXPECT_EQ(moved, 2 * Eigen::Map<Matrix>(lender.data, 5, 5));
}

TEST(SharedMatrix, MemoryThatIsNotAlignedIsCopied) {
  Lender lender(random_psd(5, 5, 3), 1);
  const SharedMatrix copy = lender.lend();
  EXPECT_FALSE(lender.held);
  EXPECT_NE(copy.data(), lender.data);
  EXPECT_EQ(copy, Eigen::Map<Matrix>(lender.data, 5, 5));
}

TEST(SharedMatrix, AProblemKeepsTheOwnerAliveAndChangesNothing) {
  const Matrix K = random_psd(5, 5, 4);
  Lender lender(K);
  {
    const Problem problem({"a", "b", "c", "d", "e", "f"},
                          {{"x", {0, 1, 2, 3, 4}, lender.lend(), ""},
                           {"y", {0, 2, 3, 4, 5}, random_psd(5, 5, 5), ""}});
    EXPECT_EQ(problem.view(0).block.data(), lender.data);
    const Problem copy = problem;
    EXPECT_EQ(copy.view(0).block.data(), lender.data);
    const Completion completed = complete(copy, "transfer");
    EXPECT_EQ(completed.kernels[0].topLeftCorner(5, 5), K);
    EXPECT_TRUE(lender.held);
  }
  EXPECT_FALSE(lender.held);
  EXPECT_EQ(Eigen::Map<Matrix>(lender.data, 5, 5), K);
}

TEST(SharedMatrix, AProblemOfSharedMemoryAllocatesNone) {
  Lender lender(random_psd(300, 300, 7));
  Indices rows;
  Strings names;
  for (Index i = 0; i < 300; ++i) {
    rows.push_back(i);
    names.push_back(std::to_string(i));
  }
  ProblemChecks unchecked;
  unchecked.psd = PsdPolicy::unchecked;
  test::reset_peak_bytes();
  const long before = test::live_bytes();
  const Problem problem(names, {{"x", rows, lender.lend(), ""}}, unchecked);
  const Problem copy = problem;
  EXPECT_LT(test::peak_bytes() - before, 300 * 300 * 8 / 4);
}

TEST(SharedMatrix, AProblemCopiesOnlyWhatItMustChange) {
  Matrix K = random_psd(5, 5, 6);
  K(1, 0) *= 1 + 1e-12;  // not quite symmetric
  Lender lender(K);
  const Problem problem({"a", "b", "c", "d", "e"}, {{"x", {0, 1, 2, 3, 4}, lender.lend(), ""}});
  const SharedMatrix& symmetric = problem.view(0).block;
  EXPECT_NE(symmetric.data(), lender.data);
  EXPECT_FALSE(lender.held);
  EXPECT_EQ(symmetric, symmetric.transpose());
  EXPECT_EQ(Eigen::Map<Matrix>(lender.data, 5, 5), K);
}

// The address of the numbers does not change the last bit of a result.
TEST(SharedMatrix, ResultsDoNotDependOnTheOwnerOfTheMemory) {
  const auto random = test::random_problem(3, {.n_samples = 21, .n_views = 3, .missing = 0.3});
  const Problem own = random.problem();
  for (const std::size_t offset : {0, 1, 2, 4, 6}) {  // in numbers, from a multiple of 64 bytes
    std::vector<std::unique_ptr<Lender>> lenders;
    std::vector<SharedMatrix> blocks;
    for (const auto& view : own.views()) {
      lenders.push_back(std::make_unique<Lender>(Matrix(view.block), offset));
      blocks.push_back(lenders.back()->lend());
    }
    const Problem lent = own.with_blocks(blocks);
    for (const char* method :
         {"mean", "wknn", "transfer", "app,c2=0.1", "cvkt,ridge=0.1", "mkmc"}) {
      const Completion a = complete(own, method), b = complete(lent, method);
      for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(a.kernels[m], b.kernels[m]) << method;
    }
  }
}

}  // namespace
}  // namespace mkc
