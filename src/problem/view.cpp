#include "mkc/problem/view.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "mkc/base/error.hpp"

namespace mkc {

namespace {

template <class T>
void keep(std::vector<T>& items, const Indices& kept) {
  if (items.empty()) return;
  std::vector<T> rest;
  for (const Index i : kept) rest.push_back(std::move(items[at(i)]));
  items = std::move(rest);
}

}  // namespace

std::string place_of(const View& view) {
  return fmt::format("view '{}' ({})", shown(view.name), view.source);
}

void keep_samples(View& view, const Indices& kept) {
  const bool all_in_order =
      kept.size() == view.ids.size() && std::is_sorted(kept.begin(), kept.end());  // no row twice
  if (all_in_order) return;
  keep(view.ids, kept);
  keep(view.lines, kept);
  keep(view.names_in_file, kept);
  if (view.elsewhere.size() > 0)
    view.values = std::exchange(view.elsewhere, {})(kept, kept);
  else
    view.values = view.kind == ViewKind::kernel ? Matrix(view.values(kept, kept))
                                                : Matrix(view.values(kept, Eigen::all));
}

void check_view_names(const std::vector<View>& views) {
  std::unordered_map<std::string, std::string> seen;
  for (const auto& view : views) {
    const auto [first, is_new] = seen.emplace(view.name, view.source);
    if (!is_new)
      throw InputError(
          fmt::format("two views are named '{}': {} and {}", view.name, first->second, view.source),
          {{"name", "", "gives each a name of its own"}});
  }
}

}  // namespace mkc
