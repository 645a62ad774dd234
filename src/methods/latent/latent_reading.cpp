#include "methods/latent/latent_reading.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "methods/shared/gather.hpp"
#include "methods/shared/log_domain.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"

namespace mkc::latent {

namespace {

constexpr int steps_for_all = 20, steps_from_start = 8, steps_per_pattern = 3;
constexpr double lost_to_noise = 0.2;      // start: share of a lacking source's variance
constexpr double smallest_spread = 1e-14;  // of a target that can be learnt
constexpr double tiny = std::numeric_limits<double>::min();

// Positions of the rows to learn on, ascending.
Indices chosen_rows(const Problem& problem, const Indices& rows, Index most) {
  Indices chosen = rows_by_hash(problem.samples(), rows, at(most), "latent");
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Matrix centred_part(const Matrix& gram, const Indices& rows) {
  return kernel_gram(submatrix(gram, rows, rows));
}

}  // namespace

Reader::Reader(const Problem& problem, const std::vector<ViewPattern>& patterns,
               const std::vector<ViewFeatures>& features, const std::vector<Matrix>& grams,
               Index view, Indices sources, Index learning_rows, bool refit_patterns,
               const Components* start)
    : target_(features[at(view)]), sources_(std::move(sources)) {
  const ObservedKernel& known = problem.view(view);
  const Indices &I = known.rows, &T = problem.missing(view);
  missing_ = static_cast<Index>(T.size());
  learning_ = chosen_rows(problem, I, learning_rows);
  target_gram_ = centred_part(target_.gram, learning_);
  shares_ = Vector::Zero(static_cast<Index>(sources_.size()));
  learning_grams_ = Grams(target_gram_.rows(), shares_.size());
  if (missing_ > 0) grams_ = Grams(static_cast<Index>(I.size()), shares_.size());
  for (Index l = 0; l < shares_.size(); ++l) add_source(l, grams[at(sources_[at(l)])], I, T);

  const double size = target_.log ? static_cast<double>(I.size()) : known.block.trace();
  const bool learnable = target_gram_.trace() > smallest_spread * size;
  const double variance = learnable && !sources_.empty() ? learn_components(start) : 0;
  for (const ViewPattern& pattern : patterns) {
    if (pattern.has[at(view)]) continue;
    groups_.push_back(make_group(pattern, T, learnable));
    if (groups_.back().has_sources) fit_group(pattern, variance, refit_patterns, groups_.back());
  }
}

// The Gram matrix of a source, centred on the rows I: on the learning rows, on I x I, on I x T and
// on the diagonal of T x T.
void Reader::add_source(Index l, const Matrix& G, const Indices& I, const Indices& T) {
  const Matrix block = submatrix(G, I, I);
  learning_grams_[l] = centred_part(block, learning_);
  if (T.empty()) return;  // only the shares of its sources are needed
  Matrix cross = submatrix(G, I, T);
  const Vector mean = block.rowwise().mean();
  const double all = mean.mean();
  const Eigen::RowVectorXd cross_mean = cross.colwise().mean();
  Vector own(missing_);
  for (Index t = 0; t < missing_; ++t) own(t) = G(T[at(t)], T[at(t)]) - 2 * cross_mean(t) + all;
  cross.rowwise() -= cross_mean;
  cross.colwise() -= (mean.array() - all).matrix();
  grams_[l] = kernel_gram(block);
  cross_.push_back(std::move(cross));
  own_.push_back(std::move(own));
}

// The components of all sources and their shares. Returns the variance of the target as the
// components see it.
double Reader::learn_components(const Components* start) {
  components_ = start ? *start : equal_components(learning_grams_, target_gram_);
  improve(components_, learning_grams_, target_gram_, start ? steps_from_start : steps_for_all);
  for (Index l = 0; l < shares_.size(); ++l)
    shares_(l) = components_.weights(l) * learning_grams_[l].trace();
  const double whole = shares_.sum() + components_.noise * double(learning_.size());
  shares_ /= whole;
  return whole / double(learning_.size());
}

Reader::Group Reader::make_group(const ViewPattern& pattern, const Indices& T,
                                 bool learnable) const {
  Group group;
  for (const Index i : pattern.samples)
    group.columns.push_back(std::lower_bound(T.begin(), T.end(), i) - T.begin());
  for (std::size_t l = 0; l < sources_.size() && learnable; ++l)
    if (pattern.has[at(sources_[l])]) group.has_sources = true;
  return group;
}

// The components of a group start from those of all sources: part of the variance of the sources it
// lacks becomes noise.
void Reader::fit_group(const ViewPattern& pattern, double variance, bool refit,
                       Group& group) const {
  Vector& weights = group.components.weights = Vector::Zero(shares_.size());
  double kept = 0;
  for (Index l = 0; l < weights.size(); ++l) {
    if (!pattern.has[at(sources_[at(l)])]) continue;
    weights(l) = std::max(components_.weights(l), tiny);
    kept += shares_(l);
  }
  const double lost = std::max(0.0, shares_.sum() - kept);
  group.components.noise = components_.noise + lost_to_noise * lost * variance;
  if (refit && lost > 0)
    improve(group.components, learning_grams_, target_gram_, steps_per_pattern);
}

Reading Reader::read(double noise_factor) const {
  Reading reading;
  reading.weights = Matrix::Zero(target_.gram.rows(), missing_);
  reading.variance = Vector::Zero(missing_);
  if (target_.log) reading.covariance = Matrix::Zero(target_.all.cols(), target_.all.cols());
  for (const Group& group : groups_) {
    if (group.has_sources)
      read_group(group, noise_factor, reading);
    else
      read_mean(group, reading);
  }
  if (missing_ > 0) reading.covariance /= double(missing_);
  return reading;
}

// No source: the mean of the view, and its whole variance.
void Reader::read_mean(const Group& group, Reading& reading) const {
  const double n = double(target_.gram.rows());
  const double correction = n > 1 ? n / (n - 1) : 1;
  for (const Index t : group.columns) {
    reading.weights.col(t).setConstant(1 / n);
    reading.variance(t) = correction * correction * target_.gram.trace() / n;
  }
  if (target_.log)
    reading.covariance += double(group.columns.size()) * correction * correction / n *
                          linalg::gram_of_columns(target_.all);
}

// C_II, C_It and c_tt of a group's missing rows.
Reader::Process Reader::process_of(const Group& group, const Components& components) const {
  const Index n = target_.gram.rows(), count = static_cast<Index>(group.columns.size());
  Process process{grams_.sum(components.weights), Matrix::Zero(n, count),
                  Vector::Constant(count, components.noise * (1 + 1 / double(n)))};
  for (std::size_t l = 0; l < cross_.size(); ++l) {
    const double w = components.weights(static_cast<Index>(l));
    if (w == 0) continue;
    for (Index t = 0; t < count; ++t) {
      process.c.col(t) += w * cross_[l].col(group.columns[at(t)]);
      process.own(t) += w * own_[l](group.columns[at(t)]);
    }
  }
  process.C.diagonal().array() += components.noise;
  return process;
}

void Reader::read_group(const Group& group, double noise_factor, Reading& reading) const {
  const Index n = target_.gram.rows();
  Components components = group.components;
  components.noise *= noise_factor;

  // rows left out in turn, on the learning rows
  const Matrix Q = inverse_covariance(components, learning_grams_);
  const Vector predicted = Q.diagonal().cwiseMax(tiny).cwiseInverse();  // (learning) variances
  const Matrix QT = linalg::multiply(Q, target_gram_);
  const double open = std::max(0.0, predicted.cwiseAbs2().dot(QT.cwiseProduct(Q).rowwise().sum()) /
                                        double(learning_.size()));

  Process process = process_of(group, components);
  double added;
  const Matrix W = static_cast<Index>(learning_.size()) == n
                       ? linalg::multiply(Q, process.c)
                       : stable_factor(std::move(process.C), &added).solve(process.c);
  double spreads = 0;
  for (Index t = 0; t < W.cols(); ++t) {
    const Index column = group.columns[at(t)];
    const double left = process.own(t) - process.c.col(t).dot(W.col(t));
    const double spread = std::max(left, components.noise) / predicted.mean();
    reading.weights.col(column) = W.col(t).array() + 1 / double(n);
    reading.variance(column) = open * spread;
    spreads += spread;
  }
  if (target_.log)
    reading.covariance += spreads / double(learning_.size()) * left_out_gram(Q, predicted);
}

// Sum of e_i e_i' over the learning rows i, e_i = (Q Y)_i / Q_ii the error of a row left out.
Matrix Reader::left_out_gram(const Matrix& Q, const Vector& predicted) const {
  Matrix left_out(static_cast<Index>(learning_.size()), target_.all.cols());
  gather_rows(target_.all, learning_, left_out);
  left_out = linalg::multiply(Q, left_out.rowwise() - left_out.colwise().mean());
  left_out = predicted.asDiagonal() * left_out;
  return linalg::gram_of_columns(left_out);
}

}  // namespace mkc::latent
