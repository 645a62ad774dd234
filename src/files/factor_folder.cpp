#include "files/factor_folder.hpp"

#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/names.hpp"
#include "base/parallel.hpp"
#include "formats/tables_out.hpp"
#include "mkc/version.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::io {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json entry(const Vector& values, Index m) {
  return values.size() > m ? number(values(m)) : Json(nullptr);
}

std::string cell(double value) { return std::isnan(value) ? "NA" : fmt::format("{:.6g}", value); }
std::string cell(const Vector& values, Index m) {
  return values.size() > m ? cell(values(m)) : "NA";
}

Json described_view(const FactorRecord& record, std::size_t m, Index n_samples) {
  const ViewSummary& view = record.views[m];
  const factor::ViewSummary& features = record.features[m];
  return {{"name", view.name},
          {"source", view.source},
          {"kind", record.kinds[m]},
          {"features", record.kinds[m] == "kernel" ? 0 : record.columns[m]},
          {"samples_in", samples_in_name(view.samples_in)},
          {"example_ids", view.examples},
          {"zero_rows", view.zero_rows},
          {"kernel", features.kernel},
          {"rank", features.rank},
          {"landmarks", features.landmarks},
          {"trace_error", number(features.trace_error)},
          {"factors", factor_array_files(names_of(record.views))[m]},
          {"observed", record.observed[m]},
          {"missing", n_samples - record.observed[m]}};
}

Json described(const factor::FactorQuality& judged, const FactorRecord& record) {
  const Quality& quality = judged.quality;
  Json views = Json::object();
  for (std::size_t i = 0; i < record.views.size(); ++i) {
    const auto m = static_cast<Index>(i);
    views[record.views[i].name] = {
        {"held_out_error", entry(quality.held_out_errors, m)},
        {"average_row_error", entry(quality.average_row_errors, m)},
        {"mean_of_others_error", entry(quality.mean_of_others_errors, m)},
        {"recovered", entry(quality.recovered, m)},
        {"recovered_standard_error", entry(quality.recovered_deviations, m)},
        {"hidden_samples", quality.hidden_samples_of_view.empty()
                               ? Json(nullptr)
                               : Json(quality.hidden_samples_of_view[i])},
        {"verdict", quality.verdicts.empty() ? "" : verdict_name(quality.verdicts[i])}};
  }
  return {{"coverage", quality.coverage},
          {"hidden_rows", quality.hidden_rows},
          {"hidden_samples", quality.hidden_samples},
          {"views", views}};
}

Json described_experts(const factor::FactorQuality& judged) {
  Json list = Json::array();
  for (const auto& expert : judged.experts) {
    Json errors = Json::array(), weights = Json::array();
    for (const double error : expert.held_out_errors) errors.push_back(number(error));
    for (const double weight : expert.weights) weights.push_back(number(weight));
    list.push_back({{"method", expert.name}, {"weights", weights}, {"held_out_errors", errors}});
  }
  return list;
}

// Warnings are among the notices, as in the dense form.
Strings with_warnings(const FactorRecord& record) {
  Strings all = record.warnings;
  all.insert(all.end(), record.notices.begin(), record.notices.end());
  return all;
}

std::string figures_of_view(const Quality& quality, Index m) {
  return fmt::format("\t{}\t{}\t{}\t{}", cell(quality.held_out_errors, m),
                     cell(quality.average_row_errors, m), cell(quality.recovered, m),
                     quality.verdicts.empty() ? "NA" : verdict_name(quality.verdicts[at(m)]));
}

}  // namespace

