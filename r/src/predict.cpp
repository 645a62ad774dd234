#include "mkc/predict.hpp"

#include <unordered_set>

#include "files/tables_to_views.hpp"
#include "functions.hpp"
#include "model.hpp"
#include "tables.hpp"
#include "values.hpp"
#include "watch.hpp"

namespace mkc::r {

namespace {

/// New samples as the model needs them. Views of new samples need not share any.
io::NewSamples new_samples(const io::SavedModel& model, std::vector<io::RawTable> tables,
                           const IdRule& ids, bool match_rows, Strings& notices) {
  std::vector<bool> kernel_rows;
  for (auto& table : tables) {
    const Index m = view_position(model, table.name);
    kernel_rows.push_back(table.kind == ViewKind::kernel ||
                          model.recipes[at(m)].kind == ViewKind::kernel);
    table.kind = ViewKind::features;
  }
  io::ReadAllOptions reading;
  reading.ids = ids;
  reading.match_rows = match_rows;
  reading.known_columns = io::known_columns(model);
  for (std::size_t k = 0; k < tables.size(); ++k)
    if (kernel_rows[k]) reading.known_columns.erase(tables[k].name);
  io::ReadViews read = io::views_of_tables(std::move(tables), reading);
  notices = std::move(read.notices);
  std::vector<io::NewTable> given;
  for (std::size_t k = 0; k < read.views.size(); ++k) {
    View& view = read.views[k];
    for (const auto& notice : view.notices) notices.push_back(place_of(view) + ": " + notice);
    if (kernel_rows[k])  // the columns are training samples
      view.feature_names = as_samples(std::move(view.feature_names), model.model.samples, ids);
    given.push_back({std::move(view), kernel_rows[k]});
  }
  return io::match_new_samples(model, given);
}

cpp11::sexp rows_of(const std::vector<Matrix>& rows) {
  cpp11::writable::list list;
  for (const auto& values : rows) list.push_back(static_cast<SEXP>(to_r(values)));
  return static_cast<SEXP>(list);
}

}  // namespace

SEXP predict_samples(SEXP result, SEXP tables, SEXP given) {
  const cpp11::list options(given);
  const io::SavedModel model = saved_model_of(cpp11::list(result));
  const IdRule ids = parse_id_rule(text_of(options["ids"]));
  const bool match_rows = flag_of(options["match_rows"]);
  const int threads = cpp11::as_cpp<int>(options["threads"]);
  std::vector<io::RawTable> raw = tables_of(tables);
  Strings notices, samples;
  const Prediction found = watched_result([&] {
    io::NewSamples matched = new_samples(model, std::move(raw), ids, match_rows, notices);
    notices.insert(notices.end(), matched.notices.begin(), matched.notices.end());
    samples = matched.samples;
    return predict(model.model, matched.samples, matched.views, {threads, 0.9});
  });
  notices.insert(notices.end(), found.notices.begin(), found.notices.end());
  List list;
  list.add("samples", samples)
      .add("rows", rows_of(found.rows))
      .add("observed", found.observed)
      .add("diagonals", found.diagonals)
      .add("error", found.quality.error)
      .add("low", found.quality.low)
      .add("high", found.quality.high)
      .add("notices", notices);
  return list;
}

}  // namespace mkc::r
