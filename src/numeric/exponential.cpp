#include "numeric/exponential.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#define MKC_HAS_AVX2_VARIANT 1
#else
#define MKC_HAS_AVX2_VARIANT 0
#endif

namespace mkc {

namespace {

constexpr double lowest = -708;

#if MKC_HAS_AVX2_VARIANT

// Vector types of GCC and Clang: one operation on four numbers. All numbers take the same path, so
// that a result does not depend on its position.
constexpr Index lanes = 4;
using Doubles = double __attribute__((vector_size(8 * lanes)));
using Bits = std::int64_t __attribute__((vector_size(8 * lanes)));

// exp(x) = 2^k exp(r) with k = round(x / ln 2) and |r| <= ln 2 / 2, where Taylor's polynomial of
// degree 13 leaves less than 1e-17. ln 2 is the sum of two numbers, the first with zeros in its
// last bits, so that k times it is exact. Adding 1.5 2^52 rounds to an integer, which then is in
// the last bits; shifted into the exponent it multiplies by 2^k.
inline __attribute__((always_inline)) void exponential(double* x) {
  constexpr double to_integer = 6755399441055744.0, log2_e = 1.44269504088896340736;
  constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  const Doubles low = Doubles{} + lowest;
  Doubles y;
  std::memcpy(&y, x, sizeof y);
  y = low > y ? low : y;  // in this order a NaN stays one
  const Doubles shifted = y * log2_e + to_integer, k = shifted - to_integer;
  const Doubles r = (y - k * ln2_high) - k * ln2_low;
  Doubles p = r * (1.0 / 6227020800) + 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1;
  p = p * r + 1;
  const Bits e = (Bits)p + ((Bits)shifted << 52);
  std::memcpy(x, &e, sizeof e);
}

__attribute__((target("avx2,fma"))) void with_avx2(double* x, Index n) {
  Index i = 0;
  for (; i + lanes <= n; i += lanes) exponential(x + i);
  if (i == n) return;
  double rest[lanes] = {};
  std::copy(x + i, x + n, rest);
  exponential(rest);
  std::copy(rest, rest + (n - i), x + i);
}

#endif

void with_any(double* x, Index n) {
  for (Index i = 0; i < n; ++i) x[i] = std::exp(lowest > x[i] ? lowest : x[i]);
}

using Loop = void (*)(double*, Index);

Loop fastest_loop() {
#if MKC_HAS_AVX2_VARIANT
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return with_avx2;
#endif
  return with_any;
}

}  // namespace

void exponentials(double* x, Index n) {
  static const Loop chosen = fastest_loop();
  chosen(x, n);
}

}  // namespace mkc
