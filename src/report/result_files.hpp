#pragma once

#include <filesystem>
#include <optional>

#include <nlohmann/json.hpp>

#include "mkc/base/types.hpp"

/// The files of a result folder apart from the kernels (docs/reference/output.md). A report made
/// with the result and one made later read the same files.
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
