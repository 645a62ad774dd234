#include <cmath>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "files/apply_map.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

/// Rows of each sample, in the order of first appearance.
std::vector<Indices> rows_of_samples(const Strings& ids) {
  std::unordered_map<std::string_view, std::size_t> group;
  std::vector<Indices> rows;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto [found, is_new] = group.emplace(ids[i], rows.size());
    if (is_new) rows.emplace_back();
    rows[found->second].push_back(static_cast<Index>(i));
  }
  return rows;
}

[[noreturn]] void refuse(const View& view, const Indices& rows, const Strings& rows_in_file) {
  throw InputError(
      fmt::format("{}: sample '{}' has {} {}: {} and {}", place_of(view),
                  shown(view.ids[at(rows[0])]), rows.size(), samples_in_name(view.samples_in),
                  rows_in_file[at(rows[0])], rows_in_file[at(rows[1])]),
      {{"replicates", "first", "takes the first of them"},
       {"replicates", "mean", "takes their mean"}});
}

/// Means of the given rows, over the cells that have a value. (groups, d)
Matrix mean_rows(const Matrix& values, const std::vector<Indices>& groups) {
  Matrix means(static_cast<Index>(groups.size()), values.cols());
  for (Index j = 0; j < values.cols(); ++j)
    for (std::size_t g = 0; g < groups.size(); ++g) {
      double sum = 0;
      int count = 0;
      for (const Index i : groups[g])
        if (!std::isnan(values(i, j))) {
          sum += values(i, j);
          ++count;
        }
      means(static_cast<Index>(g), j) =
          count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
    }
  return means;
}

}  // namespace

void merge_replicates(View& view, Replicates policy, const Strings& rows_in_file) {
  const std::vector<Indices> groups = rows_of_samples(view.ids);
  if (groups.size() == view.ids.size()) return;
  Indices first;
  std::size_t repeated = 0;
  for (const auto& rows : groups) {
    if (rows.size() > 1 && policy == Replicates::error) refuse(view, rows, rows_in_file);
    repeated += rows.size() > 1;
    first.push_back(rows.front());
  }
  view.notices.push_back(
      fmt::format("{} sample{} several rows ({} rows of {} samples); {}", repeated,
                  repeated == 1 ? " has" : "s have", view.ids.size(), groups.size(),
                  policy == Replicates::first ? "the first is taken" : "their mean is taken"));
  Matrix means;
  if (policy == Replicates::mean) {
    means = mean_rows(view.values, groups);
    // A K A' with the averaging matrix A: the kernel of the mean feature vectors.
    if (view.kind == ViewKind::kernel) {
      means = mean_rows(Matrix(means.transpose()), groups);
      means = (0.5 * (means + means.transpose())).eval();
    }
  }
  keep_samples(view, first);
  if (policy == Replicates::mean) view.values = std::move(means);
}

}  // namespace mkc::io
