#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "formats/hdf5.hpp"
#include "formats/hdf5_parts.hpp"

namespace mkc::io::h5 {

namespace {

constexpr double most_columns = 1 << 24;

/// The same object, open as long as this node is.
Node shared(const Node& node) {
  H5Iinc_ref(node.id);
  return {Handle(node.id, H5Oclose), node.where};
}

/// Calls read(place, first, count) for every run of neighbouring rows.
template <class Read>
void for_each_run(const Indices& rows, Read read) {
  for (std::size_t k = 0; k < rows.size();) {
    std::size_t end = k + 1;
    while (end < rows.size() && rows[end] == rows[end - 1] + 1) ++end;
    read(static_cast<Index>(k), rows[k], static_cast<Index>(end - k));
    k = end;
  }
}

class DatasetRows : public RowSource {
 public:
  explicit DatasetRows(const Node& dataset) : dataset_(shared(dataset)), sizes_(shape(dataset)) {
    if (!dataset.is_dataset() || !is_numeric(dataset))
      fail(dataset.where, "numbers are needed here");
    if (sizes_.size() != 2)
      fail(dataset.where, fmt::format("a matrix is needed, found {} dimensions", sizes_.size()));
    check_claim(dataset, count_of(sizes_, dataset.where));
  }

  Index rows() const override { return sizes_[0]; }
  Index columns() const override { return sizes_[1]; }
  Index rows_at_once() const override {
    constexpr Index most_cells = Index{1} << 23;
    const Index width = std::max<Index>(1, columns());
    return std::min(rows_per_block(dataset_, width), std::max<Index>(1, most_cells / width));
  }
  void read(const Indices& rows, MutableMatrixRef to) const override {
    Matrix run;
    for_each_run(rows, [&](Index place, Index first, Index count) {
      run.resize(columns(), count);
      read_part(dataset_, 2, first, count, columns(), run.data());
      to.middleCols(place, count) = run;
    });
  }

 private:
  Node dataset_;
  Indices sizes_;
};

class CsrRows : public RowSource {
 public:
  CsrRows(const Node& group, double columns)
      : indices_(open(group, "indices")), data_(open(group, "data")), where_(group.where) {
    if (!(columns >= 0 && columns <= most_columns))
      fail(where_, "a sparse matrix without its sizes");
    columns_ = static_cast<Index>(columns);
    starts_ = read_numbers(open(group, "indptr"));
    const Indices entries = shape(data_), places = shape(indices_);
    if (starts_.size() < 1 || entries.size() != 1 || places != entries)
      fail(where_, "'indices' and 'data' of a sparse matrix are lists of one length", damaged);
    for (const auto* list : {&indices_, &data_}) {
      if (!is_numeric(*list)) fail(list->where, "numbers are needed here");
      check_claim(*list, static_cast<std::uint64_t>(entries[0]));
    }
    for (Index i = 0; i + 1 < starts_.size(); ++i)
      if (!(starts_(i) >= 0 && starts_(i) <= starts_(i + 1) &&
            starts_(i + 1) <= static_cast<double>(entries[0])) ||
          starts_(i) != std::floor(starts_(i)))
        fail(where_,
             fmt::format("row {} begins at entry {} and ends at {} of {}", i, starts_(i),
                         starts_(i + 1), entries[0]),
             damaged);
  }

  Index rows() const override { return starts_.size() - 1; }
  Index columns() const override { return columns_; }
  void read(const Indices& rows, MutableMatrixRef to) const override {
    to.setZero();
    for_each_run(rows, [&](Index place, Index first, Index count) {
      const auto begin = static_cast<Index>(starts_(first));
      const auto entries = static_cast<Index>(starts_(first + count)) - begin;
      if (entries == 0) return;
      Vector columns(entries), values(entries);
      read_part(indices_, 1, begin, entries, 1, columns.data());
      read_part(data_, 1, begin, entries, 1, values.data());
      for (Index i = 0; i < count; ++i)
        for (auto e = static_cast<Index>(starts_(first + i)) - begin;
             e < static_cast<Index>(starts_(first + i + 1)) - begin; ++e) {
          if (!(columns(e) >= 0 && columns(e) < static_cast<double>(columns_)))
            fail(where_,
                 fmt::format("an entry of row {} is in column {} of {}", first + i, columns(e),
                             columns_),
                 damaged);
          to(static_cast<Index>(columns(e)), place + i) += values(e);
        }
    });
  }

 private:
  Node indices_, data_;
  std::string where_;
  Index columns_ = 0;
  Vector starts_;
};

}  // namespace

std::shared_ptr<const RowSource> rows_of_matrix(const Node& dataset) {
  return std::make_shared<DatasetRows>(dataset);
}

std::shared_ptr<const RowSource> rows_of_csr(const Node& group, double columns) {
  return std::make_shared<CsrRows>(group, columns);
}

}  // namespace mkc::io::h5
