#pragma once

#include <nlohmann/json.hpp>

#include "mkc/problem/label_types.hpp"
#include "terminal.hpp"

namespace mkc::app {

/// Clusters beside labels that played no part in them. Classes: agreement. Numbers: eta^2 and the
/// Kruskal-Wallis test. Survival: the log-rank test. `clusters` (N) are 0 ... n_clusters - 1.
nlohmann::ordered_json compared(const Indices& clusters, Index n_clusters, const Target& target);

/// The same in words and, for numbers and survival, a table of the clusters.
void print_comparison(const nlohmann::ordered_json& comparison, Terminal& terminal);

}  // namespace mkc::app
