#pragma once

#include <string>

#include "mkc/analyse/cluster.hpp"
#include "mkc/analyse/drivers.hpp"
#include "mkc/analyse/embed.hpp"
#include "mkc/problem/labels.hpp"

/// What `mkc embed`, `mkc cluster` and `mkc drivers` write, and `mkc report` and `mkc drivers` read
/// (docs/reference/cluster.md). `name` decides by its extension between tabs and commas, plain or
/// gzip; `path` may be a temporary file.
namespace mkc::io {

/// The file that says how a table was made: "out/clusters.tsv.gz" -> "out/clusters.json".
std::string json_beside(const std::string& table);

/// OptionError where the path is a file, but not JSON that mkc wrote. The description of an output
/// lies beside it under a name that the user has not given: --force replaces one of mkc, and never
/// another file.
void refuse_foreign_description(const std::string& path);

/// sample, axis_1, axis_2, ...
void write_embedding(const std::string& path, const std::string& name, const Strings& samples,
                     const Embedding& embedding);

/// sample, cluster (1, 2, ...), strength, next_cluster, next_strength; NA where there is none.
void write_clusters(const std::string& path, const std::string& name, const Strings& samples,
                    const Clustering& clustering);

/// view, feature, target, measure, association, samples, rank.
void write_drivers(const std::string& path, const std::string& name,
                   const std::vector<Driver>& drivers);

/// Axes of all samples, in their order. InputError where a sample is not in the file.
struct StoredAxes {
  Strings names;
  Matrix coordinates;  // (N, axes)
};
StoredAxes read_embedding(const std::string& path, const Strings& samples);

/// Clusters of all samples, in their order. InputError where the file is no table of clusters, or a
/// sample is not in it.
struct StoredClusters {
  Labels labels;    // classes "cluster 1", "cluster 2", ...
  Vector strength;  // (N) NaN where there is none

  // From the JSON file beside the table, where it is about these clusters.
  std::string graph = "";  // "views fused, 10 neighbours"; "" where it is not known
  double stability = 0, reference = 0;
  Strings notices = {};
  bool is_described = true;  // false: that file is about other clusters; a notice says so
};
StoredClusters read_clusters(const std::string& path, const Strings& samples);

/// InputError where the file is no table of drivers.
std::vector<Driver> read_drivers(const std::string& path);

}  // namespace mkc::io
