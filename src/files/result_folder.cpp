#include "mkc/files/result_folder.hpp"

#include <chrono>
#include <cmath>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/names.hpp"
#include "files/multiqc.hpp"
#include "files/quality_tables.hpp"
#include "files/views_out.hpp"
#include "formats/tables_out.hpp"
#include "mkc/version.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::io {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json pairs(const std::vector<std::pair<std::string, double>>& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = number(value);
  return object;
}

Json described(const Problem& problem, Index m, const ViewSummary& summary) {
  return {{"name", summary.name},
          {"source", summary.source},
          {"kind", view_kind_name(summary.kind)},
          {"features", summary.n_features},
          {"samples_in", samples_in_name(summary.samples_in)},
          {"samples_in_because", summary.samples_in_because},
          {"example_ids", summary.examples},
          {"zero_rows", summary.zero_rows},
          {"kernel", summary.kernel},
          {"feature_type", summary.feature_type},
          {"feature_evidence", summary.feature_evidence},
          {"width_evidence", summary.width_evidence},
          {"observed", problem.view(m).rows.size()},
          {"missing", problem.missing(m).size()}};
}

template <class Numbers>
Json numbers(const Numbers& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(number(value));
  return array;
}

// Per view: the error of the completion beside those of simpler answers, and the verdict.
Json described(const Problem& problem, const Quality& quality) {
  Json views = Json::object();
  for (Index m = 0; m < problem.n_views(); ++m)
    views[problem.view(m).name] = {
        {"held_out_error", number(quality.held_out_errors(m))},
        {"average_row_error", number(quality.average_row_errors(m))},
        {"mean_of_others_error", number(quality.mean_of_others_errors(m))},
        {"recovered", number(quality.recovered(m))},
        {"recovered_standard_error", number(quality.recovered_deviations(m))},
        {"hidden_samples", quality.hidden_samples_of_view[at(m)]},
        {"missing_auc", number(quality.missing_auc(m))},
        {"missing_p_value", number(quality.missing_p_values(m))},
        {"error_if_odds_double", number(quality.errors_if_odds_double(m))},
        {"verdict", verdict_name(quality.verdicts[at(m)])}};
  return {{"coverage", quality.coverage},
          {"coverage_if_odds_double", quality.coverage_if_odds_double()},
          {"calibration", quality.calibration()},
          {"hidden_rows", quality.hidden_rows},
          {"hidden_samples", quality.hidden_samples},
          {"views", views}};
}

Json described(const std::vector<CandidateRecord>& candidates) {
  Json list = Json::array();
  for (const auto& candidate : candidates)
    list.push_back({{"method", candidate.spec},
                    {"weights", numbers(candidate.weights)},
                    {"held_out_errors", numbers(candidate.held_out_errors)},
                    {"seconds", candidate.seconds},
                    {"skipped", candidate.skipped}});
  return list;
}

void write_kernels(OutputFolder& folder, const Problem& problem, const Completion& completion,
                   KernelFormat format) {
  const Strings names = names_of(problem.views());
  const KernelSet set{problem.samples(),    names,
                      completion.kernels,   problem.observed(),
                      completion.relations, completion.info.objective};
  switch (format) {
    case KernelFormat::npz:
      return write_kernels_npz(folder.path("kernels.npz"), set);
    case KernelFormat::hdf5:
      return write_kernels_hdf5(folder.path("kernels.h5"), set);
    case KernelFormat::h5mu:
      return write_kernels_h5mu(folder.path("kernels.h5mu"), set);
    case KernelFormat::mat:
      return write_kernels_mat(folder.path("kernels.mat"), set);
    case KernelFormat::tsv:
      break;
  }
  const Strings files = file_names_for(names);
  for (std::size_t m = 0; m < completion.kernels.size(); ++m)
    write_matrix_tsv_gz(folder.path("kernels/" + files[m] + ".tsv.gz"), problem.samples(),
                        problem.samples(), completion.kernels[m]);
}

