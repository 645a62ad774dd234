#pragma once

#include <filesystem>
#include <optional>

#include <nlohmann/json.hpp>

#include "mkc/base/types.hpp"

/// What stands beside the kernels in a result folder (docs/reference/output.md). The same files
/// serve a report that is made with the result and one that is made later.
namespace mkc::report {

using Json = nlohmann::ordered_json;

/// Relative errors of completed rows, (N, M); NaN where observed.
struct RowErrors {
  Matrix error, low, high;
};

struct ResultFiles {
  Json meta;  // meta_info.json
  Mask observed;
  std::optional<Matrix> relations;
  std::optional<RowErrors> errors;    // quality.tsv
  std::optional<Matrix> uncertainty;  // (N, M)
  std::optional<Matrix> truth;        // truth.tsv of the demo: (M, 2), errors in percent
};

/// InputError where a file is missing, damaged or about other samples or views.
ResultFiles read_result_files(const std::filesystem::path& folder, const Strings& samples,
                              const Strings& views);

/// meta_info.json; InputError where it is not there or no JSON object.
Json read_meta(const std::filesystem::path& folder);

}  // namespace mkc::report
