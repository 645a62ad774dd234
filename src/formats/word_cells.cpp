#include "formats/word_cells.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "formats/dense_size.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr std::size_t few_cells = std::size_t{1} << 18;  // need no check
// A word is stored twice, in the list and as a key, with its node and its place in the table.
constexpr double bytes_per_word = 2 * sizeof(std::string) + 64;

}  // namespace

void WordCells::add(Index row, Index column, std::string_view word, const std::string& path) {
  constexpr Index most = std::numeric_limits<std::uint32_t>::max();
  if (row >= most || column >= most)
    throw InputError(
        fmt::format("{}: words in a table of more than {} rows or columns", path, most));
  if (cells_.size() == cells_.capacity() && cells_.size() >= few_cells)
    check_memory(2 * static_cast<double>(cells_.size()) * sizeof(Cell) +
                     static_cast<double>(words_.size()) * bytes_per_word,
                 fmt::format("{}: {} cells that hold words", path, cells_.size()));
  const auto next = static_cast<std::uint32_t>(words_.size());
  const auto [found, is_new] = place_of_.try_emplace(std::string(word), next);
  if (is_new) words_.emplace_back(word);
  cells_.push_back(
      {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column), found->second});
}

void WordCells::turn() {
  for (auto& cell : cells_) std::swap(cell.row, cell.column);
}

}  // namespace mkc::io
