#include "blas_log.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cpu_clock.hpp"

namespace {

using mkc::bench::Kind;
using mkc::bench::Shape;
using size = std::size_t;  // Fortran's hidden length of a character

mkc::bench::Log the_log;
int depth = 0;  // > 0: inside a routine, which may call others

template <class Routine>
Routine* original(Routine*, const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) throw std::runtime_error(std::string("no routine ") + name);
  return reinterpret_cast<Routine*>(found);
}

template <class Routine, class... Arguments>
void pass_on(Routine* routine, Shape shape, Arguments... arguments) {
  if (depth > 0) return routine(arguments...);
  ++depth;
  // Reading the clock costs as much as a tiny product.
  const bool timed = shape.kind != Kind::product;
  auto& calls = the_log[std::move(shape)];
  ++calls.count;
  if (timed) {
    const mkc::bench::CpuClock clock;
    routine(arguments...);
    calls.seconds += clock.seconds();
  } else {
    routine(arguments...);
  }
  --depth;
}

std::string letters(const char* first, const char* second) {
  return {*first, *second};
}

}  // namespace

extern "C" {

void dgemm_(const char* ta, const char* tb, const int* m, const int* n, const int* k,
            const double* alpha, const double* A, const int* lda, const double* B, const int* ldb,
            const double* beta, double* C, const int* ldc, size s1, size s2) {
  static auto* const routine = original(dgemm_, "dgemm_");
  pass_on(routine, {Kind::product, "dgemm", letters(ta, tb), *m, *n, *k}, ta, tb, m, n, k, alpha, A,
          lda, B, ldb, beta, C, ldc, s1, s2);
}

void dsymm_(const char* side, const char* uplo, const int* m, const int* n, const double* alpha,
            const double* A, const int* lda, const double* B, const int* ldb, const double* beta,
            double* C, const int* ldc, size s1, size s2) {
  static auto* const routine = original(dsymm_, "dsymm_");
  pass_on(routine, {Kind::product, "dsymm", letters(side, uplo), *m, *n, 0}, side, uplo, m, n,
          alpha, A, lda, B, ldb, beta, C, ldc, s1, s2);
}

void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha,
            const double* A, const int* lda, const double* beta, double* C, const int* ldc, size s1,
            size s2) {
  static auto* const routine = original(dsyrk_, "dsyrk_");
  pass_on(routine, {Kind::product, "dsyrk", letters(uplo, trans), 0, *n, *k}, uplo, trans, n, k,
          alpha, A, lda, beta, C, ldc, s1, s2);
}

void dpotrf_(const char* uplo, const int* n, double* A, const int* lda, int* info, size s1) {
  static auto* const routine = original(dpotrf_, "dpotrf_");
  pass_on(routine, {Kind::cholesky, "dpotrf", "", 0, *n, 0}, uplo, n, A, lda, info, s1);
}

void dpotri_(const char* uplo, const int* n, double* A, const int* lda, int* info, size s1) {
  static auto* const routine = original(dpotri_, "dpotri_");
  pass_on(routine, {Kind::cholesky, "dpotri", "", 0, *n, 0}, uplo, n, A, lda, info, s1);
}

void dpotrs_(const char* uplo, const int* n, const int* columns, const double* L, const int* lda,
             double* B, const int* ldb, int* info, size s1) {
  static auto* const routine = original(dpotrs_, "dpotrs_");
  pass_on(routine, {Kind::cholesky, "dpotrs", "", 0, *n, *columns}, uplo, n, columns, L, lda, B,
          ldb, info, s1);
}

void dsyevd_(const char* job, const char* uplo, const int* n, double* A, const int* lda, double* w,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info, size s1,
             size s2) {
  static auto* const routine = original(dsyevd_, "dsyevd_");
  pass_on(routine, {Kind::eigen, "dsyevd", letters(job, uplo), 0, *n, 0}, job, uplo, n, A, lda, w,
          work, lwork, iwork, liwork, info, s1, s2);
}

void dsyevr_(const char* job, const char* range, const char* uplo, const int* n, double* A,
             const int* lda, const double* low, const double* high, const int* first,
             const int* last, const double* tolerance, int* found, double* w, double* Z,
             const int* ldz, int* support, double* work, const int* lwork, int* iwork,
             const int* liwork, int* info, size s1, size s2, size s3) {
  static auto* const routine = original(dsyevr_, "dsyevr_");
  pass_on(routine, {Kind::eigen, "dsyevr", letters(job, range), 0, *n, 0}, job, range, uplo, n, A,
          lda, low, high, first, last, tolerance, found, w, Z, ldz, support, work, lwork, iwork,
          liwork, info, s1, s2, s3);
}

}  // extern "C"

namespace mkc::bench {

Log take_log() {
  return std::exchange(the_log, {});
}

double seconds_alone(const Shape& s) {
  const auto room = [](int a, int b) {
    return std::vector<double>(
        static_cast<size>(std::max(a, 1)) * static_cast<size>(std::max(b, 1)), 0.5);
  };
  const int m = s.m, n = s.n, k = s.k;
  const double one = 1, zero = 0;
  const char* first = &s.letters[0];
  const char* second = &s.letters[1];
  const auto best = [](const auto& work) {
    const CpuClock once;
    work();
    // Many at a time where one is too short for the clock.
    const int batch = 1 + static_cast<int>(2e-4 / std::max(once.seconds(), 1e-6));
    double shortest = 1e300;
    const CpuClock all;
    for (int i = 0; i < 20 && (i < 3 || all.seconds() < 0.05); ++i) {
      const CpuClock clock;
      for (int repeat = 0; repeat < batch; ++repeat) work();
      shortest = std::min(shortest, clock.seconds() / batch);
    }
    return shortest;
  };
  ++depth;  // not for the log
  double seconds = 0;
  if (s.routine == "dgemm") {
    auto A = room(m, k), B = room(k, n), C = room(m, n);
    const int lda = *first == 'N' ? m : k, ldb = *second == 'N' ? k : n;
    seconds = best([&] {
      dgemm_(first, second, &m, &n, &k, &one, A.data(), &lda, B.data(), &ldb, &zero, C.data(), &m,
             1, 1);
    });
  } else if (s.routine == "dsymm") {
    auto A = room(m, m), B = room(m, n), C = room(m, n);
    seconds = best([&] {
      dsymm_(first, second, &m, &n, &one, A.data(), &m, B.data(), &m, &zero, C.data(), &m, 1, 1);
    });
  } else if (s.routine == "dsyrk") {
    auto A = room(n, k), C = room(n, n);
    const int lda = *second == 'N' ? n : k;
    seconds = best(
        [&] { dsyrk_(first, second, &n, &k, &one, A.data(), &lda, &zero, C.data(), &n, 1, 1); });
  }
  --depth;
  return seconds;
}

}  // namespace mkc::bench
