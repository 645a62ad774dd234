#pragma once

#include <string>

#include "mkc/base/types.hpp"
#include "mkc/files/result_folder.hpp"

namespace mkc::io {

/// How the kernels of views were combined into one: K = sum_m factor_m K_m. New samples need the
/// same factors.
struct Combination {
  Strings views;
  Vector weights;    // >= 0
  Vector variances;  // of the training kernels, see kernel_variance()
  Vector factors;    // weight, divided by the variance or not
  std::string weighting, scale;
  std::string labels, label_type;  // FILE[:COLUMN], and how it was understood; or ""
  Index n_samples = 0;
  std::string samples;  // digest of the ids of the training samples
  std::string model;    // of a result in factor form: what completed it; else ""
};

/// k(x, x) of new samples, by id.
using NewDiagonal = std::vector<std::pair<std::string, double>>;

std::string digest_of_samples(const Strings& samples);

/// The file beside a combined kernel that describes it: "K.npz.json" for "K.npz".
std::string combination_path(const std::string& kernel_path);

/// Whether a file is such a description.
bool is_combination(const std::string& path);

/// `kernel` is the finished kernel file: its hash shows later whether it is still the same.
std::string combination_json(const Combination& combination, const RunRecord& record,
                             const std::string& kernel, const NewDiagonal& diagonal = {});

/// The combination of a kernel of `mkc combine`. InputError where the description is missing or
/// damaged, or belongs to another kernel file.
Combination read_combination(const std::string& kernel_path);

}  // namespace mkc::io
