#include "mkc/factor/source.hpp"

namespace mkc::factor {

void Source::gather(Index view, const Indices& rows, Matrix& X, Presence& has) const {
  X.resize(std::ssize(rows), views()[at(view)].columns);
  has.resize(std::ssize(rows));
  Matrix row;
  Presence there;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    read(view, rows[i], 1, row, there);
    X.row(static_cast<Index>(i)) = row;
    has(static_cast<Index>(i)) = there(0);
  }
}

void Source::read_columns(Index view, Index first, Index count, const Indices& columns, Matrix& X,
                          Presence& has) const {
  Matrix all;
  read(view, first, count, all, has);
  X = all(Eigen::all, columns);
}

}  // namespace mkc::factor
