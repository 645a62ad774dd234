#include "mkc/files/read_all.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "files/apply_map.hpp"
#include "files/orientation.hpp"
#include "files/read_views.hpp"
#include "problem/view_names.hpp"

namespace mkc::io {

namespace {

/// The options for all views, before those of this one, which override them.
ViewSpec with_defaults(ViewSpec spec, const ReadOptions& read) {
  OptionValues options = read_option_table().values(read);
  options.insert(options.end(), spec.read_options.begin(), spec.read_options.end());
  spec.read_options = std::move(options);
  return spec;
}

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
    check_row_names(table, options.match_rows);
    loaded.push_back(to_view(std::move(table)));
  }
  return loaded;
}

/// The error of a run that goes on with ids as they are although a rule matches many more.
InputError proposed(const IdProposal& proposal, bool numbered) {
  Hint hint{{"ids", proposal.rule, "matches them so"}};
  if (proposal.repeated)
    hint.add({"replicates", proposal.rule.starts_with("tcga") ? "broad" : "mean",
              "is needed too: some samples have several rows then"});
  hint.add({"ids", "exact", "goes on with the ids as they are"});
  return InputError(
      fmt::format("views have few sample ids in common ({} of {} ids are in another view too), but "
                  "{}{}",
                  proposal.exact, proposal.of, proposal.evidence,
                  numbered ? "; views without ids are not counted" : ""),
      hint);
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
  const bool numbered = std::any_of(all.views.begin(), all.views.end(),
                                    [](const View& view) { return view.numbered; });
  if (all.proposal && options.ids.kind == IdRule::Kind::automatic)
    ask(proposed(*all.proposal, numbered));
  for (std::size_t m = 0; m < loaded.size(); ++m)
    merge_replicates(all.views[m], loaded[m].replicates);
  return all;
}

}  // namespace mkc::io
