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

constexpr std::size_t most_learning_rows = 120;  // weights hardly change with more
constexpr int steps_for_all = 20, steps_from_start = 8, steps_per_pattern = 3;
constexpr double lost_to_noise = 0.2;      // start: share of a lacking source's variance
constexpr double smallest_spread = 1e-14;  // of a target that can be learnt
constexpr double tiny = std::numeric_limits<double>::min();

// Positions of the rows to learn on, ascending.
Indices learning_rows(const Problem& problem, const Indices& rows) {
  Indices chosen = rows_by_hash(problem.samples(), rows, most_learning_rows, "latent");
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Matrix centred_part(const Matrix& gram, const Indices& rows) {
  return kernel_gram(submatrix(gram, rows, rows));
}

}  // namespace

Reader::Reader(const Problem& problem, const std::vector<ViewPattern>& patterns,
               const std::vector<ViewFeatures>& features, const std::vector<Matrix>& grams,
               Index view, Indices sources, bool refit_patterns, const Components* start)
    : target_(features[at(view)]), sources_(std::move(sources)) {
  const Indices &I = problem.view(view).rows, &T = problem.missing(view);
  missing_ = static_cast<Index>(T.size());
  learning_ = learning_rows(problem, I);
  target_gram_ = centred_part(target_.gram, learning_);
  shares_ = Vector::Zero(static_cast<Index>(sources_.size()));
  for (const Index l : sources_) {
    const Matrix& G = grams[at(l)];
    const Matrix block = submatrix(G, I, I);
    learning_grams_.push_back(centred_part(block, learning_));
    if (missing_ == 0) continue;  // only asked how much its sources tell
    Matrix cross = submatrix(G, I, T);
    const Vector mean = block.rowwise().mean();
    const double all = mean.mean();
    const Eigen::RowVectorXd cross_mean = cross.colwise().mean();
    Vector own(missing_);
    for (Index t = 0; t < missing_; ++t) own(t) = G(T[at(t)], T[at(t)]) - 2 * cross_mean(t) + all;
    cross.rowwise() -= cross_mean;
    cross.colwise() -= (mean.array() - all).matrix();
    grams_.push_back(kernel_gram(block));
    cross_.push_back(std::move(cross));
    own_.push_back(std::move(own));
  }

  std::vector<Index> position(at(problem.n_samples()), -1);
  for (std::size_t t = 0; t < T.size(); ++t) position[at(T[t])] = static_cast<Index>(t);
  const double size =
      target_.log ? static_cast<double>(I.size()) : problem.view(view).block.trace();
  const bool known = target_gram_.trace() > smallest_spread * size;
  double total = 0;  // variance of the target as the components see it
  if (known && !sources_.empty()) {
    components_ = start ? *start : equal_components(learning_grams_, target_gram_);
    improve(components_, learning_grams_, target_gram_, start ? steps_from_start : steps_for_all);
    for (std::size_t l = 0; l < sources_.size(); ++l)
      shares_(static_cast<Index>(l)) =
          components_.weights(static_cast<Index>(l)) * learning_grams_[l].trace();
    const double whole = shares_.sum() + components_.noise * double(learning_.size());
    shares_ /= whole;
    total = whole / double(learning_.size());
  }
  for (const ViewPattern& pattern : patterns) {
    if (pattern.has[at(view)]) continue;
    Group group;
    for (const Index i : pattern.samples) group.columns.push_back(position[at(i)]);
    if (known)
      for (std::size_t l = 0; l < sources_.size(); ++l)
        if (pattern.has[at(sources_[l])]) group.sources.push_back(static_cast<Index>(l));
    if (!group.sources.empty()) {
      std::vector<Matrix> parts;
      group.components.weights.resize(static_cast<Index>(group.sources.size()));
      double kept = 0;
      for (std::size_t s = 0; s < group.sources.size(); ++s) {
        const Index l = group.sources[s];
        group.components.weights(static_cast<Index>(s)) = std::max(components_.weights(l), tiny);
        kept += shares_(l);
        if (refit_patterns) parts.push_back(learning_grams_[at(l)]);
      }
      const double lost = std::max(0.0, shares_.sum() - kept);
      group.components.noise = components_.noise + lost_to_noise * lost * total;
      if (refit_patterns && lost > 0)
        improve(group.components, parts, target_gram_, steps_per_pattern);
    }
    groups_.push_back(std::move(group));
  }
}

Reading Reader::read(double noise_factor) const {
  Reading reading;
  reading.weights = Matrix::Zero(target_.gram.rows(), missing_);
  reading.variance = Vector::Zero(missing_);
  if (target_.log) reading.covariance = Matrix::Zero(target_.all.cols(), target_.all.cols());
  for (const Group& group : groups_) {
    if (group.sources.empty())
      read_mean(group, reading);
    else
      read_group(group, noise_factor, reading);
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

void Reader::read_group(const Group& group, double noise_factor, Reading& reading) const {
  const Index n = target_.gram.rows(), count = static_cast<Index>(group.columns.size());
  Components components = group.components;
  components.noise *= noise_factor;

  // rows left out in turn, on the learning rows
  std::vector<Matrix> parts;
  for (const Index l : group.sources) parts.push_back(learning_grams_[at(l)]);
  const Matrix Q = inverse_covariance(components, parts);
  const double rows = double(learning_.size());
  const Vector foretold = Q.diagonal().cwiseMax(tiny).cwiseInverse();  // (rows) their variances
  const Matrix QT = linalg::multiply(Q, target_gram_);
  const double open =
      std::max(0.0, foretold.cwiseAbs2().dot(QT.cwiseProduct(Q).rowwise().sum()) / rows);

  // weights
  Matrix C = Matrix::Zero(n, n), c = Matrix::Zero(n, count);
  Vector own = Vector::Constant(count, components.noise * (1 + 1 / double(n)));
  for (std::size_t s = 0; s < group.sources.size(); ++s) {
    const std::size_t l = at(group.sources[s]);
    const double w = components.weights(static_cast<Index>(s));
    C += w * grams_[l];
    for (Index t = 0; t < count; ++t) {
      c.col(t) += w * cross_[l].col(group.columns[at(t)]);
      own(t) += w * own_[l](group.columns[at(t)]);
    }
  }
  C.diagonal().array() += components.noise;
  double added;
  const Matrix W = static_cast<Index>(learning_.size()) == n
                       ? linalg::multiply(Q, c)
                       : stable_factor(std::move(C), &added).solve(c);
  double mean_spread = 0;
  for (Index t = 0; t < count; ++t) {
    const Index column = group.columns[at(t)];
    const double spread =
        std::max(own(t) - c.col(t).dot(W.col(t)), components.noise) / foretold.mean();
    reading.weights.col(column) = W.col(t).array() + 1 / double(n);
    reading.variance(column) = open * spread;
    mean_spread += spread;
  }
  if (target_.log) {
    Matrix left_out(static_cast<Index>(learning_.size()), target_.all.cols());
    gather_rows(target_.all, learning_, left_out);
    left_out = linalg::multiply(Q, left_out.rowwise() - left_out.colwise().mean());
    left_out = foretold.asDiagonal() * left_out;
    reading.covariance += mean_spread / rows * linalg::gram_of_columns(left_out);
  }
}

}  // namespace mkc::latent
