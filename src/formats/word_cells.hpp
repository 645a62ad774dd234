#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// Cells of a table that hold words: neither numbers nor missing. In a table of numbers there are
/// none, and this takes no memory; a word that is repeated is stored once.
class WordCells {
 public:
  struct Cell {
    std::uint32_t row, column;
    std::uint32_t word;  // its place in words()
  };

  /// InputError that names the file where there is no memory for more.
  void add(Index row, Index column, std::string_view word, const std::string& path);

  /// Swaps rows and columns.
  void turn();

  bool empty() const { return cells_.empty(); }
  const std::vector<Cell>& cells() const { return cells_; }
  const Strings& words() const { return words_; }
  const std::string& word(const Cell& cell) const { return words_[cell.word]; }

 private:
  std::vector<Cell> cells_;
  Strings words_;  // different from each other
  std::unordered_map<std::string, std::uint32_t> place_of_;
};

}  // namespace mkc::io