std::string factor_meta_info(const FactorRecord& record, Index n_samples,
                             const factor::Model* model) {
  Json parameters = Json::object(), seconds = Json::object(), views = Json::array(),
       inputs = Json::array();
  for (const auto& [name, value] : record.parameters) parameters[name] = value;
  for (const auto& [name, value] : record.run.seconds) seconds[name] = number(value);
  for (std::size_t m = 0; m < record.views.size(); ++m)
    views.push_back(described_view(record, m, n_samples));
  for (const auto& file : record.run.inputs)
    inputs.push_back({{"path", file.path}, {"sha256", file.sha256}});
  Json meta = {{"mkc_version", version},
               {"created", record.run.created},
               {"command_line", record.run.command_line},
               {"method", "factor"},
               {"form", "factor"},
               {"approximation",
                "the kernel of a view is factors factors' with extra.npy added to the diagonal; "
                "observed entries come back up to the trace_error of the view"},
               {"parameters", parameters},
               {"seed", record.seed},
               {"threads", record.run.threads},
               {"blas", linalg::blas_name()},
               {"status", status_name(Status::converged)},
               {"seconds", seconds},
               {"n_samples", n_samples},
               {"n_views", record.views.size()},
               {"ids", record.run.ids},
               {"views", views},
               {"inputs", inputs},
               {"warnings", record.warnings},
               {"notices", with_warnings(record)}};
  if (!record.made_from.empty()) meta["made_from"] = record.made_from;
  if (model != nullptr) meta["model"] = model->id();
  if (const auto* quality = model != nullptr ? model->quality() : nullptr) {
    meta["quality"] = described(*quality, record);
    meta["experts"] = described_experts(*quality);
  }
  return meta.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string made_from(const std::string& folder) {
  const std::string text =
      read_if_there((std::filesystem::path(folder) / "meta_info.json").string());
  const Json meta = Json::parse(text, nullptr, false);
  if (!meta.is_object() || meta.value("mkc_version", "") != version) return "";
  return meta.value("made_from", "");
}

Strings factor_array_files(const Strings& views) {
  Strings files;
  for (const auto& name : file_names_for(views)) files.push_back("factors/" + name + ".npy");
  files.insert(files.end(), {"extra.npy", "variance.npy"});
  return files;
}

const Strings& factor_text_files() {
  static const Strings files = {"observed.tsv", "quality.tsv", "samples.txt"};
  return files;
}

FactorFolder::FactorFolder(OutputFolder& folder, const factor::Source& source, Index first,
                           const Indices& ranks, const factor::FactorQuality* quality)
    : FactorFolder(
          folder, names_of(source.views()), [&source](Index row) { return source.sample(row); },
          first, ranks, quality) {}

FactorFolder::FactorFolder(OutputFolder& folder, const Strings& views, NameOfRow name, Index first,
                           const Indices& ranks, const factor::FactorQuality* quality)
    : name_(std::move(name)),
      extra_(folder.path("extra.npy"), std::ssize(views)),
      variance_(folder.path("variance.npy"), std::ssize(views)),
      observed_(folder.path("observed.tsv")),
      quality_(folder.path("quality.tsv")),
      list_(folder.path("samples.txt")),
      completed_(views.size(), 0),
      unknown_(views.size(), 0),
      next_(first) {
  const Strings files = factor_array_files(views);
  std::string header = "sample";
  for (std::size_t m = 0; m < views.size(); ++m) {
    factors_.emplace_back(folder.path(files[m]), ranks[m]);
    cells_.push_back(tsv_cell(views[m]));
    figures_.push_back(quality != nullptr ? figures_of_view(quality->quality, static_cast<Index>(m))
                                          : "\tNA\tNA\tNA\tNA");
    header += "\t" + cells_.back();
  }
  observed_.write(header + "\n");
  quality_.write(
      "sample\tview\tobserved_views\trelative_error\tlow\thigh\tinterval\tview_error\t"
      "average_row_error\trecovered\tverdict\n");
}

void FactorFolder::add(const factor::CompletedBlock& block) {
  if (block.first != next_)
    throw std::logic_error(fmt::format("block of row {} where row {} is next", block.first, next_));
  for (std::size_t m = 0; m < factors_.size(); ++m)
    factors_[m].add(block.features[m].transpose().eval());
  extra_.add(block.extra.transpose().eval());
  variance_.add(block.variance.transpose().eval());
  add_lines(block);
  next_ += block.count();
}

void FactorFolder::add_lines(const factor::CompletedBlock& block) {
  std::string observed, quality, list;
  for (Index i = 0; i < block.count(); ++i) {
    const std::string name = name_(block.first + i), sample = tsv_cell(name);
    list += name + "\n";
    observed += sample;
    const Index views = block.observed.row(i).count();
    for (Index m = 0; m < block.observed.cols(); ++m) {
      observed += block.observed(i, m) ? "\t1" : "\t0";
      if (block.observed(i, m)) continue;
      const double high = block.high(i, m);
      ++completed_[at(m)];
      if (!interval_is_known(high)) ++unknown_[at(m)];
      quality += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}{}\n", sample, cells_[at(m)], views,
                             cell(block.error(i, m)), cell(block.low(i, m)), cell(high),
                             interval_is_known(high) ? "known" : "unknown", figures_[at(m)]);
    }
    observed += "\n";
  }
  observed_.write(observed);
  quality_.write(quality);
  list_.write(list);
}

void FactorFolder::close() {
  for (auto& writer : factors_) writer.close();
  for (auto* writer : {&extra_, &variance_}) writer->close();
  for (auto* file : {&observed_, &quality_, &list_}) file->close();
}

void write_factors(OutputFolder& folder, const FactorRecord& record, const factor::Model& model,
                   const factor::CompletedFactors& completed) {
  const factor::FactorQuality* quality = completed.quality ? &*completed.quality : nullptr;
  Indices ranks;
  for (const auto& view : completed.views) ranks.push_back(view.rank);
  FactorFolder out(
      folder, names_of(completed.views), [&](Index row) { return completed.samples[at(row)]; }, 0,
      ranks, quality);
  out.add(completed.rows);
  out.close();
  write_text_file(folder.path("meta_info.json"),
                  factor_meta_info(record, std::ssize(completed.samples), &model));
}

void complete_blocks(const factor::Plan& plan, const factor::Model& model,
                     const factor::Source& source, Index first, Index last, FactorFolder& out,
                     const RunOptions& run) {
  std::vector<factor::CompletedBlock> done(at(std::min<Index>(run.threads, last - first)));
  for (Index begin = first; begin < last; begin += std::ssize(done)) {
    const Index count = std::min(std::ssize(done), last - begin);
    parallel_for(count, run.threads,
                 [&](Index k) { done[at(k)] = factor::apply(plan, model, source, begin + k); });
    for (Index k = 0; k < count; ++k) out.add(done[at(k)]);
    Progress progress;
    progress.phase = "writing factors";
    progress.share = static_cast<double>(begin + count - first) / static_cast<double>(last - first);
    if (run.progress && !run.progress(progress))
      throw InterruptedError("interrupted while rows were completed");
  }
}

}  // namespace mkc::io
