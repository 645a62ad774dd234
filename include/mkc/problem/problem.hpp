#pragma once

#include "mkc/base/shared_matrix.hpp"

namespace mkc {

/// What is known of one view: its kernel on the samples that have the view.
struct ObservedKernel {
  std::string name;
  Indices rows;        // I_m: the samples observed in this view, ascending, 0-based
  SharedMatrix block;  // (n_m, n_m) kernel values on rows x rows, symmetric
  std::string source;  // where it came from (a file), for messages; may be empty
};

/// What to do with an observed block that is not positive semi-definite.
enum class PsdPolicy {
  clip,       // the nearest PSD block is the observed block from then on
  error,      // refused
  ignore,     // returned as it is; methods work on the nearest PSD block, see complete()
  unchecked,  // known to be PSD
};
const Strings& psd_policy_names();  // of clip, error and ignore, which users choose from

struct ProblemChecks {
  PsdPolicy psd = PsdPolicy::error;
  double psd_tolerance = 1e-8;       // accepted as it is where lambda_min >= -tolerance lambda_max
  double symmetry_tolerance = 1e-6;  // largest |k_ij - k_ji| accepted, relative to max |k|
};

/// M named kernels over N named samples, each known on its own subset of the samples only.
/// Checked when it is made: a Problem that exists can be worked on.
class Problem {
 public:
  /// Throws InputError naming view, sample and sizes. An asymmetry within tolerance is averaged
  /// out.
  Problem(Strings samples, std::vector<ObservedKernel> views, const ProblemChecks& checks = {});

  /// From full N x N matrices and an N x M table (true = sample i observed in view m); entries of
  /// unobserved rows are not read. Samples and views are named "0", "1", ... and "view0", ...
  Problem(const std::vector<Matrix>& kernels, const Mask& observed,
          const ProblemChecks& checks = {});

  Index n_samples() const { return static_cast<Index>(samples_.size()); }
  Index n_views() const { return static_cast<Index>(views_.size()); }
  const Strings& samples() const { return samples_; }
  Strings samples_of(Index m) const;  // names of the samples observed in view m
  const std::vector<ObservedKernel>& views() const { return views_; }
  const ObservedKernel& view(Index m) const { return views_[at(m)]; }

  const Mask& observed() const { return observed_; }  // (N, M)
  const Indices& missing(Index m) const { return missing_[at(m)]; }
  bool complete(Index m) const { return missing(m).empty(); }
  bool nothing_missing() const;

  /// Whether a block is not positive semi-definite (PsdPolicy::ignore), and the problem with the
  /// nearest blocks that are.
  bool indefinite() const { return indefinite_; }
  Problem nearest_psd() const;

  /// What was noticed while checking, e.g. "view 'a': clipped to positive semi-definite, ...".
  const Strings& notices() const { return notices_; }

  /// The same problem with other block values (same sizes), unchecked: for rescaled kernels.
  Problem with_blocks(std::vector<SharedMatrix> blocks) const;

 private:
  Strings samples_;
  std::vector<ObservedKernel> views_;
  Mask observed_;
  std::vector<Indices> missing_;
  Strings notices_;
  bool indefinite_ = false;
};

/// The observed part of a full kernel in which a missing sample has its whole row and column NaN.
/// Throws InputError where a row is only partly missing.
ObservedKernel gather_observed(const std::string& name, const MatrixRef& K);

/// Whether K (n, n) equals its transpose, bit for bit.
bool is_symmetric(const MatrixRef& K);

}  // namespace mkc
