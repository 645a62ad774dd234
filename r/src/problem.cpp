// Tables of R to a problem: the same steps as for the files of the command line tool.
#include "problem.hpp"

#include "files/tables_to_views.hpp"
#include "functions.hpp"
#include "mkc/base/error.hpp"
#include "tables.hpp"
#include "values.hpp"
#include "watch.hpp"

namespace mkc::r {

namespace {

io::SampleMap sample_map_of(const cpp11::list& given) {
  io::SampleMap map{"sample_map", {}};
  const Strings assays = strings_of(given["assay"]), primaries = strings_of(given["primary"]),
                colnames = strings_of(given["colname"]);
  for (std::size_t i = 0; i < assays.size(); ++i)
    map.rows.push_back({assays[i], primaries[i], colnames[i], static_cast<Index>(i + 1)});
  return map;
}

io::ReadAllOptions reading_of(const cpp11::list& options) {
  io::ReadAllOptions reading;
  reading.ids = parse_id_rule(text_of(options["ids"]));
  reading.match_rows = flag_of(options["match_rows"]);
  if (!Rf_isNull(options["sample_map"]))
    reading.map = sample_map_of(cpp11::list(options["sample_map"]));
  if (!Rf_isNull(options["samples"])) reading.known_samples = strings_of(options["samples"]);
  return reading;
}

AssembleOptions assembling_of(const cpp11::list& options) {
  AssembleOptions assembling;
  if (flag_of(options["unchecked"]))
    assembling.checks.psd = PsdPolicy::unchecked;
  else
    assembling.checks.psd = static_cast<PsdPolicy>(
        detail::to_choice("psd", text_of(options["psd"]), psd_policy_names()));
  assembling.transform = kernel_transform_option_table().parse(
      {{"normalize", text_of(options["normalize"])},
       {"center", flag_of(options["center"]) ? "yes" : "no"}});
  if (flag_of(options["intersection"])) assembling.samples.kind = SampleChoice::Kind::in_every_view;
  if (!Rf_isNull(options["samples"]))
    assembling.samples = {SampleChoice::Kind::listed, strings_of(options["samples"]), "samples"};
  assembling.keep_recipes = flag_of(options["keep_recipes"]);
  return assembling;
}

cpp11::sexp summaries(const std::vector<ViewSummary>& views) {
  List list;
  list.add("view", column(views, [](const auto& v) { return v.name; }))
      .add("kind", column(views, [](const auto& v) { return view_kind_name(v.kind); }))
      .add("features", column(views, [](const auto& v) { return v.n_features; }))
      .add("kernel", column(views, [](const auto& v) { return v.kernel; }))
      .add("type", column(views, [](const auto& v) { return v.feature_type; }))
      .add("evidence", column(views, [](const auto& v) { return v.feature_evidence; }))
      .add("samples_in", column(views, [](const auto& v) { return samples_in_name(v.samples_in); }))
      .add("because", column(views, [](const auto& v) { return v.samples_in_because; }));
  return static_cast<SEXP>(list);
}

}  // namespace

const Assembled& problem_of(SEXP pointer) {
  const ProblemPointer problem(pointer);
  if (problem.get() == nullptr) throw InputError("the views of this problem are no longer there");
  return *problem.get();
}

SEXP assemble_views(SEXP tables, SEXP given) {
  const cpp11::list options(given);
  const io::ReadAllOptions reading = reading_of(options);
  const AssembleOptions assembling = assembling_of(options);
  const OptionValues common = options_of(options["common"]);
  auto raw = std::make_shared<std::vector<io::RawTable>>(tables_of(tables));
  Strings notices;
  std::shared_ptr<Assembled> assembled = watched_result([&] {
    io::ReadViews read = io::views_of_tables(std::move(*raw), reading);
    for (auto& view : read.views) view.common_options = common;
    notices = std::move(read.notices);
    return std::make_shared<Assembled>(assemble(std::move(read.views), assembling));
  });
  notices.insert(notices.end(), assembled->notices.begin(), assembled->notices.end());
  Strings names;
  for (const auto& view : assembled->problem.views()) names.push_back(view.name);
  List result;
  result.add("problem", ProblemPointer(new Assembled(std::move(*assembled))));
  const Assembled& made = problem_of(cpp11::list(static_cast<SEXP>(result))["problem"]);
  result.add("samples", made.problem.samples())
      .add("views", names)
      .add("observed", made.problem.observed())
      .add("summaries", summaries(made.views))
      .add("notices", notices);
  return result;
}

SEXP kernels_of_views(SEXP pointer) {
  const Problem& problem = problem_of(pointer).problem;
  cpp11::writable::list kernels;
  for (Index m = 0; m < problem.n_views(); ++m) {
    List view;
    view.add("kernel", Matrix(problem.view(m).block)).add("samples", problem.samples_of(m));
    kernels.push_back(static_cast<SEXP>(view));
  }
  return kernels;
}

}  // namespace mkc::r
