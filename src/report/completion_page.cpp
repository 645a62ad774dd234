#include <fmt/format.h>

#include "base/names.hpp"
#include "report/cluster_parts.hpp"
#include "report/compact.hpp"
#include "report/completion_parts.hpp"
#include "report/page.hpp"
#include "report/page_data.hpp"
#include "report/report.hpp"
#include "report/warnings.hpp"

namespace mkc::report {

namespace {

constexpr std::size_t shown_iterations = 500;

// At most 500 points of a history, evenly spaced, with the first and the last. A history with one
// more value than iterations begins at iteration 0.
Json convergence_json(const Json& objective, std::size_t iterations_done) {
  Json iterations = Json::array(), values = Json::array();
  const std::size_t n = objective.size(), shown = std::min(n, shown_iterations);
  for (std::size_t p = 0; p < shown; ++p) {
    const std::size_t i = shown == n ? p : p * (n - 1) / (shown - 1);
    iterations.push_back(n > iterations_done ? i : i + 1);
    const Json& value = objective[i];
    values.push_back(value.is_number() ? Json(rounded(value.get<double>(), 8)) : Json(nullptr));
  }
  return {{"iteration", iterations}, {"objective", values}};
}

// The map shows clusters, unless there are classes to show.
Json map_json(const SampleLayout& map, const Mask& observed, const Strings& samples,
              const ReportOptions& options) {
  if (options.clusters && !(options.labels && type_of(*options.labels) == LabelType::classes)) {
    const Target clusters = *options.clusters;
    Json part = sample_map_json(map, observed, samples, &clusters);
    part["shows_clusters"] = true;
    return part;
  }
  Json part = sample_map_json(map, observed, samples, options.labels);
  part["label_name"] = short_name(options.label_name);
  return part;
}

Json data_of(const std::filesystem::path& folder, const Strings& samples, const Strings& views,
             const std::vector<Matrix>& kernels, const ReportOptions& options) {
  ResultFiles files = read_result_files(folder, samples, views);
  const Mask& observed = files.observed;
  const bool some = !options.shown.empty();  // of the samples have kernels
  const Mask shown = some ? Mask(observed(options.shown, Eigen::all)) : observed;
  const Strings names = some ? picked(samples, options.shown) : samples;
  const SampleLayout map = map_samples(kernels, views, names);
  const std::string title =
      short_name(options.title.empty()
                     ? fmt::format("mkc: {} views of {} samples", views.size(), samples.size())
                     : options.title,
                 200);
  Json data = {{"kind", "completion"},
               {"title", title},
               {"warnings", warnings_json(completion_warnings(files))},
               {"in_all_views", observed.rowwise().all().count()},
               {"missing_pairs", observed.size() - observed.count()},
               {"missingness", missingness_json(observed, samples)},
               {"kernels", kernels_json(kernels, shown, map.order, names, options.threads)},
               {"spectra", spectra_json(kernels, shown, names, options.threads)},
               {"map", map_json(map, shown, names, options)}};
  data["map"]["n_samples"] = samples.size();
  if (options.clusters)
    data["clusters"] = clusters_json(*options.clusters, options.cluster_evidence, options.labels,
                                     options.label_name);
  if (const auto* survival = options.labels ? std::get_if<Survival>(options.labels) : nullptr)
    data["survival"] = survival_json(*survival, options.clusters, options.label_name);
  if (files.relations) data["relations"] = rows_json(*files.relations);
  if (files.errors) data["errors"] = errors_json(*files.errors, observed, samples);
  if (files.uncertainty)
    data["uncertainty"] = uncertainty_json(*files.uncertainty, observed, samples);
  if (files.truth) data["truth"] = rows_json(*files.truth);
  if (files.meta.contains("objective"))
    data["convergence"] =
        convergence_json(files.meta["objective"], files.meta.value("iterations", std::size_t{0}));
  files.meta.erase("objective");
  data["meta"] = std::move(files.meta);
  return data;
}

}  // namespace

Json completion_data(const std::filesystem::path& folder, const Strings& samples,
                     const Strings& views, const std::vector<Matrix>& kernels,
                     const ReportOptions& options) {
  return with_meta_of(folder, [&] { return data_of(folder, samples, views, kernels, options); });
}

std::string completion_page(const std::filesystem::path& folder, const Strings& samples,
                            const Strings& views, const std::vector<Matrix>& kernels,
                            const ReportOptions& options) {
  return assemble_page(completion_data(folder, samples, views, kernels, options));
}

}  // namespace mkc::report