Json described(const std::vector<InputFile>& inputs) {
  Json list = Json::array();
  for (const auto& file : inputs) list.push_back({{"path", file.path}, {"sha256", file.sha256}});
  return list;
}

Json described(const OptionValues& options) {
  Json object = Json::object();
  for (const auto& [name, value] : options) object[name] = value;
  return object;
}

Json described_views(const Assembled& assembled) {
  Json list = Json::array();
  for (Index m = 0; m < assembled.problem.n_views(); ++m)
    list.push_back(described(assembled.problem, m, assembled.views[at(m)]));
  return list;
}

template <class T>
std::vector<T> joined(std::vector<T> first, const std::vector<T>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

const Strings& kernel_format_names() {
  static const Strings names = {"npz", "tsv", "hdf5", "h5mu", "mat"};
  return names;
}

std::string now_utc() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

std::string meta_info(const Assembled& assembled, const Completion& completion,
                      const RunRecord& record) {
  const Problem& problem = assembled.problem;
  const Info& info = completion.info;
  Json meta = {
      {"mkc_version", version},
      {"created", record.created},
      {"command_line", record.command_line},
      {"method", info.method},
      {"parameters", described(info.parameters)},
      {"seed", info.seed},
      {"threads", record.threads},
      {"blas", linalg::blas_name()},
      {"fitted", record.fitted},
      {"status", status_name(info.status)},
      {"iterations", info.iterations},
      {"residual", number(info.residual)},
      {"objective", numbers(info.objective)},
      {"objective_terms", pairs(info.terms)},
      {"seconds", pairs(joined(record.seconds, info.seconds))},
      {"n_samples", problem.n_samples()},
      {"n_views", problem.n_views()},
      {"ids", record.ids},
      {"views", described_views(assembled)},
      {"inputs", described(record.inputs)},
      {"warnings", info.warnings},
      {"notices", joined(joined(assembled.notices, info.warnings), info.notices)},
  };
  if (completion.quality) meta["quality"] = described(problem, *completion.quality);
  if (!completion.candidates.empty()) meta["candidates"] = described(completion.candidates);
  // Names come from users' files and need not be UTF-8.
  return meta.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_result_name(const std::string& relative) {
  const std::filesystem::path first = *std::filesystem::path(relative).begin();
  if (first.stem() == "kernels") return true;
  for (const char* name :
       {"observed.tsv", "diagonals.tsv", "view_relations.tsv", "uncertainty.tsv", "quality.tsv",
        "candidates.tsv", "meta_info.json", "config.toml", "mkc.log", "report.html", "factors",
        "extra.npy", "variance.npy", "samples.txt", multiqc_file})
    if (first == name) return true;
  return false;
}

void write_result(OutputFolder& folder, const Assembled& assembled, const Completion& completion,
                  const RunRecord& record, KernelFormat format) {
  const Problem& problem = assembled.problem;
  const Strings names = names_of(problem.views());
  write_kernels(folder, problem, completion, format);
  write_matrix_tsv(folder.path("observed.tsv"), problem.samples(), names,
                   problem.observed().cast<double>());
  if (completion.relations)
    write_matrix_tsv(folder.path("view_relations.tsv"), names, names, *completion.relations,
                     "view");
  if (completion.uncertainty)
    write_matrix_tsv(folder.path("uncertainty.tsv"), problem.samples(), names,
                     *completion.uncertainty);
  if (completion.quality)
    write_text_file(folder.path("quality.tsv"), quality_table(problem, *completion.quality));
  if (!completion.candidates.empty())
    write_text_file(folder.path("candidates.tsv"), candidate_table(problem, completion.candidates));
  write_text_file(folder.path(multiqc_file),
                  multiqc_section(folder.target().filename().string(), problem, completion));
  write_text_file(folder.path("meta_info.json"), meta_info(assembled, completion, record));
}

}  // namespace mkc::io
