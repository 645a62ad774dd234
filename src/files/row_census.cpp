#include "files/row_census.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace mkc::io {

namespace {

constexpr double largest_value = 1e150;  // squares do not overflow

using Row = RowCensus::Row;

RowCensus census_of_rows(const RowSource& source, Index first, Index count) {
  const Matrix block = read_rows(source, first, count);
  RowCensus found;
  found.rows.assign(at(count), Row::values);
  found.cells_without_value.assign(at(block.rows()), 0);
  for (Index i = 0; i < count; ++i) {
    Index missing = 0, zeros = 0;
    const double* row = block.col(i).data();
    for (Index j = 0; j < block.rows(); ++j) {
      missing += std::isnan(row[j]);
      zeros += row[j] == 0;
      if (std::fabs(row[j]) > largest_value && !found.too_large) found.too_large = {first + i, j};
    }
    if (missing == block.rows()) {
      found.rows[at(i)] = Row::missing;
      continue;
    }
    if (zeros + missing == block.rows()) found.rows[at(i)] = Row::zeros;
    for (Index j = 0; missing > 0 && j < block.rows(); ++j) {
      if (!std::isnan(row[j])) continue;
      ++found.cells_without_value[at(j)];
      if (!found.first_without_value) found.first_without_value = {first + i, j};
    }
  }
  return found;
}

void add(RowCensus& all, const RowCensus& part) {
  all.rows.insert(all.rows.end(), part.rows.begin(), part.rows.end());
  std::transform(part.cells_without_value.begin(), part.cells_without_value.end(),
                 all.cells_without_value.begin(), all.cells_without_value.begin(), std::plus());
  if (!all.first_without_value) all.first_without_value = part.first_without_value;
  if (!all.too_large) all.too_large = part.too_large;
}

}  // namespace

RowCensus census_of(const RowSource& source, int threads) {
  const Index most = source.rows_at_once(), count = (source.rows() + most - 1) / most;
  RowCensus all;
  all.rows.reserve(at(source.rows()));
  all.cells_without_value.assign(at(source.columns()), 0);
  std::vector<RowCensus> parts(at(threads));
  for (Index block = 0; block < count; block += threads) {
    const Index some = std::min<Index>(threads, count - block);
    parallel_for(some, threads, [&](Index k) {
      const Index first = (block + k) * most;
      parts[at(k)] = census_of_rows(source, first, std::min(most, source.rows() - first));
    });
    for (Index k = 0; k < some; ++k) add(all, parts[at(k)]);
  }
  return all;
}

}  // namespace mkc::io
