#pragma once

#include <algorithm>
#include <cstddef>

#include "numeric/linalg/blas.hpp"

/// BLAS and LAPACK, Fortran interface with 32-bit integers: for the files of this folder only.
extern "C" {
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*,
            const double*, const int*, const double*, const int*, const double*, double*,
            const int*, std::size_t, std::size_t);
void dgemv_(const char*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*, std::size_t);
void dsymm_(const char*, const char*, const int*, const int*, const double*, const double*,
            const int*, const double*, const int*, const double*, double*, const int*, std::size_t,
            std::size_t);
void dsyrk_(const char*, const char*, const int*, const int*, const double*, const double*,
            const int*, const double*, double*, const int*, std::size_t, std::size_t);
void dpotrf_(const char*, const int*, double*, const int*, int*, std::size_t);
void dpotrs_(const char*, const int*, const int*, const double*, const int*, double*, const int*,
             int*, std::size_t);
void dtrmm_(const char*, const char*, const char*, const char*, const int*, const int*,
            const double*, const double*, const int*, double*, const int*, std::size_t, std::size_t,
            std::size_t, std::size_t);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*,
            const double*, const double*, const int*, double*, const int*, std::size_t, std::size_t,
            std::size_t, std::size_t);
void dtrtri_(const char*, const char*, const int*, double*, const int*, int*, std::size_t,
             std::size_t);
void dlauum_(const char*, const int*, double*, const int*, int*, std::size_t);
void dsyevd_(const char*, const char*, const int*, double*, const int*, double*, double*,
             const int*, int*, const int*, int*, std::size_t, std::size_t);
void dsyevr_(const char*, const char*, const char*, const int*, double*, const int*, const double*,
             const double*, const int*, const int*, const double*, int*, double*, double*,
             const int*, int*, double*, const int*, int*, const int*, int*, std::size_t,
             std::size_t, std::size_t);
}

namespace mkc::linalg {

/// To be held during a call: serialises calls and counts buffers where that is needed, see
/// lapack.cpp. Not to be held twice by one thread. MemoryError where BLAS could get no buffer,
/// InterruptedError where the work is cancelled.
class [[nodiscard]] Turn {
 public:
  Turn();
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
};
inline Turn turn() { return {}; }

/// Throws std::length_error where n does not fit.
int blas_int(Index n);

inline int leading(const MatrixRef& A) { return std::max(1, blas_int(A.outerStride())); }

/// Throws std::runtime_error where a routine reports a failure.
void check(int info, const char* routine);

/// Throws std::invalid_argument(what).
void require(bool condition, const char* what);

}  // namespace mkc::linalg
