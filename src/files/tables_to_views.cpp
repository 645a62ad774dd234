#include "files/tables_to_views.hpp"

#include <utility>

#include "files/apply_map.hpp"
#include "files/orientation.hpp"
#include "mkc/problem/id_spelling.hpp"
#include "problem/view_names.hpp"

namespace mkc::io {

namespace {

std::vector<LoadedView> load(std::vector<RawTable> tables, const ReadAllOptions& options) {
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

ReadViews views_of_tables(std::vector<RawTable> tables, const ReadAllOptions& options) {
  std::vector<LoadedView> loaded = load(std::move(tables), options);
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
