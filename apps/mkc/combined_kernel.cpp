#include "combined_kernel.hpp"

#include <numeric>

#include "formats/npz.hpp"
#include "formats/tables_out.hpp"

namespace mkc::app {

Index FactorsOut::columns() const {
  return std::accumulate(from.ranks.begin(), from.ranks.end(), Index{0});
}

Matrix FactorsOut::block(Index first) const {
  constexpr Index most = 4096;
  return how.features(from, first, std::min(most, rows() - first));
}

void write_kernel(const std::string& path, const std::string& target, const CombinedKernel& made) {
  if (target.ends_with(".npz")) {
    io::NpzWriter npz(path);
    if (made.whole) npz.add("K", made.K);
    if (const auto& out = made.factors) {
      npz.add_rows("factors", out->rows(), out->columns(),
                   [&](Index first) { return out->block(first); });
      npz.add("extra", Matrix(out->how.extra));
    }
    npz.add("samples", made.rows);
    if (made.diagonal) npz.add("diagonal", Matrix(*made.diagonal));
    if (made.diagonal) npz.add("training_samples", made.columns);
    npz.close();
  } else {
    io::write_matrix_table(path, target, made.rows, made.columns, made.K);
  }
}

io::NewDiagonal new_diagonal(const CombinedKernel& made) {
  io::NewDiagonal diagonal;
  if (made.diagonal)
    for (std::size_t i = 0; i < made.rows.size(); ++i)
      diagonal.emplace_back(made.rows[i], (*made.diagonal)(static_cast<Index>(i)));
  return diagonal;
}

}  // namespace mkc::app
