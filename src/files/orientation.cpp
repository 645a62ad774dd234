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

  std::size_t size() const { return numbers_.size(); }

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

std::unordered_map<std::string, Strings> colnames_by_assay(const ReadAllOptions& options) {
  std::unordered_map<std::string, Strings> names;
  if (options.map)
    for (const auto& row : options.map->rows) names[row.assay].push_back(row.colname);
  return names;
}

/// Tables whose side is open, compared with each other and with ids that are certain. All steps
/// count how many tables have a key, so that their cost grows with the number of ids.
class OpenTables {
 public:
  OpenTables(std::vector<RawTable*> tables, const Strings& certain_ids)
      : tables_(std::move(tables)) {
    const Keys certain = numbers_.of(certain_ids);
    for (const RawTable* table : tables_)
      keys_.push_back({numbers_.of(table->row_names), numbers_.of(table->column_names)});
    is_certain_.assign(numbers_.size(), 0);
    for (const Index key : certain) is_certain_[at(key)] = 1;
    strip_suffixes();
    is_certain_.resize(numbers_.size(), 0);
    for (const Side start : {in_rows, in_columns}) arranged_[start] = climbed(start);
  }

  void put_samples_in_rows() {
    Sides sides;
    for (std::size_t v = 0; v < tables_.size(); ++v) sides.push_back(side_of(v));
    Arrangement chosen = arrangement(std::move(sides));
    for (std::size_t v = 0; v < tables_.size(); ++v) {
      const Side side = chosen.sides[v];
      remove(v, chosen);
      const Index known = names_known(v, side, chosen);
      add(v, side, chosen);
      put_in_rows(*tables_[v], side, known, where);
    }
  }

 private:
  using Sides = std::vector<Side>;
  static constexpr const char* where = "also in other views";

  /// A side for every table, and which tables have each key on theirs.
  struct Arrangement {
    Sides sides;
    std::vector<Index> count;         // tables with this key
    std::vector<std::size_t> holder;  // of one table: which; of several: their exclusive or
    std::vector<bool> linked;         // tables that share an id with anything
    Index n_linked = 0, n_certain = 0, total = 0;
  };

  /// What an arrangement is worth with one table on a given side.
  struct Outlook {
    Index total = 0;   // ids shared, over all pairs of tables
    Index linked = 0;  // tables that share an id, and one more if any shares a certain one
    Index known = 0;   // names of the table that others have
  };

  const Keys& keys(std::size_t v, const Arrangement& all) const { return keys_[v][all.sides[v]]; }

  void add(std::size_t v, Side side, Arrangement& all) const {
    all.sides[v] = side;
    for (const Index key : keys(v, all)) {
      ++all.count[at(key)];
      all.holder[at(key)] ^= v;
    }
  }

  void remove(std::size_t v, Arrangement& all) const {
    for (const Index key : keys(v, all)) {
      --all.count[at(key)];
      all.holder[at(key)] ^= v;
    }
  }

  /// Ids that table v, which is removed, would share on this side with the others and the certain.
  Index links(std::size_t v, Side side, const Arrangement& others) const {
    Index sum = 0;
    for (const Index key : keys_[v][side]) sum += others.count[at(key)] + is_certain_[at(key)];
    return sum;
  }

  Index names_known(std::size_t v, Side side, const Arrangement& others) const {
    return std::count_if(keys_[v][side].begin(), keys_[v][side].end(), [&](Index key) {
      return others.count[at(key)] > 0 || is_certain_[at(key)];
    });
  }

  Index certain_ids(std::size_t v, Side side) const {
    return std::count_if(keys_[v][side].begin(), keys_[v][side].end(),
                         [&](Index key) { return is_certain_[at(key)] != 0; });
  }

  Arrangement arrangement(Sides sides) const {
    Arrangement all;
    all.sides = std::move(sides);
    all.count.assign(numbers_.size(), 0);
    all.holder.assign(numbers_.size(), 0);
    for (std::size_t v = 0; v < tables_.size(); ++v) add(v, all.sides[v], all);
    return all;
  }

