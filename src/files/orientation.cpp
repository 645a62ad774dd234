#include "files/orientation.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "files/raw_table.hpp"
#include "files/word_table.hpp"
#include "mkc/base/error.hpp"
#include "mkc/problem/id_rule.hpp"
#include "mkc/problem/id_spelling.hpp"
#include "mkc/problem/name_look.hpp"

namespace mkc::io {

namespace {

using Keys = std::vector<Index>;  // numbers of spelling keys, ascending

enum Side { in_rows = 0, in_columns = 1 };

Side other(Side side) { return side == in_rows ? in_columns : in_rows; }

/// Numbers for what ids have in common with other ids of their sample, so that sets of ids are
/// compared fast: the patient of a TCGA barcode, the sample by the rule that was asked for, else
/// the spelling. Row numbers and measurements are no ids and have none.
class KeyNumbers {
 public:
  explicit KeyNumbers(const IdRule& rule) : sample_of_(rule) {}

  Keys of(const Strings& ids, bool numbers_are_ids = false) {
    if (!numbers_are_ids && (are_row_numbers(ids) || measurement_among(ids))) return {};
    Keys keys;
    for (const auto& id : ids)
      keys.push_back(
          numbers_.emplace(key_of(id), static_cast<Index>(numbers_.size())).first->second);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
  }

  std::size_t size() const { return numbers_.size(); }

 private:
  std::string key_of(const std::string& id) const {
    if (const auto patient = patient_of_(id)) return spelling_key(*patient);
    return spelling_key(sample_of_(id).value_or(id));
  }

  SampleOfId sample_of_, patient_of_{IdRule{IdRule::Kind::tcga_patient}};
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

std::string joined_or(const Strings& reasons, const char* none) {
  return reasons.empty() ? none : join(reasons);
}

[[noreturn]] void refuse_to_guess(const RawTable& table, const SideEvidence& found) {
  throw InputError(
      fmt::format("{}: cannot decide whether samples are in rows ({}) or in columns ({}). For "
                  "rows: {}. For columns: {}",
                  place_of(table), first_of(table.row_names), first_of(table.column_names),
                  joined_or(found.for_rows, "nothing"), joined_or(found.for_columns, "nothing")),
      {{"samples_in", "rows", "or columns decides"},
       fmt::format("for this view alone: '{},samples_in=columns'", table.source)});
}

/// Names of a side that others have too. A few may be chance, more than one in twenty are not.
struct Known {
  Index names = 0, of = 0;
  bool is_more_than_chance() const { return 20 * names > of; }
  /// Enough to turn a table: two views may share a column 'age' and have no sample in common.
  bool is_convincing() const { return names >= 2 && 5 * names > of; }
  bool is_most() const { return 2 * names >= of; }
};

// Points, beside those of side_evidence.
constexpr double of_certain_ids = 8, of_links = 3, of_both_shared = 2, of_shared = 4,
                 of_most_shared = 5;
constexpr double of_words = 1.5, of_rows_of_words = 3;
constexpr double plain = 4;      // so much more for one side needs no comparison with other views
constexpr double to_turn = 3;    // fewest points to take samples from columns
constexpr double in_doubt = 2;   // from so many points on the weaker side counts,
constexpr double to_decide = 3;  // and the stronger needs so many more

void add(SideEvidence& found, Side side, double points, const std::string& reason) {
  (side == in_rows ? found.rows : found.columns) += points;
  (side == in_rows ? found.for_rows : found.for_columns).push_back(reason);
}

std::string known_names(Side side, const Known& known, const char* where) {
  return fmt::format("{} of {} {} names are {}", known.names, known.of,
                     side == in_rows ? "row" : "column", where);
}

/// Ids that a mask, a list, labels or the sample map have are samples.
void add_certain(SideEvidence& found, const std::array<Known, 2>& known, const char* where) {
  for (const Side side : {in_rows, in_columns})
    if (known[side].names > 0 && known[side].is_more_than_chance())
      add(found, side, of_certain_ids, known_names(side, known[side], where));
}

/// Columns, or rows, that hold words throughout are features: sex, stage. Columns of words may also
/// describe genes, and a row of words the columns, so that this says little.
void add_words(SideEvidence& found, const RawTable& table) {
  if (table.words.empty()) return;
  const auto [columns, rows] = sides_of_words(table);
  if (columns > 0 && rows == 0)
    add(found, in_rows, of_words, fmt::format("{} columns hold words throughout", columns));
  if (rows > 0 && columns == 0)
    add(found, in_columns, rows > 1 ? of_rows_of_words : of_words,
        fmt::format("{} rows hold words throughout", rows));
}

/// Ids that other views have, too.
void add_shared(SideEvidence& found, const std::array<Known, 2>& known, const Indices& linked,
                const char* where) {
  for (const Side side : {in_rows, in_columns}) {
    const Known &here = known[side], &there = known[other(side)];
    double points = 0;
    if (here.is_convincing())
      points = there.is_more_than_chance() ? of_both_shared
               : here.is_most()            ? of_most_shared
                                           : of_shared;
    if (points > 0 && linked[at(side)] > linked[at(other(side))]) points += of_links;
    if (points > 0) add(found, side, points, known_names(side, here, where));
  }
}

Side decided(const RawTable& table, const SideEvidence& found) {
  const double stronger = std::max(found.rows, found.columns),
               weaker = std::min(found.rows, found.columns);
  if (weaker >= in_doubt && stronger - weaker < to_decide) refuse_to_guess(table, found);
  return found.columns > found.rows && found.columns >= to_turn ? in_columns : in_rows;
}

/// The side that the evidence makes plain without the other views; nothing where it is open.
std::optional<Side> plain_side(const SideEvidence& found) {
  if (found.rows - found.columns >= plain) return in_rows;
  if (found.columns - found.rows >= plain) return in_columns;
  return std::nullopt;
}

void put_in_rows(RawTable& table, Side side, const SideEvidence& found) {
  table.samples_in_because = joined_or(side == in_rows ? found.for_rows : found.for_columns,
                                       "nothing says that they are in columns");
  const Strings& against = side == in_rows ? found.for_columns : found.for_rows;
  if (!against.empty()) table.samples_in_because += fmt::format("; against it: {}", join(against));
  if (side == in_rows) return;
  table.notices.push_back(fmt::format("samples are in columns: {}", table.samples_in_because));
  turn(table);
}

std::unordered_map<std::string, Strings> colnames_by_assay(const ReadAllOptions& options) {
  std::unordered_map<std::string, Strings> names;
  if (options.map)
    for (const auto& row : options.map->rows) names[row.assay].push_back(row.colname);
  return names;
}

/// A table whose side is open, and what its own names say.
struct OpenTable {
  RawTable* table;
  SideEvidence found;
};

/// Tables whose side is open, compared with each other and with ids that are certain. All steps
/// count how many tables have a key, so that their cost grows with the number of ids.
class OpenTables {
 public:
  OpenTables(std::vector<OpenTable> tables, const Strings& certain_ids, const IdRule& rule)
      : tables_(std::move(tables)), numbers_(rule) {
    const Keys certain = numbers_.of(certain_ids);
    for (const auto& [table, found] : tables_)
      keys_.push_back(
          {numbers_.of(table->row_names, has_row_ids(*table)), numbers_.of(table->column_names)});
    is_certain_.assign(numbers_.size(), 0);
    for (const Index key : certain) is_certain_[at(key)] = 1;
    strip_suffixes();
    is_certain_.resize(numbers_.size(), 0);
    for (const Side start : {in_rows, in_columns}) arranged_[start] = climbed(start);
  }

