#include "files/apply_map.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "mkc/base/error.hpp"
#include "mkc/problem/id_spelling.hpp"

namespace mkc::io {

namespace {

std::string count_of(std::size_t n, const char* thing) {
  return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s");
}

/// The map's rows for one view, by what the file calls them.
class Assay {
 public:
  explicit Assay(bool any_spelling) : any_spelling_(any_spelling) {}

  void add(const SampleMap::Row& row) {
    primary_.emplace(key(row.colname), row.primary);
    colnames_.push_back(row.colname);
  }

  const Strings& colnames() const { return colnames_; }

  /// The sample of an id; null where the map has none.
  const std::string* primary(const std::string& id) const {
    const auto found = primary_.find(key(id));
    return found == primary_.end() ? nullptr : &found->second;
  }

  Strings without(const Strings& ids) const {
    std::unordered_set<std::string> known;
    for (const auto& id : ids) known.insert(key(id));
    Strings rest;
    for (const auto& name : colnames_)
      if (!known.contains(key(name))) rest.push_back(name);
    return rest;
  }

 private:
  std::string key(const std::string& id) const { return any_spelling_ ? spelling_key(id) : id; }

  bool any_spelling_;
  Strings colnames_;
  std::unordered_map<std::string, std::string> primary_;
};

Strings names_not_in(const View& view, const Assay& assay) {
  Strings unknown;
  for (const auto& id : view.all_ids)
    if (assay.primary(id) == nullptr) unknown.push_back(id);
  return unknown;
}

bool differ_only_in_spelling(const Strings& a, const Strings& b) {
  std::unordered_set<std::string> keys;
  for (const auto& name : a) keys.insert(spelling_key(name));
  return std::any_of(b.begin(), b.end(),
                     [&](const std::string& name) { return keys.contains(spelling_key(name)); });
}

void check_one_holds_the_other(const View& view, const SampleMap& map, const Strings& not_in_map,
                               const Strings& not_in_file) {
  if (not_in_map.empty() || not_in_file.empty()) return;
  throw InputError(
      fmt::format("{}: {} of the sample map {} not in the file: {}{}; and {} of the file not in "
                  "the map: {}",
                  place_of(view), count_of(not_in_file.size(), "colname"),
                  not_in_file.size() == 1 ? "is" : "are", first_of(not_in_file),
                  suggestion(not_in_file.front(), not_in_map), count_of(not_in_map.size(), "id"),
                  first_of(not_in_map)),
      differ_only_in_spelling(not_in_map, not_in_file)
          ? Hint{{"ids", "loose", "takes ids as equal that differ only in spelling"}}
          : fmt::format("correct the rows of assay '{}' in {}", view.name, map.path));
}

void rename(LoadedView& loaded, const SampleMap& map, const Assay& assay) {
  View& view = loaded.view;
  const Strings not_in_map = names_not_in(view, assay), not_in_file = assay.without(view.all_ids);
  check_one_holds_the_other(view, map, not_in_map, not_in_file);
  if (!not_in_map.empty())
    view.notices.push_back(fmt::format("{} of {} ids are not in the sample map and left out: {}",
                                       not_in_map.size(), view.all_ids.size(),
                                       first_of(not_in_map)));
  if (!not_in_file.empty())
    view.notices.push_back(
        fmt::format("{} of {} colnames of the sample map are not in the file: {}",
                    not_in_file.size(), assay.colnames().size(), first_of(not_in_file)));
  Indices kept;
  for (std::size_t i = 0; i < view.ids.size(); ++i)
    if (assay.primary(view.ids[i]) != nullptr) kept.push_back(static_cast<Index>(i));
  keep_samples(view, kept);
  if (view.own_ids.empty()) view.own_ids = view.ids;
  for (auto& id : view.ids) id = *assay.primary(id);
  Strings samples;
  for (const auto& id : view.all_ids)
    if (const std::string* primary = assay.primary(id)) samples.push_back(*primary);
  view.all_ids = std::move(samples);
  view.numbered = false;
}

/// All assays, in the order of the map.
Strings assays_of(const SampleMap& map) {
  Strings names;
  std::unordered_set<std::string_view> seen;
  for (const auto& row : map.rows)
    if (seen.insert(row.assay).second) names.push_back(row.assay);
  return names;
}

/// A view whose ids are samples already, as those of a clinical table are.
void keep_own_ids(View& view, const SampleMap& map,
                  const std::unordered_set<std::string_view>& primaries) {
  const auto known = std::count_if(view.all_ids.begin(), view.all_ids.end(),
                                   [&](const std::string& id) { return primaries.contains(id); });
  if (known == 0)
    throw InputError(
        fmt::format(
            "{}: the sample map {} has no assay '{}'{}, and no id of the file is one of its "
            "samples",
            place_of(view), map.path, view.name, suggestion(view.name, assays_of(map))),
        fmt::format("its assays are {}; name the view after one: NAME=PATH", join(assays_of(map))));
  view.notices.push_back(fmt::format(
      "the sample map has no assay '{}'; {} of {} ids are samples of the map and taken as such",
      view.name, known, view.all_ids.size()));
}

}  // namespace

Strings apply_sample_map(std::vector<LoadedView>& views, const SampleMap& map, bool any_spelling) {
  std::unordered_map<std::string_view, Assay> assays;
  std::unordered_set<std::string_view> primaries, used;
  for (const auto& row : map.rows) {
    assays.try_emplace(row.assay, any_spelling).first->second.add(row);
    primaries.insert(row.primary);
  }
  Strings notices;
  for (auto& loaded : views) {
    if (const auto assay = assays.find(loaded.view.name); assay == assays.end())
      keep_own_ids(loaded.view, map, primaries);
    else
      rename(loaded, map, assay->second);
    used.insert(loaded.view.name);
  }
  Strings unused = assays_of(map);
  std::erase_if(unused, [&](const std::string& name) { return used.contains(name); });
  if (!unused.empty())
    notices.push_back(fmt::format("the sample map {} also has {} that no view is named after: {}",
                                  map.path, count_of(unused.size(), "assay"), first_of(unused)));
  return notices;
}

}  // namespace mkc::io
