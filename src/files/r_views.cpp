#include "files/r_views.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/text.hpp"
#include "files/r_table.hpp"
#include "files/read_views.hpp"
#include "formats/dense_size.hpp"
#include "formats/files.hpp"
#include "formats/tables_out.hpp"
#include "formats/text_lines.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

using Type = RObject::Type;

constexpr const char* what_is_read =
    "matrices of numbers (also sparse ones of the package Matrix), data frames and lists of them "
    "are "
    "read";

/// An object that can be named: of the file, or of a list in it.
struct Named {
  std::string name, whole;  // "clin", "data$clin"
  const RObject* object;
};

bool is_list(const RObject& object) {
  return object.type == Type::list && !object.is("data.frame") && !object.words("names").empty();
}

/// Elements of lists take the place of the list.
std::vector<Named> named_objects(const RFile& file) {
  std::vector<Named> all;
  for (const auto& [name, object] : file.objects) {
    if (!is_list(object)) {
      all.push_back({name, name, &object});
      continue;
    }
    const Strings names = object.words("names");
    for (std::size_t i = 0; i < names.size() && i < object.items.size(); ++i)
      all.push_back({names[i], name.empty() ? names[i] : name + "$" + names[i], &object.items[i]});
  }
  return all;
}

Strings whole_names(const std::vector<Named>& objects) {
  Strings names;
  for (const auto& one : objects) names.push_back(one.whole);
  return names;
}

/// The objects of that name, OBJECT$ELEMENT or ELEMENT alone.
std::vector<Named> selected(const std::vector<Named>& all, const std::string& name,
                            const std::string& path) {
  std::vector<Named> found;
  for (const auto& one : all)
    if (one.whole == name) return {one};
  for (const auto& one : all)
    if (one.name == name) found.push_back(one);
  if (found.size() == 1) return found;
  if (found.size() > 1)
    throw InputError(
        fmt::format("{}: '{}' may be any of {}", path, shown(name), shown(whole_names(found))),
        "give its whole name");
  throw InputError(fmt::format("{}: there is no object '{}'{}", path, shown(name),
                               suggestion(name, whole_names(all))),
                   "the file holds " + shown(whole_names(all)));
}

[[noreturn]] void refuse(const RObject& object, const std::string& where) {
  if (object.is("dist"))
    throw InputError(where + ": distances (dist), not a table or kernel",
                     "make a kernel of them in R, for example exp(-as.matrix(d)^2 / median(d)^2)");
  throw InputError(fmt::format("{}: {}, not a table", where, object.description()), what_is_read);
}

/// A data frame that holds words goes the way of a text table; its rows are the lines.
TextLines lines_of(const RTable& table, const std::string& path, const std::string& where) {
  if (table.row_names.empty())
    throw InputError(where + ": a data frame with words and without row names or ids",
                     "give it row names in R: rownames(x) <- ids");
  std::string text = "sample";
  for (const auto& name : table.column_names) text += "\t" + tsv_cell(name);
  text += "\n";
  const double bytes =
      24.0 * static_cast<double>(table.rows) * static_cast<double>(table.words.size());
  check_memory(bytes, where + ": its text");
  for (Index i = 0; i < table.rows; ++i) {
    text += tsv_cell(table.row_names[at(i)]);
    for (const auto& column : table.words) text += "\t" + tsv_cell(column[at(i)]);
    text += "\n";
  }
  return TextLines(path, std::move(text));
}

/// Names on both sides leave open where the samples are, as in a text table.
RawTable table_of_numbers(const ViewSpec& spec, RTable&& from, std::string name,
                          std::string source) {
  RawTable table = new_table(std::move(name), std::move(source));
  table.values = std::move(from.values);
  table.row_names = std::move(from.row_names);
  table.column_names = std::move(from.column_names);
  table.kind = spec.kind;
  if (!table.row_names.empty() && !table.column_names.empty()) {
    table.is_text = true;
    table.lines.resize(table.row_names.size());
    std::iota(table.lines.begin(), table.lines.end(), Index{1});
    return table;
  }
  if (asked_side(spec) == SamplesIn::columns) turn(table);
  if (table.row_names.empty()) number_rows(table);
  return table;
}

RawTable table_of_named(const ViewSpec& spec, const Strings& na_values, const Named& one) {
  const std::string where = one.whole.empty() ? spec.path : spec.path + ":" + shown(one.whole);
  if (!is_r_table(*one.object)) refuse(*one.object, where);
  RTable from = table_of_object(*one.object, where);
  const std::string name = !spec.name.empty() ? spec.name
                           : one.name.empty() ? view_name(spec)
                                              : one.name;
  const Strings notices = std::move(from.notices);
  Strings factors = std::move(from.factors);
  RawTable table =
      from.words.empty()
          ? table_of_numbers(spec, std::move(from), name, where)
          : table_of_lines(spec, na_values, lines_of(from, spec.path, where), name, where);
  table.notices.insert(table.notices.begin(), notices.begin(), notices.end());
  table.factors = std::move(factors);
  return table;
}

