#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "evaluate/tsv_numbers.hpp"
#include "formats/tables_out.hpp"
#include "mkc/evaluate/evaluation.hpp"
#include "mkc/version.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::io {

namespace {

using Json = nlohmann::ordered_json;

Json as_json(const Spread& spread) { return {{"mean", spread.mean}, {"sd", spread.deviation}}; }

Json as_json(const MethodSummary::OnLabels& labels, LabelType type) {
  Json json = {{"samples", labels.samples}};
  for (const auto& score : label_score_fields)
    if (score.type == type) json[score.name] = as_json(spread_named(labels, score.name));
  json["standard_error"] = labels.standard_error;
  return json;
}

Json as_json(const MethodSummary& summary, LabelType type) {
  Json json = {{"method", summary.method},
               {"are", as_json(summary.are)},
               {"are_squared", as_json(summary.are_squared)},
               {"rmse", as_json(summary.rmse)},
               {"alignment", as_json(summary.alignment)},
               {"recovered", as_json(summary.recovered)},
               {"average_row", summary.average_row},
               {"coverage", summary.coverage},
               {"seconds", summary.seconds},
               {"peak_mib", summary.peak_mib},
               {"failure", summary.failure}};
  if (summary.all.samples > 0) json["labels_all"] = as_json(summary.all, type);
  if (summary.complete.samples > 0) json["labels_complete"] = as_json(summary.complete, type);
  return json;
}

template <class Scores, class Fields>
std::string rest_of_line(const Scores& scores, const Fields& fields) {
  std::string text;
  for (const auto& [name, field] : fields) text += "\t" + tsv_number(scores.*field);
  return text + "\n";
}

Strings score_names(LabelType type) {
  Strings names;
  for (const auto& score : label_score_fields)
    if (score.type == type) names.emplace_back(score.name);
  return names;
}

std::string summary_table(const Evaluation& evaluation) {
  std::string text =
      "method\tare\tare_sd\tare_squared\tare_squared_sd\trmse\trmse_sd\talignment\talignment_sd\t"
      "recovered\trecovered_sd\taverage_row\tcoverage\tseconds\tpeak_mib";
  const Strings scores = score_names(evaluation.label_type);
  for (const char* on : {"all", "complete"}) {
    text += fmt::format("\t{}_samples", on);
    for (const auto& score : scores) text += fmt::format("\t{0}_{1}\t{0}_{1}_sd", on, score);
    text += fmt::format("\t{}_standard_error", on);
  }
  text += "\tfailure\n";
  for (const auto& s : summarize(evaluation.trials)) {
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}", tsv_cell(s.method),
                        tsv_spread(s.are), tsv_spread(s.are_squared), tsv_spread(s.rmse),
                        tsv_spread(s.alignment), tsv_spread(s.recovered), tsv_number(s.average_row),
                        tsv_number(s.coverage), tsv_number(s.seconds), tsv_number(s.peak_mib));
    for (const auto& on : {s.all, s.complete}) {
      text += fmt::format("\t{}", on.samples);
      for (const auto& score : scores) text += "\t" + tsv_spread(spread_named(on, score));
      text += "\t" + tsv_number(on.standard_error);
    }
    text += "\t" + tsv_cell(s.failure) + "\n";
  }
  return text;
}

std::string view_score_table(const Evaluation& evaluation, const Problem& problem) {
  std::string text =
      "method\trepeat\tview\thidden_rows\tare\tare_squared\trmse\talignment\tcoverage\t"
      "average_row\trecovered\n";
  for (const auto& [plan, result] : evaluation.trials)
    for (std::size_t m = 0; m < result.views.size(); ++m)
      text += fmt::format("{}\t{}\t{}\t{}", tsv_cell(plan.method), plan.repeat,
                          tsv_cell(problem.views()[m].name), result.views[m].hidden_rows) +
              rest_of_line(result.views[m], view_score_fields);
  return text;
}

std::string run_table(const Evaluation& evaluation) {
  std::string text = "method\trepeat\tstatus\tseconds\tpeak_mib\tused\tfailure\n";
  for (const auto& [plan, result] : evaluation.trials)
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\n", tsv_cell(plan.method), plan.repeat,
                        result.status, tsv_number(result.seconds), tsv_number(result.peak_mib),
                        tsv_cell(result.spec), tsv_cell(result.failure));
  return text;
}

std::string label_table(const Evaluation& evaluation) {
  std::string text = "method\trepeat\ton\tsamples";
  for (const auto& name : score_names(evaluation.label_type)) text += "\t" + name;
  text += "\tstandard_error\n";
  for (const auto& [plan, result] : evaluation.trials)
    for (const auto& [repeat, scores] : result.labels) {
      text +=
          fmt::format("{}\t{}\t{}\t{}", tsv_cell(plan.method), repeat, scores.on, scores.samples);
      for (const auto& score : label_score_fields)
        if (score.type == evaluation.label_type) text += "\t" + tsv_number(scores.*score.field);
      text += "\t" + tsv_number(scores.standard_error) + "\n";
    }
  return text;
}

