#pragma once

#include <filesystem>
#include <string>

#include "mkc/advise/advise.hpp"
#include "mkc/base/types.hpp"
#include "mkc/problem/label_types.hpp"

/// `report.html`: one self-contained file, made from a result folder (report/ holds the page).
namespace mkc::report {

/// How sure clusters are.
struct ClusterEvidence {
  Vector strength;         // (N) of the samples; NaN where there is none
  std::string graph = "";  // by which they were found; "" where only the strengths are known
  double stability = 0, reference = 0;  // of the clusters, and of samples without clusters
  Strings notices = {};
};

struct ReportOptions {
  std::string title;               // "" = a default title
  const Target* labels = nullptr;  // of the samples: colours of the map of samples
  int threads = 1;
  std::string label_name = {};       // of the numbers or times: "days"
  const Labels* clusters = nullptr;  // of the samples: compared with the labels
  ClusterEvidence cluster_evidence = {};
  /// Places of the samples that the kernels, labels and clusters are of, ascending; empty: all.
  Indices shown = {};
};

/// Samples whose kernels a report of factors shows.
constexpr std::size_t most_shown = 2000;

/// The page of a result of `mkc complete`. `folder` has everything except the kernels.
std::string completion_page(const std::filesystem::path& folder, const Strings& samples,
                            const Strings& views, const std::vector<Matrix>& kernels,
                            const ReportOptions& options);

/// The page of a result of `mkc evaluate`.
std::string evaluation_page(const std::filesystem::path& folder, const ReportOptions& options);

/// The page of `mkc advise`: the ranking, the curve of expected error over money, what observed
/// pairs told, and the samples coloured by expected gain where there are kernels (may be empty).
std::string advice_page(const std::filesystem::path& folder, const AssayAdvice& advice,
                        const Strings& samples, const Strings& views, const Mask& observed,
                        const std::vector<Matrix>& kernels, const std::string& title);

/// Whether the file is a report of mkc.
bool is_report(const std::filesystem::path& file);

}  // namespace mkc::report
