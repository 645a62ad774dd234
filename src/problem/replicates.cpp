#include "mkc/problem/replicates.hpp"

#include <cmath>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "kernels/category_fill.hpp"
#include "mkc/base/error.hpp"
#include "problem/tcga_barcode.hpp"

namespace mkc {

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

[[noreturn]] void refuse(const View& view, const Indices& rows) {
  const auto barcode = [&](Index row) {
    return parse_tcga_barcode(view.own_ids.empty() ? view.ids[at(row)] : view.own_ids[at(row)]);
  };
  Hint hint{{"replicates", "first", "takes the first of them"},
            {"replicates", "mean", "takes their mean"}};
  if (barcode(rows[0]) && barcode(rows[1]))
    hint.add({"replicates", "broad", "chooses by analyte, portion and plate"});
  throw InputError(
      fmt::format("{}: sample '{}' has {} {}: {} and {}", place_of(view),
                  shown(view.ids[at(rows[0])]), rows.size(), samples_in_name(view.samples_in),
                  row_in_file(view, at(rows[0])), row_in_file(view, at(rows[1]))),
      hint);
}

/// The row of the aliquot that GDAC takes.
Index preferred_row(const View& view, const Indices& rows) {
  std::vector<TcgaBarcode> aliquots;
  for (const Index row : rows) {
    const std::string& id = view.own_ids.empty() ? view.ids[at(row)] : view.own_ids[at(row)];
    auto barcode = parse_tcga_barcode(id);
    if (!barcode)
      throw InputError(
          fmt::format("{}: sample '{}' has {} rows, and {} is not a TCGA barcode", place_of(view),
                      shown(view.ids[at(row)]), rows.size(), row_in_file(view, at(row))),
          {{"replicates", "first", "or mean does not need barcodes"}});
    aliquots.push_back(std::move(*barcode));
  }
  return rows[preferred_aliquot(aliquots)];
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

/// Of a column of words there is no mean: the most frequent one, of several the first row's.
void take_most_frequent_words(const View& view, const std::vector<Indices>& groups,
                              Matrix& merged) {
  for (const auto& category : view.categories)
    for (std::size_t g = 0; g < groups.size(); ++g)
      merged(static_cast<Index>(g), category.column) =
          most_frequent(view.values(groups[g], category.column));
}

}  // namespace

const Strings& replicates_names() {
  static const Strings names = {"error", "first", "mean", "broad"};
  return names;
}

void merge_replicates(View& view, Replicates policy) {
  const std::vector<Indices> groups = rows_of_samples(view.ids);
  if (groups.size() == view.ids.size()) return;
  Indices kept;
  std::size_t repeated = 0;
  for (const auto& rows : groups) {
    if (rows.size() > 1 && policy == Replicates::error) refuse(view, rows);
    repeated += rows.size() > 1;
    kept.push_back(policy == Replicates::broad && rows.size() > 1 ? preferred_row(view, rows)
                                                                  : rows.front());
  }
  const char* taken = policy == Replicates::first   ? "the first is taken"
                      : policy == Replicates::broad ? "the aliquot that GDAC prefers is taken"
                      : view.categories.empty()
                          ? "their mean is taken"
                          : "their mean is taken, of words the most frequent one";
  view.notices.push_back(fmt::format(
      "{} sample{} several {} ({} of {} samples); {}", repeated, repeated == 1 ? " has" : "s have",
      samples_in_name(view.samples_in), view.ids.size(), groups.size(), taken));
  Matrix means;
  if (policy == Replicates::mean) {
    means = mean_rows(view.values, groups);
    take_most_frequent_words(view, groups, means);
    // A K A' with the averaging matrix A: the kernel of the mean feature vectors.
    if (view.kind == ViewKind::kernel) {
      means = mean_rows(Matrix(means.transpose()), groups);
      means = (0.5 * (means + means.transpose())).eval();
    }
  }
  keep_samples(view, kept);
  if (policy == Replicates::mean) view.values = std::move(means);
}

}  // namespace mkc
