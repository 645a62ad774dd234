#pragma once

#include "mkc/problem/label_types.hpp"
#include "report/report.hpp"
#include "report/result_files.hpp"

namespace mkc::report {

/// Clusters with their sizes, and how sure they are. Beside classes: how many samples of each;
/// beside numbers: medians and the Kruskal-Wallis test.
Json clusters_json(const Labels& clusters, const ClusterEvidence& evidence, const Target* labels,
                   const std::string& label_name);

/// Kaplan-Meier curves and the log-rank test of the clusters, or the curve of all samples.
Json survival_json(const Survival& survival, const Labels* clusters, const std::string& time_name);

}  // namespace mkc::report
