#include "mkc/problem/view.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"

namespace mkc {

const Strings& view_kind_names() {
  static const Strings names = {"features", "kernel"};
  return names;
}

const std::string& view_kind_name(ViewKind kind) {
  return view_kind_names()[static_cast<std::size_t>(kind)];
}

const Strings& samples_in_names() {
  static const Strings names = {"rows", "columns", "auto"};
  return names;
}

const std::string& samples_in_name(SamplesIn side) {
  return samples_in_names()[static_cast<std::size_t>(side)];
}

std::string place_of(const std::string& name, const std::string& source) {
  const std::string view = fmt::format("view '{}'", shown(name));
  return source.empty() ? view : fmt::format("{} ({})", view, printable(source));
}

std::string row_in_file(const View& view, std::size_t row) {
  const std::string& name = view.own_ids.empty() ? view.ids[row] : view.own_ids[row];
  const std::string line = view.lines.empty() ? "" : fmt::format(" (line {})", view.lines[row]);
  return fmt::format("'{}'{}", shown(name), line);
}

std::vector<CategoryColumn> categories_among(const std::vector<CategoryColumn>& categories,
                                             const Indices& columns) {
  std::vector<CategoryColumn> among;
  for (const auto& category : categories) {
    const auto found = std::lower_bound(columns.begin(), columns.end(), category.column);
    if (found != columns.end() && *found == category.column)
      among.push_back({found - columns.begin(), category.levels});
  }
  return among;
}

void keep_samples(View& view, const Indices& kept) {
  const bool all_in_order =
      kept.size() == view.ids.size() && std::is_sorted(kept.begin(), kept.end());  // no row twice
  if (all_in_order) return;
  view.ids = picked(view.ids, kept);
  if (!view.own_ids.empty()) view.own_ids = picked(view.own_ids, kept);
  if (!view.lines.empty()) view.lines = picked(view.lines, kept);
  if (view.lent.size() > 0)
    view.values = std::exchange(view.lent, {})(kept, kept);
  else
    view.values = view.kind == ViewKind::kernel ? Matrix(view.values(kept, kept))
                                                : Matrix(view.values(kept, Eigen::all));
}

}  // namespace mkc