std::string hidden_table(const Evaluation& evaluation, const Problem& problem) {
  std::string text = "repeat\tview\tsample\n";
  for (Index repeat = 1; repeat <= evaluation.plan.repeats; ++repeat) {
    const HeldOut copy = hidden_copy(problem, evaluation.plan, repeat);
    for (Index m = 0; m < problem.n_views(); ++m)
      for (const Index i : copy.hidden[at(m)])
        text += fmt::format("{}\t{}\t{}\n", repeat, tsv_cell(problem.view(m).name),
                            tsv_cell(problem.samples()[at(i)]));
  }
  return text;
}

// What every evaluation says of its run and its scores.
Json run_info(const Evaluation& evaluation, const RunRecord& record) {
  const EvaluatePlan& plan = evaluation.plan;
  Json inputs = Json::array(), methods = Json::array(), seconds = Json::object();
  for (const auto& file : record.inputs)
    inputs.push_back({{"path", file.path}, {"sha256", file.sha256}});
  for (const auto& summary : summarize(evaluation.trials))
    methods.push_back(as_json(summary, evaluation.label_type));
  for (const auto& [phase, value] : record.seconds) seconds[phase] = value;
  const bool whole = static_cast<Index>(evaluation.trials.size()) == evaluation.planned;
  return {{"mkc_version", version},
          {"created", record.created},
          {"command", "evaluate"},
          {"command_line", record.command_line},
          {"status", whole ? "finished" : "interrupted"},
          {"cells", evaluation.trials.size()},
          {"cells_planned", evaluation.planned},
          {"repeats", plan.repeats},
          {"seed", plan.seed},
          {"labels", evaluation.labels},
          {"label_type",
           evaluation.labels.empty()
               ? Json(nullptr)
               : Json(label_type_names.at(static_cast<std::size_t>(evaluation.label_type)))},
          {"label_evidence", evaluation.label_evidence},
          {"weights", view_weighting_names.at(static_cast<std::size_t>(plan.weights))},
          {"threads", record.threads},
          {"blas", linalg::blas_name()},
          {"seconds", seconds},
          {"inputs", inputs},
          {"methods", methods}};
}

std::string evaluation_info(const Evaluation& evaluation, const Assembled& assembled,
                            const RunRecord& record) {
  const EvaluatePlan& plan = evaluation.plan;
  Json views = Json::array();
  for (const auto& view : assembled.views)
    views.push_back({{"name", view.name}, {"source", view.source}, {"kernel", view.kernel}});
  Json meta = run_info(evaluation, record);
  meta.update(Json{
      {"mechanism", mechanism_names.at(static_cast<std::size_t>(plan.mechanism))},
      {"fraction", plan.fraction},
      {"hidden_share", hidden_copy(assembled.problem, plan, 1).share_of(assembled.problem)},
      {"views_missing", plan.views_missing},
      {"quality", plan.quality},
      {"n_samples", assembled.problem.n_samples()},
      {"n_views", assembled.problem.n_views()},
      {"views_read", views},
      {"data", problem_digest(assembled.problem, assembled.transforms)},
      {"notices", assembled.notices},
  });
  return meta.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

void write_evaluation(OutputFolder& folder, const Evaluation& evaluation,
                      const Assembled& assembled, const RunRecord& record) {
  const auto write = [&](const char* name, const std::string& text) {
    write_text_file(folder.path(name), text);
  };
  write("summary.tsv", summary_table(evaluation));
  write("scores.tsv", view_score_table(evaluation, assembled.problem));
  write("runs.tsv", run_table(evaluation));
  write("hidden.tsv", hidden_table(evaluation, assembled.problem));
  if (!evaluation.labels.empty()) write("labels.tsv", label_table(evaluation));
  write("meta_info.json", evaluation_info(evaluation, assembled, record));
}

void write_result_evaluation(OutputFolder& folder, const Evaluation& evaluation,
                             const EvaluatedResult& of, const RunRecord& record) {
  write_text_file(folder.path("summary.tsv"), summary_table(evaluation));
  write_text_file(folder.path("labels.tsv"), label_table(evaluation));
  Json meta = run_info(evaluation, record);
  meta.update(Json{{"result", of.folder},
                   {"n_samples", of.samples},
                   {"n_views", of.views},
                   {"labelled", of.labelled},
                   {"scored", of.scored}});
  write_text_file(folder.path("meta_info.json"),
                  meta.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace mkc::io
