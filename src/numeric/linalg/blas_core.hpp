#pragma once

#include <string_view>

/// OpenBLAS has code for every kind of processor ("core") and chooses it by the model number. An
/// OpenBLAS that is older than the processor may take code without AVX2, three times slower.
namespace mkc::linalg {

struct CpuFeatures {
  bool avx2 = false;    // AVX2 and FMA
  bool avx512 = false;  // AVX-512 F, CD, BW, DQ and VL
};

/// What the processor can do and the operating system allows.
CpuFeatures cpu_features();

/// The core to take in place of `chosen`, or "" where `chosen` is the better choice: it uses AVX2,
/// or the processor has none.
std::string_view better_core(std::string_view chosen, CpuFeatures cpu);

/// The core in use; "" where the library is not OpenBLAS.
std::string_view core_in_use();

/// Makes OpenBLAS take that core; false where it cannot, or does not know it. No other thread may
/// be in a call of BLAS.
bool use_core(std::string_view core);

/// Lets OpenBLAS take a better core where there is one. Does nothing where the user's
/// OPENBLAS_CORETYPE decides, and where OpenBLAS was there before this library: a thread may be in
/// one of its calls. To be called while this library is loaded.
void take_better_core();

}  // namespace mkc::linalg
