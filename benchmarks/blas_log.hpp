#pragma once

#include <map>
#include <string>
#include <tuple>

/// Which BLAS and LAPACK routines a program calls, from the outside: linked into a program,
/// blas_log.cpp stands in front of the routines that src/linalg/lapack.cpp calls, writes each call
/// down and passes it on. Calls that BLAS makes to itself are not counted. For one thread.
namespace mkc::bench {

enum class Kind { product, cholesky, eigen };

/// Routine, its letters (transposed or not), and its sizes.
struct Shape {
  Kind kind;
  std::string routine, letters;
  int m = 0, n = 0, k = 0;

  auto key() const { return std::tie(kind, routine, letters, m, n, k); }
  bool operator<(const Shape& other) const { return key() < other.key(); }
};

struct Calls {
  long count = 0;
  double seconds = 0;  // spent inside, in place; not for products, see seconds_alone()
};

using Log = std::map<Shape, Calls>;

/// The calls since the last take_log().
Log take_log();

/// Seconds of one such product alone: on matrices of its own, nothing else in between.
double seconds_alone(const Shape& product);

}  // namespace mkc::bench
