#include "files/orientation.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "files/raw_table.hpp"
#include "mkc/base/error.hpp"
#include "mkc/problem/id_spelling.hpp"

namespace mkc::io {

namespace {

using Keys = std::vector<Index>;  // numbers of spelling keys, ascending

enum Side { in_rows = 0, in_columns = 1 };

Side other(Side side) { return side == in_rows ? in_columns : in_rows; }

/// Numbers for spelling keys, so that sets of ids are compared fast.
class KeyNumbers {
 public:
  Keys of(const Strings& ids) {
    Keys keys;
    for (const auto& id : ids)
      keys.push_back(
          numbers_.emplace(spelling_key(id), static_cast<Index>(numbers_.size())).first->second);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
  }

 private:
  std::unordered_map<std::string, Index> numbers_;
};

Index shared(const Keys& a, const Keys& b) {
  Keys both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return static_cast<Index>(both.size());
}

Keys united(const Keys& a, const Keys& b) {
  Keys all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

[[noreturn]] void refuse_to_guess(const RawTable& table, Index rows, Index columns,
                                  const std::string& where) {
  throw InputError(
      fmt::format("{}: cannot decide whether samples are in rows or in columns: {} of {} row "
                  "names and {} of {} column names are {}",
                  place_of(table), rows, table.row_names.size(), columns, table.column_names.size(),
                  where),
      {{"samples_in", "rows", "or columns decides"},
       fmt::format("for this view alone: '{},samples_in=columns'", table.source)});
}

/// Names of a side that others have too. A few may be chance, more than one in twenty are not.
struct Known {
  Index names = 0, of = 0;
  bool is_more_than_chance() const { return 20 * names > of; }
  /// Enough to turn a table: two views may share a column 'age' and have no sample in common.
  bool is_convincing() const { return names >= 2 && 5 * names > of; }
};

/// The side whose names others have; where they have none: rows.
Side decided(const RawTable& table, const std::array<Known, 2>& known, const std::string& where) {
  if (known[in_rows].is_more_than_chance() && known[in_columns].is_more_than_chance())
    refuse_to_guess(table, known[in_rows].names, known[in_columns].names, where);
  const bool more_in_columns =
      known[in_columns].names * known[in_rows].of > known[in_rows].names * known[in_columns].of;
  return more_in_columns ? in_columns : in_rows;
}

void put_in_rows(RawTable& table, Side side, Index known, const std::string& where) {
  if (side == in_rows) return;
  table.notices.push_back(fmt::format("samples are in columns: {} of {} column names are {}", known,
                                      table.column_names.size(), where));
  turn(table);
}

Strings colnames_of(const SampleMap& map, const std::string& assay) {
  Strings names;
  for (const auto& row : map.rows)
    if (row.assay == assay) names.push_back(row.colname);
  return names;
}

/// Tables whose side is open, compared with each other and with ids that are certain.
class OpenTables {
 public:
  OpenTables(std::vector<RawTable*> tables, const Strings& certain_ids)
      : tables_(std::move(tables)) {
    certain_keys_ = numbers_.of(certain_ids);
    for (const RawTable* table : tables_)
      keys_.push_back({numbers_.of(table->row_names), numbers_.of(table->column_names)});
    strip_suffixes();
    for (const auto& keys : keys_)
      certain_.push_back({shared(keys[0], certain_keys_), shared(keys[1], certain_keys_)});
    const std::size_t n = tables_.size();
    pairs_.assign(n * n * 4, 0);
    for (std::size_t v = 0; v < n; ++v)
      for (std::size_t w = 0; w < v; ++w)
        for (const Side s : {in_rows, in_columns})
          for (const Side t : {in_rows, in_columns})
            pair(v, s, w, t) = pair(w, t, v, s) = shared(keys_[v][s], keys_[w][t]);
  }

  void put_samples_in_rows() {
    Sides sides;
    for (std::size_t v = 0; v < tables_.size(); ++v) sides.push_back(side_of(v));
    for (std::size_t v = 0; v < tables_.size(); ++v)
      put_in_rows(*tables_[v], sides[v], names_known(v, sides), where);
  }

 private:
  using Sides = std::vector<Side>;
  static constexpr const char* where = "also in other views";

  /// Names that no other table has may have a suffix of their table: P1_rna beside P1_prot.
  void strip_suffixes() {
    const auto is_known_elsewhere = [&](std::size_t v, const Keys& keys) {
      if (shared(keys, certain_keys_) > 0) return true;
      for (std::size_t w = 0; w < keys_.size(); ++w)
        if (w != v && shared(keys, keys_[w][0]) + shared(keys, keys_[w][1]) > 0) return true;
      return false;
    };
    std::vector<std::array<Keys, 2>> stripped = keys_;
    for (std::size_t v = 0; v < keys_.size(); ++v)
      for (const Side side : {in_rows, in_columns})
        if (!is_known_elsewhere(v, keys_[v][side]))
          stripped[v][side] = numbers_.of(
              without_suffix(side == in_rows ? tables_[v]->row_names : tables_[v]->column_names));
    keys_ = std::move(stripped);
  }

  static Strings without_suffix(Strings ids) {
    const std::size_t suffix = common_suffix(ids).size();
    for (auto& id : ids) id.resize(id.size() - suffix);
    return ids;
  }

  Index& pair(std::size_t v, Side s, std::size_t w, Side t) {
    return pairs_[((v * tables_.size() + w) * 2 + s) * 2 + t];
  }

  /// Ids that table v shares with the certain ones and with each other table.
  Index links(std::size_t v, const Sides& sides) {
    Index sum = certain_[v][sides[v]];
    for (std::size_t w = 0; w < tables_.size(); ++w)
      if (w != v) sum += pair(v, sides[v], w, sides[w]);
    return sum;
  }

  Index total(const Sides& sides) {
    Index sum = 0;
    for (std::size_t v = 0; v < tables_.size(); ++v) sum += links(v, sides) + certain_[v][sides[v]];
    return sum;
  }

  /// Tables that share an id with anything, and whether any shares one with the certain ids.
  Index linked(const Sides& sides) {
    Index count = 0;
    bool any_certain = false;
    for (std::size_t v = 0; v < tables_.size(); ++v) {
      count += links(v, sides) > 0;
      any_certain = any_certain || certain_[v][sides[v]] > 0;
    }
    return count + any_certain;
  }

  /// The better side of table v, with the other tables turned to agree with it. A side that leaves
  /// fewer tables linked than the other is not taken.
  Side side_of(std::size_t v) {
    const std::array<Sides, 2> sides = {best(v, in_rows), best(v, in_columns)};
    std::array<Known, 2> known;
    for (const Side side : {in_rows, in_columns})
      known[side] = {names_known(v, sides[side]), static_cast<Index>(keys_[v][side].size())};
    const Index rows = linked(sides[in_rows]), columns = linked(sides[in_columns]);
    const Side side = rows == columns  ? decided(*tables_[v], known, where)
                      : columns > rows ? in_columns
                                       : in_rows;
    return known[side].is_convincing() ? side : in_rows;
  }

  /// Turns one table after another, but not `fixed`, while that makes for more shared ids.
  Sides climbed(Sides sides, std::size_t fixed) {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t v = 0; v < sides.size(); ++v) {
        if (v == fixed) continue;
        Sides turned = sides;
        turned[v] = other(sides[v]);
        if (links(v, turned) <= links(v, sides)) continue;
        sides = std::move(turned);
        moved = true;
      }
    }
    return sides;
  }

