#include "blocks.hpp"

#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "files/joint_source.hpp"
#include "files/large_views.hpp"
#include "files/read_views.hpp"
#include "mkc/base/error.hpp"
#include "zip_sums.hpp"

namespace mkc::fuzz {

namespace {

constexpr Index most_cells = 1 << 22;  // to compare; a sparse table may claim many more

/// Names of copies in the folder of the file; the next input writes over them.
io::FileNamer copies_beside(const std::string& path) {
  return [folder = std::filesystem::path(path).parent_path(), next = 0]() mutable {
    return (folder / fmt::format("copy-{}.npy", next++)).string();
  };
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void require_same(const MatrixRef& a, const MatrixRef& b, const std::string& what) {
  if (a.rows() != b.rows() || a.cols() != b.cols())
    throw std::logic_error(
        fmt::format("{}: {} x {}, not {} x {}", what, a.rows(), a.cols(), b.rows(), b.cols()));
  for (Index j = 0; j < a.cols(); ++j)
    for (Index i = 0; i < a.rows(); ++i)
      if (!same(a(i, j), b(i, j)))
        throw std::logic_error(
            fmt::format("{}: at ({}, {}) {}, not {}", what, i, j, a(i, j), b(i, j)));
}

/// All rows, one per column: from the first to the last, which is compared with other ways.
Matrix values_of(const io::RowSource& rows) {
  const Index n = rows.rows();
  const Matrix all = io::read_rows(rows, 0, n);
  Indices order(at(n));
  std::iota(order.rbegin(), order.rend(), 0);
  Matrix turned(rows.columns(), n);
  rows.read(order, turned);
  require_same(turned.rowwise().reverse(), all, "rows in another order");
  if (rows.columns() > 0) {
    Vector segment(rows.columns() - 1);
    rows.read_segment(n - 1, 1, segment.size(), segment.data());
    require_same(segment, all.col(n - 1).tail(segment.size()), "a part of a row");
  }
  return all;
}

/// The tables when they are read whole; nothing where that is refused.
std::optional<std::vector<io::RawTable>> whole_tables(const io::ViewSpec& spec) {
  try {
    return io::read_tables(spec);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void compare_with_whole(const io::ViewSpec& spec) {
  const std::vector<io::RawTable> blocks = io::read_tables(spec, {}, copies_beside(spec.path));
  const auto whole = whole_tables(spec);
  if (whole && whole->size() != blocks.size()) throw std::logic_error("another number of tables");
  for (std::size_t t = 0; t < blocks.size(); ++t) {
    const io::RowSource& rows = *blocks[t].rows;
    if (rows.rows() == 0 || rows.columns() > most_cells / rows.rows()) continue;
    const Matrix values = values_of(rows);
    if (!whole) continue;
    if (blocks[t].row_names != (*whole)[t].row_names) throw std::logic_error("other row names");
    require_same(values.transpose(), (*whole)[t].values, "a table read in blocks");
  }
}

/// The views in the order of the samples of a run.
void read_joined(const io::ViewSpec& spec) {
  io::ReadAllOptions options;
  options.read.na_features = NaPolicy::mean;
  io::LargeViews large = io::read_large_views({spec}, options, copies_beside(spec.path), 1);
  std::vector<View> views;
  for (const auto& one : large.views) {
    if (one.rows->columns() > most_cells / one.rows->rows()) return;
    views.push_back(one.view);
  }
  const Alignment alignment = align_samples(views, {});
  const auto n_views = std::ssize(views);
  const io::JointSource source(std::move(large.views), alignment, NaPolicy::mean);
  Matrix X;
  factor::Presence has;
  for (Index m = 0; m < n_views; ++m) source.read(m, 0, source.n_samples(), X, has);
}

}  // namespace

std::string write_table(Scratch& scratch, std::string_view bytes) {
  if (bytes.starts_with("\x93NUMPY")) return scratch.write("x.npy", bytes);
  if (bytes.starts_with("PK")) return scratch.write("x.npz", with_right_sums(bytes));
  if (bytes.starts_with("\x89HDF")) return scratch.write("x.h5", bytes);
  return scratch.write("x.csv", bytes);
}

void read_in_blocks(const std::string& path) try {
  io::ViewSpec spec;
  spec.path = path;
  compare_with_whole(spec);
  read_joined(spec);
} catch (const OptionError& error) {  // names of views, as options of the user
  throw InputError(path + ": " + error.what());
}

}  // namespace mkc::fuzz
