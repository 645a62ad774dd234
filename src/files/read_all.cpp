#include "mkc/files/read_all.hpp"

#include <unordered_map>
#include <utility>

#include "files/apply_map.hpp"
#include "files/orientation.hpp"
#include "files/read_views.hpp"
#include "mkc/problem/id_spelling.hpp"
#include "problem/view_names.hpp"

namespace mkc::io {

namespace {

/// Files that hold one array each, of the same name: their views have the names of the files.
void name_by_file(std::vector<RawTable>& tables, const std::vector<ViewSpec>& specs,
                  const Indices& tables_of_spec) {
  std::unordered_map<std::string, Index> views_named;
  for (const auto& table : tables) ++views_named[table.name];
  std::size_t next = 0;
  for (std::size_t s = 0; s < specs.size(); ++s) {
    const std::size_t first = std::exchange(next, next + at(tables_of_spec[s]));
    if (tables_of_spec[s] != 1 || !specs[s].name.empty()) continue;
    if (views_named[tables[first].name] > 1) tables[first].name = view_name(specs[s]);
  }
}

std::vector<LoadedView> load(const std::vector<ViewSpec>& specs, const ReadAllOptions& options) {
  std::vector<RawTable> tables;
  Indices tables_of_spec;
  for (const auto& spec : specs) {
    std::vector<RawTable> some = read_tables(with_defaults(spec, options.read), options.na_values);
    tables_of_spec.push_back(std::ssize(some));
    for (auto& table : some) tables.push_back(std::move(table));
  }
  name_by_file(tables, specs, tables_of_spec);
  check_view_names(tables);
  put_samples_in_rows(tables, options);
  std::vector<LoadedView> loaded;
  for (auto& table : tables) {
    const auto known = options.known_columns.find(table.name);
    use_words(table, known == options.known_columns.end() ? nullptr : &known->second);
    check_row_names(table, options.match_rows);
    loaded.push_back(to_view(std::move(table)));
  }
  return loaded;
}

}  // namespace

ReadViews read_all_views(const std::vector<ViewSpec>& specs, const ReadAllOptions& options) {
  std::vector<LoadedView> loaded = load(specs, options);
  ReadViews all;
  if (options.map) all.notices = apply_sample_map(loaded, *options.map, !options.ids.is_exact());
  for (auto& one : loaded) all.views.push_back(std::move(one.view));
  const auto ask = [&](const InputError& question) {
    if (options.questions_are_errors) throw question;
    if (!all.question) all.question = question;
  };
  try {
    match_numbered_rows(all.views, options.match_rows);
  } catch (const InputError& question) {
    ask(question);
  }
  for (auto& notice : apply_id_rule(all.views, options.ids))
    all.notices.push_back(std::move(notice));
  if (options.ids.is_exact()) all.proposal = propose_id_rule(all.views);
  if (all.proposal && options.ids.kind == IdRule::Kind::automatic) ask(id_question(*all.proposal));
  if (options.ids.is_exact() && !all.proposal)
    if (std::string spelling = spelling_differences(all.views); !spelling.empty())
      all.notices.push_back(std::move(spelling));
  for (std::size_t m = 0; m < loaded.size(); ++m)
    merge_replicates(all.views[m], loaded[m].replicates);
  return all;
}

}  // namespace mkc::io
