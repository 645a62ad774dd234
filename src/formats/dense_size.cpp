#include "formats/dense_size.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>

#include <fmt/format.h>

#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr double entries_always_allowed = 0x1p23;  // 64 MiB
constexpr double zeros_per_entry = 10000;
constexpr double unlimited = std::numeric_limits<double>::infinity();

thread_local double limit = unlimited;

struct Pages {
  double mapped = 0, resident = 0;  // in bytes
};

Pages pages_of_process() {
  std::ifstream file("/proc/self/statm");
  Pages pages;
  file >> pages.mapped >> pages.resident;
  const auto size = static_cast<double>(sysconf(_SC_PAGESIZE));
  return {pages.mapped * size, pages.resident * size};
}

double free_in_machine() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  double kibibytes = 0, sum = 0;
  bool known = false;
  while (file >> name >> kibibytes) {
    std::getline(file, unit);
    if (name != "MemAvailable:" && name != "SwapFree:") continue;
    known = known || name == "MemAvailable:";
    sum += 1024 * kibibytes;
  }
  return known ? sum : unlimited;
}

/// The number in a file of the control group; unlimited where there is none ("max").
double number_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  double number = 0;
  return file >> number ? number : unlimited;
}

/// The smallest limit of the control groups this process is in (containers, batch systems).
double limit_of_group() {
  namespace fs = std::filesystem;
  double smallest = unlimited;
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {  // "0::/a/b" or "9:memory:/a/b"
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const bool unified = second == first + 1;
    if (!unified && line.substr(first + 1, second - first - 1) != "memory") continue;
    const fs::path root = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    const char* name = unified ? "memory.max" : "memory.limit_in_bytes";
    for (fs::path group = line.substr(second + 1);; group = group.parent_path()) {
      smallest = std::min(smallest, number_in(root / group.relative_path() / name));
      if (!group.has_relative_path()) break;
    }
  }
  return smallest;
}

/// What the system leaves, without a MemoryLimit.
double left_by_system(const Pages& pages) {
  static const double group = limit_of_group();
  double left = std::min(free_in_machine(), group - pages.resident);
  rlimit addresses{};
  if (getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY)
    left = std::min(left, static_cast<double>(addresses.rlim_cur) - pages.mapped);
  return std::max(0.0, left);
}

}  // namespace

MemoryLimit::MemoryLimit(double bytes) : before_(limit) { limit = std::min(limit, bytes); }

MemoryLimit::~MemoryLimit() { limit = before_; }

double resident_bytes() { return pages_of_process().resident; }

double memory_left() {
  const Pages pages = pages_of_process();
  return std::max(0.0, std::min(limit - pages.resident, left_by_system(pages)));
}

void check_memory(double bytes, const std::string& what) {
  const Pages pages = pages_of_process();
  if (pages.resident + bytes > limit)
    throw MemoryError(
        fmt::format("{} need {:.0f} MiB beside the {:.0f} MiB in use, {:.0f} MiB are "
                    "allowed",
                    what, bytes / 0x1p20, pages.resident / 0x1p20, limit / 0x1p20));
  const double left = left_by_system(pages);
  if (bytes > left)
    throw InputError(fmt::format("{} need {:.3g} GiB, this machine has {:.3g} GiB for this process",
                                 what, bytes / 0x1p30, left / 0x1p30),
                     "the file is damaged, or too large for this machine");
}

void check_dense_size(std::uint64_t rows, std::uint64_t columns, const std::string& where) {
  constexpr double too_small_to_ask = 0x1p16;
  const double bytes = 8 * static_cast<double>(rows) * static_cast<double>(columns);
  if (bytes > too_small_to_ask)
    check_memory(bytes, fmt::format("{}: {} x {} values", where, rows, columns));
}

void check_sparse_size(std::uint64_t rows, std::uint64_t columns, std::uint64_t entries,
                       const std::string& where) {
  const double size = static_cast<double>(rows) * static_cast<double>(columns);
  if (size <= entries_always_allowed + zeros_per_entry * static_cast<double>(entries))
    return check_dense_size(rows, columns, where);
  throw InputError(fmt::format("{}: a sparse matrix of {} x {} with {} entries only", where, rows,
                               columns, entries),
                   "sparse matrices are read as dense ones: leave out the empty features");
}

}  // namespace mkc::io