/// Of several objects, those that are tables of numbers; a notice names the others.
std::vector<Named> tables_among(const std::vector<Named>& all, Strings& left_out) {
  std::vector<Named> tables;
  for (const auto& one : all) {
    const bool has_words = one.object->is("data.frame") && is_r_table(*one.object) &&
                           !table_of_object(*one.object, one.whole).word_columns.empty();
    if (is_r_table(*one.object) && !has_words)
      tables.push_back(one);
    else
      left_out.push_back(fmt::format(
          "{} ({})", one.whole, has_words ? "a data frame with words" : one.object->description()));
  }
  return tables;
}

}  // namespace

bool is_r_path(const std::string& path) {
  return has_extension(path, ".rds") || has_extension(path, ".rdata") ||
         has_extension(path, ".rda");
}

std::vector<RawTable> tables_of_r(const ViewSpec& spec, const Strings& na_values) {
  const RFile file = read_r_file(spec.path);
  const std::vector<Named> all = named_objects(file);
  if (all.empty()) throw InputError(spec.path + ": holds no objects", what_is_read);
  Strings left_out;
  std::vector<Named> chosen = !spec.array.empty() ? selected(all, spec.array, spec.path)
                              : all.size() == 1   ? all
                                                  : tables_among(all, left_out);
  if (chosen.empty())
    throw InputError(
        fmt::format("{}: no view found; the file holds {}", spec.path, shown(left_out)),
        what_is_read);
  if (!spec.name.empty() && chosen.size() > 1)
    throw InputError(
        fmt::format("{}: one name '{}' for {} tables: {}", spec.path, spec.name, chosen.size(),
                    shown(whole_names(chosen))),
        fmt::format("choose one: {}={}:{}", spec.name, spec.path, shown(chosen.front().whole)));
  std::vector<RawTable> tables;
  for (const auto& one : chosen) tables.push_back(table_of_named(spec, na_values, one));
  if (!left_out.empty())
    tables.front().notices.push_back(
        fmt::format("not taken for views in {}: {}", spec.path, shown(left_out)));
  return tables;
}

namespace {

/// A vector or factor: its names are the ids.
bool is_labels(const RObject& object) { return words_of_object(object).has_value(); }

/// Columns that no words can be made of are left out.
LabelColumns columns_of_frame(const RObject& frame, const std::string& where) {
  const RTable table = table_of_object(frame, where);
  LabelColumns labels{table.row_names, table.rows, {}};
  const Strings names = frame.words("names");
  for (std::size_t j = 0; j < names.size(); ++j)
    labels.columns.emplace_back(names[j], *words_of_object(frame.items[j]));
  return labels;
}

}  // namespace

LabelColumns labels_of_r(LabelSource& source) {
  const RFile file = read_r_file(source.path);
  const std::vector<Named> all = named_objects(file);
  std::vector<Named> holders;  // that the column may belong to
  for (const auto& one : all) {
    const bool frame = one.object->is("data.frame");
    if (!frame && !is_labels(*one.object)) continue;
    if (source.column == one.whole || (frame && source.column.starts_with(one.whole + "$"))) {
      holders = {one};
      source.column.erase(0, std::min(source.column.size(), one.whole.size() + 1));
      break;
    }
    holders.push_back(one);
  }
  const std::string names = shown(whole_names(holders));
  if (holders.empty())
    throw InputError(source.path + ": no labels found",
                     "labels are columns of a data frame, or a vector or factor with names");
  if (holders.size() > 1)
    throw InputError(
        fmt::format("{}: labels may be in any of {}", source.path, names),
        fmt::format("choose: {}:OBJECT or {}:OBJECT$COLUMN", source.path, source.path));
  const Named& one = holders.front();
  const std::string where = one.whole.empty() ? source.path : source.path + ":" + shown(one.whole);
  if (one.object->is("data.frame")) return columns_of_frame(*one.object, where);
  LabelColumns labels;
  labels.columns.emplace_back(one.name.empty() ? "labels" : one.name,
                              *words_of_object(*one.object));
  labels.rows = static_cast<Index>(labels.columns.front().second.size());
  labels.ids = one.object->words("names");
  if (!labels.ids.empty() && static_cast<Index>(labels.ids.size()) != labels.rows)
    throw InputError(
        fmt::format("{}: {} names for {} values", where, labels.ids.size(), labels.rows));
  return labels;
}

}  // namespace mkc::io
