#pragma once

#include <optional>
#include <string>

#include "mkc/analyse/factor_views.hpp"
#include "mkc/problem/id_rule.hpp"

namespace mkc::io {

/// The completed kernels of a result folder (docs/reference/output.md).
struct StoredResult {
  Strings samples;
  Strings views;
  std::vector<Matrix> kernels;      // per view (N, N)
  std::optional<Matrix> relations;  // S (M, M)
  Indices features;                 // per view, as its file had them; 0 where that is not known
  std::string method;
  IdRule ids;                // by which the ids of its files name samples
  bool interrupted = false;  // the run was: the kernels are the best that it had
};

/// Reads what write_result() wrote, in any format. InputError where the folder is not a result
/// of `mkc complete`, or something in it is missing or damaged.
StoredResult read_result(const std::string& folder);

/// A result of which some samples have their kernels: all of them in dense form, at most `most` in
/// factor form, chosen by their names.
struct SampledResult {
  StoredResult shown;  // of those samples, in the order of the result
  Strings samples;     // all
  Indices places;      // of the shown samples among all
};
SampledResult read_result_sample(const std::string& folder, std::size_t most);

/// Whether the folder holds a result in factor form.
bool is_factor_result(const std::string& folder);

/// Such a result, without its kernels; also a prediction of `mkc predict` in factor form. The
/// factors stay in their files.
struct StoredFactors : FactorViews {
  IdRule ids;
  std::string model;  // that completed it; "" in results of earlier versions
};
StoredFactors read_factor_result(const std::string& folder);

/// The same where the whole kernels of `path` are too many: a result in factor form of more than
/// 20,000 samples, or of kernels that do not fit into memory.
std::optional<StoredFactors> read_large_result(const std::string& path);

/// The rule for ids in the text of a meta_info.json, which is in the file `where`; exact where it
/// has none, as in version 0.1.
IdRule stored_id_rule(const std::string& meta_info, const std::string& where);

/// What rows of zeros of a view were taken for: "missing", "values", or "" where there were none.
std::string stored_zero_rows(const std::string& meta_info, const std::string& view);

/// The same, or one complete kernel of all samples from a file, such as `mkc combine` writes.
StoredResult read_result_or_kernel(const std::string& path);

/// The files that read_result_or_kernel() reads.
Strings result_inputs(const std::string& path);

}  // namespace mkc::io