  void put_samples_in_rows() {
    std::vector<std::pair<Side, SideEvidence>> sides;
    for (std::size_t v = 0; v < tables_.size(); ++v) sides.push_back(side_of(v));
    for (std::size_t v = 0; v < tables_.size(); ++v)
      put_in_rows(*tables_[v].table, sides[v].first, sides[v].second);
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

  /// The better side of table v by all evidence, with the other tables turned to agree with it.
  std::pair<Side, SideEvidence> side_of(std::size_t v) {
    std::array<Known, 2> known;
    Indices linked;
    for (const Side side : {in_rows, in_columns}) {
      const Outlook first = outlook(v, side, arranged_[in_rows]),
                    second = outlook(v, side, arranged_[in_columns]);
      const Outlook& better = second.total > first.total ? second : first;
      known[side] = {better.known, static_cast<Index>(keys_[v][side].size())};
      linked.push_back(better.linked);
    }
    SideEvidence found = tables_[v].found;
    add_shared(found, known, linked, where);
    return {decided(*tables_[v].table, found), found};
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
          keys_[v][side] = numbers_.of(without_suffix(
              side == in_rows ? tables_[v].table->row_names : tables_[v].table->column_names));
  }

  static Strings without_suffix(Strings ids) {
    const std::size_t suffix = common_suffix(ids).size();
    for (auto& id : ids) id.resize(id.size() - suffix);
    return ids;
  }

  std::vector<OpenTable> tables_;
  KeyNumbers numbers_;
  std::vector<std::array<Keys, 2>> keys_;
  std::vector<char> is_certain_;         // of each key
  std::array<Arrangement, 2> arranged_;  // found from all in rows, and from all in columns
};

/// Row names and column names are the same, as in a kernel: it makes no difference which are taken.
bool same_names_on_both_sides(const RawTable& table) {
  if (table.row_names.size() != table.column_names.size()) return false;
  KeyNumbers numbers({});
  return numbers.of(table.row_names) == numbers.of(table.column_names);
}

/// How many names of each side are among these ids.
std::array<Known, 2> known_in(const RawTable& table, const Strings& ids, const IdRule& rule) {
  KeyNumbers numbers(rule);
  const Keys wanted = numbers.of(ids);
  const Keys rows = numbers.of(table.row_names, has_row_ids(table)),
             columns = numbers.of(table.column_names);
  return {Known{shared(rows, wanted), static_cast<Index>(rows.size())},
          Known{shared(columns, wanted), static_cast<Index>(columns.size())}};
}

/// The sample map names the ids of this view's file.
void put_in_rows_by_map(RawTable& table, const SampleMap& map, const Strings& colnames,
                        const IdRule& rule) {
  std::array<Known, 2> known = known_in(table, colnames, rule);
  // The numbers of rows may be colnames: the map says so.
  for (const Side side : {in_rows, in_columns}) {
    const Strings& names = side == in_rows ? table.row_names : table.column_names;
    if (!are_row_numbers(names)) continue;
    const std::unordered_set<std::string_view> wanted(colnames.begin(), colnames.end());
    known[side] = {std::count_if(names.begin(), names.end(),
                                 [&](const std::string& name) { return wanted.contains(name); }),
                   std::ssize(names)};
  }
  if (known[in_rows].names + known[in_columns].names == 0)
    throw InputError(
        fmt::format("{}: the sample map {} has {} colnames for it, none of which is in the file",
                    place_of(table), map.path, colnames.size()),
        fmt::format("the map has {}; the file has rows {} and columns {}", first_of(colnames),
                    first_of(table.row_names), first_of(table.column_names)));
  SideEvidence found;
  add_certain(found, known, "in the sample map");
  put_in_rows(table, decided(table, found), found);
}

/// Two tables without ids have the same columns where they hold the same features: only names that
/// are certainly samples, and the look of names, say that samples are in columns.
void put_numbered_in_rows(RawTable& table, SideEvidence& found, const Strings& certain,
                          const ReadAllOptions& options) {
  const Known known = known_in(table, certain, options.ids)[in_columns];
  if (known.is_convincing())
    add(found, in_columns, of_most_shared,
        known_names(in_columns, known, "samples of other views"));
  const bool in_columns_plainly = !options.match_rows && found.columns - found.rows >= plain;
  if (!in_columns_plainly) found.for_rows.emplace_back("they have numbers, not ids");
  put_in_rows(table, in_columns_plainly ? in_columns : in_rows, found);
}

}  // namespace

void put_samples_in_rows(std::vector<RawTable>& tables, const ReadAllOptions& options) {
  Strings certain = options.known_samples;
  if (options.map)
    for (const auto& row : options.map->rows) certain.push_back(row.primary);
  const Strings asked = certain;  // named by the user, not by other views
  std::vector<OpenTable> open, numbered;
  auto all_colnames = colnames_by_assay(options);
  const auto take_ids = [&](const RawTable& table) {
    certain.insert(certain.end(), table.row_names.begin(), table.row_names.end());
  };
  for (auto& table : tables) {
    const Strings& colnames = all_colnames[table.name];
    const bool has_sides =
        table.is_text && table.kind != ViewKind::kernel && !same_names_on_both_sides(table);
    if (has_sides && table.read.samples_in == SamplesIn::automatic) {
      if (!colnames.empty()) {
        put_in_rows_by_map(table, *options.map, colnames, options.ids);
        continue;
      }
      SideEvidence found = side_evidence(table.row_names, table.column_names, table.corner);
      add_words(found, table);
      if (!asked.empty())
        add_certain(found, known_in(table, asked, options.ids),
                    "in the sample map, the mask, the list of samples or the labels");
      if (!has_row_ids(table)) {
        numbered.push_back({&table, found});
      } else if (const auto side = plain_side(found)) {
        put_in_rows(table, *side, found);
        take_ids(table);
      } else {
        open.push_back({&table, found});
      }
      continue;
    }
    if (has_sides && table.read.samples_in == SamplesIn::columns) turn(table);
    if (has_sides) table.samples_in_because = "samples_in says so";
    if (colnames.empty() && has_row_ids(table)) take_ids(table);
  }
  for (auto& [table, found] : numbered) put_numbered_in_rows(*table, found, certain, options);
  OpenTables(std::move(open), certain, options.ids).put_samples_in_rows();
}

}  // namespace mkc::io
