// Axes, clusters and drivers of completed kernels.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "arrays.hpp"
#include "mkc/analyse/cluster.hpp"
#include "mkc/analyse/drivers.hpp"
#include "mkc/analyse/embed.hpp"
#include "mkc/base/options.hpp"
#include "module.hpp"
#include "watch.hpp"

namespace mkc::python {

namespace {

using namespace nb::literals;

struct Kernels {
  std::vector<Matrix> kernels;
  Strings views, samples;
};

Kernels kernels_of(const std::vector<Table>& tables, Strings views, Strings samples) {
  Kernels given{{}, std::move(views), std::move(samples)};
  for (const auto& table : tables) given.kernels.emplace_back(mapped(table));
  return given;
}

std::pair<Array, Numbers> embedded(const std::vector<Table>& tables, Strings views, Strings samples,
                                   const std::string& method, Index dimensions) {
  EmbedOptions options;
  options.method =
      static_cast<EmbedMethod>(detail::to_choice("method", method, embed_method_names()));
  options.dimensions = dimensions;
  Embedding found =
      watched_result([given = kernels_of(tables, std::move(views), std::move(samples)), options] {
        return embed(given.kernels, given.views, given.samples, options);
      });
  return {to_numpy(std::move(found.coordinates)), to_numpy(found.weights)};
}

// Python's progress bar counts; the library knows the share that is done.
ProgressCallback counting(const ProgressCallback& progress) {
  constexpr Index steps = 100;
  return [progress](const Progress& now) {
    Progress counted = now;
    counted.max_iterations = steps;
    counted.iteration = std::lround(now.share * steps);
    return progress(counted);
  };
}

nb::list described(const std::vector<ClusterCount>& counts) {
  nb::list list;
  for (const auto& one : counts) {
    nb::dict entry;
    entry["clusters"] = one.clusters;
    entry["graph"] = graph_name(one.graph);
    entry["stability"] = one.stability;
    entry["reference"] = one.reference;
    entry["reference_high"] = one.reference_high;
    entry["deviations"] = one.deviations;
    entry["excess"] = one.excess();
    entry["above_reference"] = one.above_reference;
    list.append(entry);
  }
  return list;
}

nb::list described(const std::vector<GraphStability>& graphs) {
  nb::list list;
  for (const auto& one : graphs) {
    nb::dict entry;
    entry["graph"] = graph_name(one.graph);
    entry["clusters"] = one.clusters;
    entry["stability"] = one.stability;
    list.append(entry);
  }
  return list;
}

nb::dict clustered(const std::vector<Table>& tables, Strings views, Strings samples, Index clusters,
                   Index max_clusters, int resamples, std::uint64_t seed, int threads,
                   const nb::object& callback) {
  const auto found = std::make_shared<Clustering>();
  const auto work = [found, given = kernels_of(tables, std::move(views), std::move(samples)),
                     clusters, max_clusters, resamples, seed,
                     threads](const ProgressCallback& progress) {
    ClusterOptions options;
    options.clusters = clusters;
    options.max_clusters = max_clusters;
    options.resamples = resamples;
    options.seed = seed;
    options.threads = threads;
    if (progress) options.progress = counting(progress);
    *found = cluster(given.kernels, given.views, given.samples, options);
  };
  watched(callback, {work, {}, {}});
  nb::dict result;
  result["found"] = found->found;
  result["clusters"] = found->clusters;
  result["graph"] = found->clusters > 1 ? graph_name(found->graph) : "";
  result["stability"] = found->stability;
  result["reference"] = found->reference;
  result["of_sample"] = found->of_sample;
  result["strength"] = to_numpy(found->strength);
  result["next"] = found->next;
  result["next_strength"] = to_numpy(found->next_strength);
  result["tried"] = described(found->counts);
  result["graphs"] = described(found->graphs);
  result["notices"] = found->notices;
  return result;
}

using NamedFeatures =
    std::tuple<std::string, Strings, Indices, Table>;  // view, names, rows, values

DriverTargets targets_of(const Table& axes, Strings axis_names, Indices clusters,
                         Strings cluster_names) {
  return {Matrix(mapped(axes)), std::move(axis_names), std::move(clusters),
          std::move(cluster_names)};
}

// The columns of the table of drivers, in the order of driver_columns.
nb::tuple drivers(const std::vector<NamedFeatures>& features, const Table& axes, Strings axis_names,
                  Indices clusters, Strings cluster_names) {
  std::vector<ViewFeatures> views;
  for (const auto& [view, names, rows, values] : features)
    views.push_back({view, names, rows, Matrix(mapped(values))});
  const std::vector<Driver> found = watched_result(
      [views = std::move(views),
       targets = targets_of(axes, std::move(axis_names), std::move(clusters),
                            std::move(cluster_names))] { return feature_drivers(views, targets); });
  Strings view, feature, target, measure;
  Vector association(static_cast<Index>(found.size()));
  Indices samples, rank;
  for (const auto& one : found) {
    association(static_cast<Index>(view.size())) = one.association;
    view.push_back(one.view);
    feature.push_back(one.feature);
    target.push_back(one.target);
    measure.push_back(one.measure);
    samples.push_back(one.samples);
    rank.push_back(one.rank);
  }
  return nb::make_tuple(view, feature, target, measure, to_numpy(association), samples, rank);
}

nb::tuple shares(const std::vector<Table>& tables, Strings views, Strings samples,
                 const Table& axes, Strings axis_names, Indices clusters, Strings cluster_names) {
  ViewShares found =
      watched_result([given = kernels_of(tables, std::move(views), std::move(samples)),
                      targets = targets_of(axes, std::move(axis_names), std::move(clusters),
                                           std::move(cluster_names))] {
        return view_shares(given.kernels, given.views, given.samples, targets);
      });
  return nb::make_tuple(to_numpy(std::move(found.axes)), to_numpy(found.all_axes),
                        to_numpy(found.clusters));
}

}  // namespace

void bind_analyse(nb::module_& module) {
  module.def("embed", &embedded, "kernels"_a, "views"_a, "samples"_a, "method"_a, "dimensions"_a);
  module.def("cluster", &clustered, "kernels"_a, "views"_a, "samples"_a, "clusters"_a,
             "max_clusters"_a, "resamples"_a, "seed"_a, "threads"_a, "callback"_a.none());
  module.def("feature_drivers", &drivers, "features"_a, "axes"_a, "axis_names"_a, "clusters"_a,
             "cluster_names"_a);
  module.def("view_shares", &shares, "kernels"_a, "views"_a, "samples"_a, "axes"_a, "axis_names"_a,
             "clusters"_a, "cluster_names"_a);
}

}  // namespace mkc::python
