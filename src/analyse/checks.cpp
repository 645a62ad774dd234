#include "analyse/checks.hpp"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "mkc/base/error.hpp"
#include "mkc/combine.hpp"

namespace mkc {

namespace {

constexpr double symmetry_tolerance = 1e-6;  // of the largest entry, as for kernels of files
constexpr double variance_tolerance = 1e-12;

void check_kernel(const Matrix& K, const std::string& view, const Strings& samples) {
  const auto n = static_cast<Index>(samples.size());
  if (K.rows() != n || K.cols() != n)
    throw InputError(fmt::format("view '{}': its kernel is {} x {}, the samples are {}", view,
                                 K.rows(), K.cols(), n));
  for (Index i = 0; i < n; ++i)
    if (!K.col(i).allFinite())
      throw InputError(fmt::format("view '{}', sample '{}': the kernel has NaN or infinite entries",
                                   view, samples[at(i)]),
                       {{"command", "complete", "comes first"}});
  const double largest = K.cwiseAbs().maxCoeff();
  if (!((K - K.transpose()).cwiseAbs().maxCoeff() <= symmetry_tolerance * largest))
    throw InputError(fmt::format("view '{}': its kernel is not symmetric", view));
  if (!(kernel_variance(K) > variance_tolerance * largest))
    throw InputError(
        fmt::format("view '{}': all rows of its kernel are equal: no sample differs from another",
                    view),
        "leave the view out");
}

}  // namespace

void check_complete_kernels(const std::vector<Matrix>& kernels, const Strings& views,
                            const Strings& samples) {
  if (kernels.empty()) throw InputError("there is no kernel");
  if (std::set(samples.begin(), samples.end()).size() != samples.size())
    throw InputError("two samples have the same name");
  if (samples.size() < 2) throw InputError("one sample alone has no place among others");
  for (std::size_t m = 0; m < kernels.size(); ++m) check_kernel(kernels[m], views[m], samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    bool empty = true;
    for (const auto& K : kernels) empty = empty && K.col(static_cast<Index>(i)).isZero(0);
    if (empty)
      throw InputError(
          fmt::format("sample '{}': its row of the kernel is zero in every view", samples[i]),
          "leave the sample out, or complete it as a missing one");
  }
}

}  // namespace mkc