  /// The sides with most shared ids, given that of table v.
  Sides best(std::size_t v, Side side) {
    std::array<Sides, 2> found;
    for (const Side start : {in_rows, in_columns}) {
      found[start].assign(tables_.size(), start);
      found[start][v] = side;
      found[start] = climbed(std::move(found[start]), v);
    }
    return total(found[in_columns]) > total(found[in_rows]) ? found[in_columns] : found[in_rows];
  }

  /// Names of table v found in at least one other view or among the certain ids.
  Index names_known(std::size_t v, const Sides& sides) {
    Keys others = certain_keys_;
    for (std::size_t w = 0; w < tables_.size(); ++w)
      if (w != v) others = united(others, keys_[w][sides[w]]);
    return shared(keys_[v][sides[v]], others);
  }

  std::vector<RawTable*> tables_;
  KeyNumbers numbers_;
  Keys certain_keys_;
  std::vector<std::array<Keys, 2>> keys_;
  std::vector<std::array<Index, 2>> certain_;  // names of each side that are certain ids
  std::vector<Index> pairs_;
};

/// Row names and column names are the same, as in a kernel: it makes no difference which are taken.
bool same_names_on_both_sides(const RawTable& table) {
  if (table.row_names.size() != table.column_names.size()) return false;
  KeyNumbers numbers;
  return numbers.of(table.row_names) == numbers.of(table.column_names);
}

/// The sample map names the ids of this view's file.
void put_in_rows_by_map(RawTable& table, const SampleMap& map, const Strings& colnames) {
  KeyNumbers numbers;
  const Keys wanted = numbers.of(colnames);
  const Keys rows = numbers.of(table.row_names), columns = numbers.of(table.column_names);
  const std::array<Known, 2> known = {
      Known{shared(rows, wanted), static_cast<Index>(rows.size())},
      Known{shared(columns, wanted), static_cast<Index>(columns.size())}};
  if (known[in_rows].names + known[in_columns].names == 0)
    throw InputError(
        fmt::format("{}: the sample map {} has {} colnames for it, none of which is in the file",
                    place_of(table), map.path, colnames.size()),
        fmt::format("the map has {}; the file has rows {} and columns {}", first_of(colnames),
                    first_of(table.row_names), first_of(table.column_names)));
  const std::string where = "in the sample map";
  const Side side = decided(table, known, where);
  put_in_rows(table, side, known[side].names, where);
}

}  // namespace

void put_samples_in_rows(std::vector<RawTable>& tables, const ReadAllOptions& options) {
  Strings certain = options.known_samples;
  std::vector<RawTable*> open;
  for (auto& table : tables) {
    const Strings colnames = options.map ? colnames_of(*options.map, table.name) : Strings{};
    const bool is_text = !table.lines.empty();
    const bool has_sides =
        is_text && table.kind != ViewKind::kernel && !same_names_on_both_sides(table);
    if (has_sides && table.read.samples_in == SamplesIn::automatic) {
      if (colnames.empty())
        open.push_back(&table);
      else
        put_in_rows_by_map(table, *options.map, colnames);
      continue;
    }
    if (has_sides && table.read.samples_in == SamplesIn::columns) turn(table);
    if (colnames.empty())
      certain.insert(certain.end(), table.row_names.begin(), table.row_names.end());
  }
  if (options.map)
    for (const auto& row : options.map->rows) certain.push_back(row.primary);
  OpenTables(std::move(open), certain).put_samples_in_rows();
}

}  // namespace mkc::io
