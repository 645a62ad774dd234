#pragma once

#include <cstdint>
#include <string>

/// Sizes that a file claims, checked before memory is allocated.
namespace mkc::io {

/// What deflate can reach: bytes per compressed byte.
inline constexpr std::uint64_t largest_deflate_ratio = 1032;

/// While it lives, readers in this thread refuse what would make the resident memory of the process
/// exceed so many bytes, with a MemoryError.
class MemoryLimit {
 public:
  explicit MemoryLimit(double bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  double before_;
};

/// Memory of this process that is resident now, in bytes.
double resident_bytes();

/// Bytes that the process may still take: what the machine has free, what limits of the process
/// (ulimit -v) and of its group (containers) leave, and what a MemoryLimit leaves.
double memory_left();

/// MemoryError where a MemoryLimit does not allow so many bytes, InputError where there is no
/// memory for them. `what` says what needs them: "x.npz: 3 x 4 values".
void check_memory(double bytes, const std::string& what);

/// The same for rows x columns numbers; `where` names the source.
void check_dense_size(std::uint64_t rows, std::uint64_t columns, const std::string& where);

/// The same for a sparse matrix, which is read as a dense one. A large matrix with less than one
/// stored entry in 10 000 is refused as damaged.
void check_sparse_size(std::uint64_t rows, std::uint64_t columns, std::uint64_t entries,
                       const std::string& where);

}  // namespace mkc::io
