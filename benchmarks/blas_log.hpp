#pragma once

#include <map>
#include <vector>

/// Which BLAS and LAPACK routines a program calls, from the outside: linked into a program,
/// blas_log.cpp wraps the routines that src/numeric/linalg calls, writes each call
/// down and passes it on. Calls that BLAS makes to itself are not counted. For one thread.
namespace mkc::bench {

enum class Routine { dgemm, dsymm, dsyrk };

/// A product as it was called: letters (transposed, side, triangle), sizes, operands.
struct Product {
  Routine routine;
  char first, second;
  int m, n, k;
  int lda, ldb, ldc;
  double beta;
  const double *A, *B, *C;  // B = nullptr for dsyrk
};

struct Log {
  std::vector<Product> products;
  double cholesky = 0, eigen = 0;  // seconds spent inside, in place
};

/// The calls since the last take_log().
Log take_log();

/// The same calls in the same order, nothing in between. Every operand is a matrix of its own, so
/// that no more of them stay in cache than in the program.
class Replay {
 public:
  explicit Replay(const std::vector<Product>& products);
  double seconds() const;  // of one run

 private:
  struct Call {
    Product product;
    double *A, *B, *C;
  };
  std::map<const double*, std::vector<double>> operands_;  // by where they lay
  std::vector<Call> calls_;
};

}  // namespace mkc::bench
