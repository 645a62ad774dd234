#pragma once

#include <cstdint>
#include <string>

/// Sizes that a file claims, checked before memory is allocated.
namespace mkc::io {

/// What deflate can reach: bytes per compressed byte.
inline constexpr std::uint64_t largest_deflate_ratio = 1032;

/// InputError where rows x columns numbers do not fit into the memory of this machine. `where`
/// names the source.
void check_dense_size(std::uint64_t rows, std::uint64_t columns, const std::string& where);

/// The same for a sparse matrix, which is read as a dense one. A large matrix with less than one
/// stored entry in 10 000 is refused as damaged.
void check_sparse_size(std::uint64_t rows, std::uint64_t columns, std::uint64_t entries,
                       const std::string& where);

}  // namespace mkc::io
