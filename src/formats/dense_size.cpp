#include "formats/dense_size.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr double entries_always_allowed = 0x1p23;  // 64 MiB
constexpr double zeros_per_entry = 10000;

double memory_of_machine() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void check_dense_size(std::uint64_t rows, std::uint64_t columns, const std::string& where) {
  const double bytes = 8 * static_cast<double>(rows) * static_cast<double>(columns);
  if (bytes <= memory_of_machine()) return;
  throw InputError(fmt::format("{}: {} x {} values need {:.3g} GiB, this machine has {:.3g} GiB",
                               where, rows, columns, bytes / 0x1p30, memory_of_machine() / 0x1p30),
                   "the file is damaged, or too large for this machine");
}

void check_sparse_size(std::uint64_t rows, std::uint64_t columns, std::uint64_t entries,
                       const std::string& where) {
  check_dense_size(rows, columns, where);
  const double size = static_cast<double>(rows) * static_cast<double>(columns);
  if (size <= entries_always_allowed + zeros_per_entry * static_cast<double>(entries)) return;
  throw InputError(fmt::format("{}: a sparse matrix of {} x {} with {} entries only", where, rows,
                               columns, entries),
                   "sparse matrices are read as dense ones: leave out the empty features");
}

}  // namespace mkc::io
