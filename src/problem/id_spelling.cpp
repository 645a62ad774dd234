#include "mkc/problem/id_spelling.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.hpp"

namespace mkc {

namespace {

using Keys = std::unordered_set<std::string>;

bool is_separator(char c) { return c == ' ' || c == '\t' || c == '.' || c == '-' || c == '_'; }

Keys keys_of(const Strings& ids) {
  Keys keys;
  for (const auto& id : ids) keys.insert(spelling_key(id));
  return keys;
}

using ViewCounts = std::unordered_map<std::string, Index>;  // how many views have a key

// How many of these keys of a view, all of which it has itself, are in another view too.
Index shared(const Keys& keys, const ViewCounts& views_with) {
  return std::count_if(keys.begin(), keys.end(),
                       [&](const std::string& key) { return views_with.at(key) > 1; });
}

// An ending or a beginning that all ids of a view share, and ids without it.
struct Affix {
  std::string (*common)(const Strings& ids);
  bool at_end;

  std::string without(const std::string& id, const std::string& part) const {
    return at_end ? id.substr(0, id.size() - part.size()) : id.substr(part.size());
  }
};

// Removes from the ids of each view the affix it can do without: one without which its ids are
// found in more other views. Returns the affixes removed.
Strings remove_needless(const Affix& affix, std::vector<Strings>& ids) {
  Strings parts;
  std::vector<Strings> stems;
  std::vector<Keys> own, stem_keys;
  ViewCounts views_with;  // in full or without the affix
  for (const auto& view : ids) {
    parts.push_back(affix.common(view));
    stems.emplace_back();
    for (const auto& id : view) stems.back().push_back(affix.without(id, parts.back()));
    own.push_back(keys_of(view));
    stem_keys.push_back(keys_of(stems.back()));
    Keys either = own.back();
    either.insert(stem_keys.back().begin(), stem_keys.back().end());
    for (const auto& key : either) ++views_with[key];
  }
  for (std::size_t v = 0; v < ids.size(); ++v) {
    if (shared(stem_keys[v], views_with) <= shared(own[v], views_with))
      parts[v].clear();
    else
      ids[v] = std::move(stems[v]);
  }
  return parts;
}

const Affix ending{common_suffix, true}, beginning{common_prefix, false};

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? text
                                    : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The id all spellings of a key get: that of the first view that has it.
class CommonIds {
 public:
  explicit CommonIds(const std::vector<View>& views) {
    std::vector<Strings> ids;
    for (const auto& view : views) ids.push_back(view.all_ids);
    suffixes_ = remove_needless(ending, ids);
    prefixes_ = remove_needless(beginning, ids);
    for (std::size_t v = 0; v < views.size(); ++v)
      for (const auto& id : views[v].all_ids) common_.emplace(key(id, v), stem(id, v));
  }

  const std::string& of(const std::string& id, std::size_t view) const {
    return common_.at(key(id, view));
  }

 private:
  std::string stem(const std::string& id, std::size_t view) const {
    return trimmed(beginning.without(ending.without(id, suffixes_[view]), prefixes_[view]));
  }
  std::string key(const std::string& id, std::size_t view) const {
    return spelling_key(stem(id, view));
  }

  Strings suffixes_, prefixes_;
  std::unordered_map<std::string, std::string> common_;
};

// Ids of a view that would get a name another view uses: "'p1' (rna) and 'P-1' (prot)".
Strings differing_pairs(const std::vector<View>& views, const CommonIds& common) {
  struct Place {
    std::string id;
    std::size_t view;
  };
  std::unordered_map<std::string, Place> first;
  std::vector<std::unordered_set<std::string_view>> ids;
  Strings pairs;
  for (const auto& view : views) ids.emplace_back(view.all_ids.begin(), view.all_ids.end());
  for (std::size_t v = 0; v < views.size(); ++v)
    for (const auto& id : views[v].all_ids) {
      const auto [place, is_new] = first.emplace(common.of(id, v), Place{id, v});
      const auto& [other, w] = place->second;
      if (is_new || ids[w].contains(id) || ids[v].contains(other)) continue;
      pairs.push_back(fmt::format("'{}' ({}) and '{}' ({})", shown(other), views[w].name, shown(id),
                                  views[v].name));
    }
  return pairs;
}

std::string some(const Strings& pairs) {
  constexpr std::size_t many = 3;
  const auto end = pairs.begin() + static_cast<Index>(std::min(many, pairs.size()));
  return join(Strings(pairs.begin(), end), "; ") + (pairs.size() > many ? "; ..." : "");
}

}  // namespace

std::string spelling_key(std::string_view id) {
  std::string key;
  for (const char c : id) {
    if (!is_separator(c))
      key += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!key.empty() && key.back() != '-')
      key += '-';
  }
  if (!key.empty() && key.back() == '-') key.pop_back();
  return key;
}

std::string common_suffix(const Strings& ids) {
  if (ids.size() < 2) return {};
  std::string suffix = ids.front();
  for (const auto& id : ids) {
    std::size_t same = 0;
    while (same < std::min(suffix.size(), id.size()) &&
           suffix[suffix.size() - 1 - same] == id[id.size() - 1 - same])
      ++same;
    suffix = suffix.substr(suffix.size() - same);
  }
  const auto separator = std::find_if(suffix.begin(), suffix.end(), is_separator);
  suffix.erase(suffix.begin(), separator);
  const bool leaves_nothing = std::any_of(
      ids.begin(), ids.end(), [&](const std::string& id) { return id.size() == suffix.size(); });
  return leaves_nothing ? std::string() : suffix;
}

std::string common_prefix(const Strings& ids) {
  if (ids.size() < 2) return {};
  std::string prefix = ids.front();
  for (const auto& id : ids) {
    std::size_t same = 0;
    while (same < std::min(prefix.size(), id.size()) && prefix[same] == id[same]) ++same;
    prefix.resize(same);
  }
  const auto separator = std::find_if(prefix.rbegin(), prefix.rend(), is_separator);
  prefix.erase(separator.base(), prefix.end());
  const bool leaves_nothing = std::any_of(
      ids.begin(), ids.end(), [&](const std::string& id) { return id.size() == prefix.size(); });
  return leaves_nothing ? std::string() : prefix;
}

std::string normalize_ids(std::vector<View>& views) {
  const CommonIds common(views);
  const Strings pairs = differing_pairs(views, common);
  for (std::size_t v = 0; v < views.size(); ++v) {
    if (views[v].own_ids.empty()) views[v].own_ids = views[v].ids;
    for (auto& id : views[v].ids) id = common.of(id, v);
    for (auto& id : views[v].all_ids) id = common.of(id, v);
  }
  if (pairs.empty()) return {};
  return fmt::format("{} ids that differ only in spelling are taken as one: {}", pairs.size(),
                     some(pairs));
}

std::string spelling_differences(const std::vector<View>& views) {
  const bool all_equal = std::all_of(views.begin(), views.end(), [&](const View& view) {
    return view.all_ids == views.front().all_ids;
  });
  if (all_equal) return {};  // as in most large tables, without keys of millions of ids
  const Strings pairs = differing_pairs(views, CommonIds(views));
  if (pairs.empty()) return {};
  return fmt::format(
      "{} id{} only in spelling between views and count{} as different samples: {}; the rule loose "
      "for ids takes them as one",
      pairs.size(), pairs.size() == 1 ? " differs" : "s differ", pairs.size() == 1 ? "s" : "",
      some(pairs));
}

}  // namespace mkc
