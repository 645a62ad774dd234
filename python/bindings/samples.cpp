// Which row is which sample: rules for ids, several rows of one sample, rows of zeros.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <numeric>

#include "arrays.hpp"
#include "mkc/problem/id_spelling.hpp"
#include "mkc/problem/name_look.hpp"
#include "mkc/problem/replicates.hpp"
#include "mkc/problem/sample_ids.hpp"
#include "mkc/problem/zero_rows.hpp"
#include "module.hpp"

namespace mkc::python {

namespace {

using namespace nb::literals;

/// Name, source and ids of a view.
using Named = std::tuple<std::string, std::string, Strings>;

/// A view without values, whose lines are the numbers of its rows.
View without_values(const Named& named) {
  View view;
  std::tie(view.name, view.source, view.ids) = named;
  view.all_ids = view.ids;
  view.values = Matrix(static_cast<Index>(view.ids.size()), 0);
  view.lines.resize(view.ids.size());
  std::iota(view.lines.begin(), view.lines.end(), Index{0});
  return view;
}

ZeroRows zero_rows_policy(const std::string& text) {
  return static_cast<ZeroRows>(detail::to_choice("zero_rows", text, zero_rows_names()));
}

/// Per view the rows that are kept and the samples they are, and notices. `own_ids`: what a view
/// called its rows before a map named them; empty without one.
std::tuple<std::vector<Indices>, std::vector<Strings>, Strings> samples_of(
    const std::vector<Named>& named, const std::vector<Strings>& own_ids, const std::string& ids) {
  std::vector<View> views;
  for (std::size_t v = 0; v < named.size(); ++v) {
    views.push_back(without_values(named[v]));
    if (!own_ids.empty()) views.back().own_ids = own_ids[v];
  }
  const IdRule rule = parse_id_rule(ids);
  Strings notices = apply_id_rule(views, rule);
  const auto proposal = rule.is_exact() ? propose_id_rule(views) : std::nullopt;
  if (proposal && rule.kind == IdRule::Kind::automatic) throw id_question(*proposal);
  if (proposal)
    notices.push_back(proposal->evidence + "; the rule " + proposal->rule + " matches them");
  if (rule.is_exact() && !proposal)
    if (std::string spelling = spelling_differences(views); !spelling.empty())
      notices.push_back(std::move(spelling));
  std::vector<Indices> rows;
  std::vector<Strings> samples;
  for (auto& view : views) {
    rows.push_back(std::move(view.lines));
    samples.push_back(std::move(view.ids));
  }
  return {rows, samples, notices};
}

/// Values with one row per sample, the samples, and a notice.
std::tuple<Array, Strings, Strings> merged(const Named& named, const Strings& own_ids,
                                           const Table& values, bool is_kernel,
                                           const std::string& replicates,
                                           const Indices& columns_of_words) {
  View view = without_values(named);
  view.lines.clear();
  view.own_ids = own_ids;
  view.kind = is_kernel ? ViewKind::kernel : ViewKind::features;
  view.values = mapped(values);
  for (const Index column : columns_of_words) view.categories.push_back({column, {}});
  merge_replicates(view, static_cast<Replicates>(
                             detail::to_choice("replicates", replicates, replicates_names())));
  return {to_numpy(std::move(view.values)), view.ids, view.notices};
}

/// The rows of zeros that are missing, and a notice where there are any.
std::pair<Indices, std::string> zero_rows(const Named& named, const Table& values, bool is_kernel,
                                          const std::string& policy) {
  View view = without_values(named);
  view.kind = is_kernel ? ViewKind::kernel : ViewKind::features;
  view.values = mapped(values);
  const ZeroRows asked = zero_rows_policy(policy);
  const ZeroRowsFound found =
      find_zero_rows(view.values, view.kind, asked, view.ids, place_of(view));
  mark_zero_rows(view, asked);
  return {found.missing ? found.rows : Indices{}, view.notices.empty() ? "" : view.notices.back()};
}

std::tuple<double, double, Strings, Strings> evidence(const Strings& rows, const Strings& columns,
                                                      const std::string& corner) {
  const SideEvidence found = side_evidence(rows, columns, corner);
  return {found.rows, found.columns, found.for_rows, found.for_columns};
}

}  // namespace

void bind_samples(nb::module_& module) {
  module.def("samples_of", &samples_of, "views"_a, "own_ids"_a, "ids"_a);
  module.def(
      "as_samples",
      [](const Strings& ids, const Strings& samples, const std::string& rule) {
        return as_samples(ids, samples, parse_id_rule(rule));
      },
      "ids"_a, "samples"_a, "rule"_a);
  module.def("merge_replicates", &merged, "view"_a, "own_ids"_a, "values"_a, "is_kernel"_a,
             "replicates"_a, "columns_of_words"_a);
  module.def("zero_rows", &zero_rows, "view"_a, "values"_a, "is_kernel"_a, "policy"_a);
  module.def("side_evidence", &evidence, "rows"_a, "columns"_a, "corner"_a);
  module.def("are_row_numbers", &are_row_numbers, "names"_a);
}

}  // namespace mkc::python
