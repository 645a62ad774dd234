#include "blas_log.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "cpu_clock.hpp"

namespace {

using mkc::bench::Product;
using mkc::bench::Routine;
using size = std::size_t;  // Fortran's hidden length of a character

mkc::bench::Log the_log;
int depth = 0;  // > 0: inside a routine, which may call others

template <class Function>
Function* original(Function*, const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) throw std::runtime_error(std::string("no routine ") + name);
  return reinterpret_cast<Function*>(found);
}

// Reading the clock costs as much as a tiny product, so products are only written down.
template <class Function, class... Arguments>
void product(Function* routine, const Product& call, Arguments... arguments) {
  if (depth == 0) the_log.products.push_back(call);
  ++depth;
  routine(arguments...);
  --depth;
}

template <class Function, class... Arguments>
void timed(Function* routine, double& seconds, Arguments... arguments) {
  ++depth;
  const mkc::bench::CpuClock clock;
  routine(arguments...);
  if (--depth == 0) seconds += clock.seconds();
}

}  // namespace

extern "C" {

void dgemm_(const char* ta, const char* tb, const int* m, const int* n, const int* k,
            const double* alpha, const double* A, const int* lda, const double* B, const int* ldb,
            const double* beta, double* C, const int* ldc, size s1, size s2) {
  static auto* const routine = original(dgemm_, "dgemm_");
  product(routine, {Routine::dgemm, *ta, *tb, *m, *n, *k, *lda, *ldb, *ldc, *beta, A, B, C}, ta, tb,
          m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, s1, s2);
}

void dsymm_(const char* side, const char* uplo, const int* m, const int* n, const double* alpha,
            const double* A, const int* lda, const double* B, const int* ldb, const double* beta,
            double* C, const int* ldc, size s1, size s2) {
  static auto* const routine = original(dsymm_, "dsymm_");
  product(routine, {Routine::dsymm, *side, *uplo, *m, *n, *m, *lda, *ldb, *ldc, *beta, A, B, C},
          side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc, s1, s2);
}

void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha,
            const double* A, const int* lda, const double* beta, double* C, const int* ldc, size s1,
            size s2) {
  static auto* const routine = original(dsyrk_, "dsyrk_");
  product(routine, {Routine::dsyrk, *uplo, *trans, *n, *n, *k, *lda, 0, *ldc, *beta, A, nullptr, C},
          uplo, trans, n, k, alpha, A, lda, beta, C, ldc, s1, s2);
}

void dpotrf_(const char* uplo, const int* n, double* A, const int* lda, int* info, size s1) {
  static auto* const routine = original(dpotrf_, "dpotrf_");
  timed(routine, the_log.cholesky, uplo, n, A, lda, info, s1);
}

void dtrtri_(const char* uplo, const char* unit, const int* n, double* L, const int* ld, int* info,
             size s1, size s2) {
  static auto* const routine = original(dtrtri_, "dtrtri_");
  timed(routine, the_log.cholesky, uplo, unit, n, L, ld, info, s1, s2);
}

void dlauum_(const char* uplo, const int* n, double* L, const int* ld, int* info, size s1) {
  static auto* const routine = original(dlauum_, "dlauum_");
  timed(routine, the_log.cholesky, uplo, n, L, ld, info, s1);
}

// Only inverses have products with triangles.
void dtrmm_(const char* side, const char* uplo, const char* trans, const char* unit, const int* m,
            const int* n, const double* alpha, const double* L, const int* lda, double* B,
            const int* ldb, size s1, size s2, size s3, size s4) {
  static auto* const routine = original(dtrmm_, "dtrmm_");
  timed(routine, the_log.cholesky, side, uplo, trans, unit, m, n, alpha, L, lda, B, ldb, s1, s2, s3,
        s4);
}

void dpotrs_(const char* uplo, const int* n, const int* columns, const double* L, const int* lda,
             double* B, const int* ldb, int* info, size s1) {
  static auto* const routine = original(dpotrs_, "dpotrs_");
  timed(routine, the_log.cholesky, uplo, n, columns, L, lda, B, ldb, info, s1);
}

void dsyevd_(const char* job, const char* uplo, const int* n, double* A, const int* lda, double* w,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info, size s1,
             size s2) {
  static auto* const routine = original(dsyevd_, "dsyevd_");
  timed(routine, the_log.eigen, job, uplo, n, A, lda, w, work, lwork, iwork, liwork, info, s1, s2);
}

void dsyevr_(const char* job, const char* range, const char* uplo, const int* n, double* A,
             const int* lda, const double* low, const double* high, const int* first,
             const int* last, const double* tolerance, int* found, double* w, double* Z,
             const int* ldz, int* support, double* work, const int* lwork, int* iwork,
             const int* liwork, int* info, size s1, size s2, size s3) {
  static auto* const routine = original(dsyevr_, "dsyevr_");
  timed(routine, the_log.eigen, job, range, uplo, n, A, lda, low, high, first, last, tolerance,
        found, w, Z, ldz, support, work, lwork, iwork, liwork, info, s1, s2, s3);
}

}  // extern "C"

namespace mkc::bench {

namespace {

// The call again, on other memory. Zeros cost a product what any number does.
void repeat(const Product& p, const double* A, const double* B, double* C) {
  const double alpha = 1;
  switch (p.routine) {
    case Routine::dgemm:
      return dgemm_(&p.first, &p.second, &p.m, &p.n, &p.k, &alpha, A, &p.lda, B, &p.ldb, &p.beta, C,
                    &p.ldc, 1, 1);
    case Routine::dsymm:
      return dsymm_(&p.first, &p.second, &p.m, &p.n, &alpha, A, &p.lda, B, &p.ldb, &p.beta, C,
                    &p.ldc, 1, 1);
    case Routine::dsyrk:
      return dsyrk_(&p.first, &p.second, &p.n, &p.k, &alpha, A, &p.lda, &p.beta, C, &p.ldc, 1, 1);
  }
}

// Columns of the operands.
std::tuple<int, int, int> columns(const Product& p) {
  if (p.routine == Routine::dsymm) return {p.m, p.n, p.n};
  if (p.routine == Routine::dsyrk) return {p.second == 'N' ? p.k : p.n, 0, p.n};
  return {p.first == 'N' ? p.k : p.m, p.second == 'N' ? p.n : p.k, p.n};
}

}  // namespace

Log take_log() { return std::exchange(the_log, {}); }

Replay::Replay(const std::vector<Product>& products) {
  const auto make_room = [&](const double* where, int rows, int columns) {
    auto& room = operands_[where];
    room.resize(std::max(room.size(), static_cast<size>(rows) * static_cast<size>(columns)), 0.0);
  };
  for (const Product& p : products) {
    const auto [a, b, c] = columns(p);
    make_room(p.A, p.lda, a);
    make_room(p.B, p.ldb, b);
    make_room(p.C, p.ldc, c);
  }
  for (const Product& p : products)  // no look-up while the clock runs
    calls_.push_back(
        {p, operands_.at(p.A).data(), operands_.at(p.B).data(), operands_.at(p.C).data()});
}

double Replay::seconds() const {
  ++depth;  // not for the log
  const CpuClock clock;
  for (const Call& call : calls_) repeat(call.product, call.A, call.B, call.C);
  --depth;
  return clock.seconds();
}

}  // namespace mkc::bench