  /// Turns one table after another while that makes for more shared ids.
  Arrangement climbed(Side start) const {
    Arrangement all = arrangement(Sides(tables_.size(), start));
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t v = 0; v < tables_.size(); ++v) {
        const Side side = all.sides[v];
        remove(v, all);
        const bool better = links(v, other(side), all) > links(v, side, all);
        add(v, better ? other(side) : side, all);
        moved = moved || better;
      }
    }
    for (std::size_t v = 0; v < tables_.size(); ++v) {
      const Side side = all.sides[v];
      remove(v, all);
      const Index shared_ids = links(v, side, all);
      add(v, side, all);
      all.linked.push_back(shared_ids > 0);
      all.n_linked += shared_ids > 0;
      all.n_certain += certain_ids(v, side) > 0;
      all.total += shared_ids + certain_ids(v, side);  // each pair counts twice, certain ids too
    }
    return all;
  }

  /// Turns table v to a side for a moment. Only tables that are the only other one with a key of
  /// table v can lose or gain their link by it.
  Outlook outlook(std::size_t v, Side side, Arrangement& all) const {
    const Side before = all.sides[v];
    remove(v, all);
    const Index links_before = links(v, before, all), links_now = links(v, side, all);
    Outlook found{all.total + 2 * (links_now - links_before),
                  all.n_linked + (links_now > 0) - (links_before > 0), names_known(v, side, all)};
    found.linked += all.n_certain - (certain_ids(v, before) > 0) + (certain_ids(v, side) > 0) > 0;
    std::unordered_set<std::size_t> affected;
    for (const Side either : {in_rows, in_columns})
      for (const Index key : keys_[v][either])
        if (all.count[at(key)] == 1) affected.insert(all.holder[at(key)]);
    add(v, side, all);
    for (const std::size_t w : affected) found.linked += has_link(w, all) - all.linked[w];
    remove(v, all);
    add(v, before, all);
    return found;
  }

  bool has_link(std::size_t v, const Arrangement& all) const {
    return std::any_of(keys(v, all).begin(), keys(v, all).end(),
                       [&](Index key) { return all.count[at(key)] > 1 || is_certain_[at(key)]; });
  }

  /// The better side of table v, with the other tables turned to agree with it. A side that leaves
  /// fewer tables linked than the other is not taken.
  Side side_of(std::size_t v) {
    std::array<Outlook, 2> sides;
    std::array<Known, 2> known;
    for (const Side side : {in_rows, in_columns}) {
      const Outlook first = outlook(v, side, arranged_[in_rows]),
                    second = outlook(v, side, arranged_[in_columns]);
      sides[side] = second.total > first.total ? second : first;
      known[side] = {sides[side].known, static_cast<Index>(keys_[v][side].size())};
    }
    const Index rows = sides[in_rows].linked, columns = sides[in_columns].linked;
    const Side side = rows == columns  ? decided(*tables_[v], known, where)
                      : columns > rows ? in_columns
                                       : in_rows;
    return known[side].is_convincing() ? side : in_rows;
  }

  /// Names that no other table has may have a suffix of their table: P1_rna beside P1_prot.
  void strip_suffixes() {
    std::vector<Index> tables_with(numbers_.size(), 0);
    for (const auto& [rows, columns] : keys_)
      for (const Index key : united(rows, columns)) ++tables_with[at(key)];
    const auto is_known_elsewhere = [&](Index key) {
      return is_certain_[at(key)] != 0 || tables_with[at(key)] > 1;
    };
    for (std::size_t v = 0; v < keys_.size(); ++v)
      for (const Side side : {in_rows, in_columns})
        if (std::none_of(keys_[v][side].begin(), keys_[v][side].end(), is_known_elsewhere))
          keys_[v][side] = numbers_.of(
              without_suffix(side == in_rows ? tables_[v]->row_names : tables_[v]->column_names));
  }

  static Strings without_suffix(Strings ids) {
    const std::size_t suffix = common_suffix(ids).size();
    for (auto& id : ids) id.resize(id.size() - suffix);
    return ids;
  }

  std::vector<RawTable*> tables_;
  KeyNumbers numbers_;
  std::vector<std::array<Keys, 2>> keys_;
  std::vector<char> is_certain_;         // of each key
  std::array<Arrangement, 2> arranged_;  // found from all in rows, and from all in columns
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
  auto all_colnames = colnames_by_assay(options);
  for (auto& table : tables) {
    const Strings& colnames = all_colnames[table.name];
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
