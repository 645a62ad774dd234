#pragma once

#include <cstdint>

#include "mkc/base/types.hpp"

/// Seeded random matrices: the one source of random numbers in the tests.
namespace mkc::test {

Matrix random_matrix(Index rows, Index cols, std::uint64_t seed);  // entries U(-1, 1)
Matrix random_symmetric(Index n, std::uint64_t seed);              // exactly symmetric
Matrix random_psd(Index n, Index rank, std::uint64_t seed);        // X X', X (n, rank)
Indices random_permutation(Index n, std::uint64_t seed);

}  // namespace mkc::test
