#include "mkc/problem/problem.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "mkc/base/error.hpp"
#include "mkc/problem/view.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/eigh.hpp"
#include "numeric/linalg/psd.hpp"

namespace mkc {

namespace {

void check_sizes(const ObservedKernel& view, Index n_samples) {
  const SharedMatrix& K = view.block;
  if (K.rows() != K.cols())
    throw InputError(fmt::format("{}: the kernel is not square: {} rows, {} columns",
                                 place_of(view), K.rows(), K.cols()),
                     {"a kernel has one row and one column per sample",
                      {"kind", "features", "reads a table of measurements"}});
  if (K.rows() != static_cast<Index>(view.rows.size()))
    throw InputError(fmt::format("{}: the block has {} rows, but {} samples are given as observed",
                                 place_of(view), K.rows(), view.rows.size()));
  if (K.rows() < 2)
    throw InputError(fmt::format("{}: only {} sample{} observed, at least 2 are needed",
                                 place_of(view), K.rows(), K.rows() == 1 ? " is" : "s are"),
                     "leave this view out");
  for (std::size_t i = 0; i < view.rows.size(); ++i) {
    const bool ascending = i == 0 || view.rows[i] > view.rows[i - 1];
    if (view.rows[i] < 0 || view.rows[i] >= n_samples || !ascending)
      throw InputError(
          fmt::format("{}: observed rows must be ascending indices from 0 to {}; "
                      "position {} holds {}",
                      place_of(view), n_samples - 1, i, view.rows[i]));
  }
}

void check_finite(const ObservedKernel& view, const Strings& samples) {
  constexpr double large = 1e150, small = 1e-150;  // their squares are still normal numbers
  if (view.block.allFinite()) {
    const double largest = view.block.cwiseAbs().maxCoeff();
    if (largest == 0 || (largest >= small && largest <= large)) return;
    throw InputError(fmt::format("{}: entries up to {:.3g} are too {} to compute with",
                                 place_of(view), largest, largest > large ? "large" : "small"),
                     "divide the kernel by its largest entry; its unit makes no difference");
  }
  for (Index j = 0; j < view.block.cols(); ++j)
    for (Index i = 0; i < view.block.rows(); ++i) {
      const double value = view.block(i, j);
      if (std::isfinite(value)) continue;
      throw InputError(
          fmt::format("{}: entry ('{}', '{}') of the observed part is {}", place_of(view),
                      samples[at(view.rows[at(i)])], samples[at(view.rows[at(j)])],
                      std::isnan(value) ? "NaN" : "infinite"),
          std::isnan(value)
              ? "a missing sample has its whole row and column missing"
              : "an overflow where the kernel was computed? Scale the features first");
    }
}

// InputError unless symmetric within the tolerance; the remaining asymmetry is averaged out.
void make_symmetric(ObservedKernel& view, const Strings& samples, double tolerance,
                    Strings& notices) {
  const SharedMatrix& K = view.block;
  const double difference = linalg::asymmetry(K);
  if (difference == 0) return;
  const double allowed = tolerance * K.cwiseAbs().maxCoeff();
  if (difference > allowed) {
    for (Index j = 0; j < K.cols(); ++j)
      for (Index i = j + 1; i < K.rows(); ++i)
        if (std::abs(K(i, j) - K(j, i)) > allowed)
          throw InputError(
              fmt::format("{0}: the kernel is not symmetric: entry ('{1}', '{2}') is {3}, "
                          "but ('{2}', '{1}') is {4}",
                          place_of(view), samples[at(view.rows[at(i)])],
                          samples[at(view.rows[at(j)])], K(i, j), K(j, i)),
              {"a kernel is symmetric", {"kind", "features", "reads a table of measurements"}});
  }
  constexpr double rounding = 1e-8;
  const double relative = difference / K.cwiseAbs().maxCoeff();
  if (relative > rounding)
    notices.push_back(
        fmt::format("{}: asymmetric by up to {:.1g} of its largest entry, as after "
                    "rounding: the mean of both entries is taken",
                    place_of(view), relative));
  view.block = Matrix(0.5 * (K + K.transpose()));
}

void check_diagonal(const ObservedKernel& view, const Strings& samples) {
  Index i = 0;
  if (view.block.diagonal().minCoeff(&i) < 0)
    throw InputError(fmt::format("{}: sample '{}' has a negative diagonal entry, {}",
                                 place_of(view), samples[at(view.rows[at(i)])], view.block(i, i)),
                     "a kernel's diagonal is a squared length; distances are not kernels");
}

// False where the block is left as it is although it is not PSD.
bool check_psd(ObservedKernel& view, const ProblemChecks& checks, Strings& notices) {
  if (checks.psd == PsdPolicy::unchecked || linalg::is_psd(view.block, checks.psd_tolerance))
    return true;
  const Vector values = linalg::eigenvalues(view.block);
  const std::string spectrum = fmt::format("smallest eigenvalue {:.3g}, largest {:.3g}", values(0),
                                           values(values.size() - 1));
  if (checks.psd == PsdPolicy::error && view.block.diagonal().isZero(0))
    throw InputError(
        fmt::format("{}: the diagonal is zero and the rest is not: distances, or a network without "
                    "loops, are no kernel",
                    place_of(view)),
        {"of distances d make exp(-d^2 / median(d^2)), of a network with Laplacian L the diffusion "
         "kernel expm(-L)",
         {"psd", "clip", "takes the nearest kernel"}});
  if (checks.psd == PsdPolicy::error)
    throw InputError(
        fmt::format("{}: the kernel is not positive semi-definite: {}", place_of(view), spectrum),
        {{"psd", "clip", "takes the nearest positive semi-definite kernel"},
         {"psd", "ignore", "leaves it as it is"}});
  if (checks.psd == PsdPolicy::ignore) {
    notices.push_back(fmt::format(
        "{}: not positive semi-definite ({}), and its completed kernel will not be; the rest "
        "of it is completed from the nearest one that is",
        place_of(view), spectrum));
    return false;
  }
  Matrix clipped = linalg::project_psd(view.block);
  const double change = (clipped - view.block).norm() / view.block.norm();
  view.block = std::move(clipped);
  notices.push_back(
      fmt::format("{}: clipped to positive semi-definite ({}, relative change {:.2g})",
                  place_of(view), spectrum, change));
  return true;
}

void note_constant(const ObservedKernel& view, Strings& notices) {
  if (view.block.rows() < 2) return;
  const double first = view.block(0, 0);
  if ((view.block.array() != first).any()) return;
  notices.push_back(fmt::format("{}: all its entries are {}: all rows of this view are equal",
                                place_of(view), first));
}

Mask observed_table(Index n_samples, const std::vector<ObservedKernel>& views) {
  Mask observed = Mask::Constant(n_samples, static_cast<Index>(views.size()), false);
  for (std::size_t m = 0; m < views.size(); ++m)
    for (const Index i : views[m].rows) observed(i, static_cast<Index>(m)) = true;
  return observed;
}

// One view alone says nothing about the samples it lacks.
void check_not_alone(const ObservedKernel& only_view, Index n_samples) {
  const Index n = static_cast<Index>(only_view.rows.size());
  if (n == n_samples) return;
  throw InputError(fmt::format("{} is the only view and lacks {} of {} samples: there is no other "
                               "view to complete it from",
                               place_of(only_view), n_samples - n, n_samples),
                   "give a second view of the same samples");
}

void check_every_sample_has_a_view(const Strings& samples, const Mask& observed) {
  Strings empty;
  for (Index i = 0; i < observed.rows(); ++i)
    if (!observed.row(i).any()) empty.push_back(samples[at(i)]);
  if (empty.empty()) return;
  throw InputError(fmt::format("{} sample{} not observed in any view: {}", empty.size(),
                               empty.size() == 1 ? " is" : "s are", first_of(empty)),
                   "a sample without any view cannot be completed: leave it out");
}

std::vector<ObservedKernel> gather_views(const std::vector<Matrix>& kernels, const Mask& observed) {
  if (static_cast<Index>(kernels.size()) != observed.cols())
    throw InputError(fmt::format("{} kernels, but the table of observed samples has {} columns",
                                 kernels.size(), observed.cols()));
  std::vector<ObservedKernel> views;
  for (Index m = 0; m < observed.cols(); ++m) {
    const Matrix& K = kernels[at(m)];
    ObservedKernel view{fmt::format("view{}", m), {}, {}, ""};
    if (K.rows() != observed.rows() || K.cols() != observed.rows())
      throw InputError(fmt::format("{}: the kernel is {} x {}, but there are {} samples",
                                   place_of(view), K.rows(), K.cols(), observed.rows()));
    for (Index i = 0; i < K.rows(); ++i)
      if (observed(i, m)) view.rows.push_back(i);
    view.block = submatrix(K, view.rows, view.rows);
    views.push_back(std::move(view));
  }
  return views;
}

}  // namespace

const Strings& psd_policy_names() {
  static const Strings names = {"clip", "error", "ignore"};
  return names;
}

Strings Problem::samples_of(Index m) const { return picked(samples_, view(m).rows); }

Problem::Problem(Strings samples, std::vector<ObservedKernel> views, const ProblemChecks& checks)
    : samples_(std::move(samples)), views_(std::move(views)) {
  if (views_.empty()) throw InputError("there is no view", "name at least one file");
  check_unique(samples_, "sample", "give every sample a name of its own");
  check_unique(names_of(views_), "view", "give every view a name of its own");
  for (auto& view : views_) {
    check_sizes(view, n_samples());
    check_finite(view, samples_);
    make_symmetric(view, samples_, checks.symmetry_tolerance, notices_);
    check_diagonal(view, samples_);
    if (!check_psd(view, checks, notices_)) indefinite_ = true;
    note_constant(view, notices_);
  }
  observed_ = observed_table(n_samples(), views_);
  if (n_views() == 1) check_not_alone(views_.front(), n_samples());
  check_every_sample_has_a_view(samples_, observed_);
  for (Index m = 0; m < n_views(); ++m) {
    missing_.emplace_back();
    for (Index i = 0; i < n_samples(); ++i)
      if (!observed_(i, m)) missing_.back().push_back(i);
  }
}

Problem::Problem(const std::vector<Matrix>& kernels, const Mask& observed,
                 const ProblemChecks& checks)
    : Problem(numbered(observed.rows()), gather_views(kernels, observed), checks) {}

bool Problem::nothing_missing() const {
  return std::all_of(missing_.begin(), missing_.end(),
                     [](const Indices& rows) { return rows.empty(); });
}

Problem Problem::with_blocks(std::vector<SharedMatrix> blocks) const {
  Problem copy = *this;
  for (std::size_t m = 0; m < copy.views_.size(); ++m) copy.views_[m].block = std::move(blocks[m]);
  return copy;
}

Problem Problem::nearest_psd() const {
  std::vector<SharedMatrix> blocks;
  for (const auto& view : views_) {
    const bool fine = linalg::is_psd(view.block, ProblemChecks().psd_tolerance);
    blocks.push_back(fine ? view.block : SharedMatrix(linalg::project_psd(view.block)));
  }
  Problem nearest = with_blocks(std::move(blocks));
  nearest.indefinite_ = false;
  return nearest;
}

ObservedKernel gather_observed(const std::string& name, const MatrixRef& K) {
  ObservedKernel view{name, {}, {}, ""};
  if (K.rows() != K.cols())
    throw InputError(fmt::format("{}: the kernel is not square: {} rows, {} columns",
                                 place_of(view), K.rows(), K.cols()));
  const auto is_nan = K.array().isNaN();
  for (Index i = 0; i < K.rows(); ++i)
    if (!is_nan.row(i).all() || !is_nan.col(i).all()) view.rows.push_back(i);
  view.block = submatrix(K, view.rows, view.rows);
  for (Index i = 0; i < view.block.rows(); ++i) {
    const Index gaps = view.block.row(i).array().isNaN().count();
    if (gaps > 0)
      throw InputError(fmt::format("{}: row {} is partly missing: {} of {} entries are NaN",
                                   place_of(view), view.rows[at(i)], gaps, view.block.cols()),
                       "a missing sample has its whole row and column NaN");
  }
  return view;
}

bool is_symmetric(const MatrixRef& K) { return linalg::asymmetry(K) == 0; }

}  // namespace mkc
