#include "factor/gaussian.hpp"

#include <cmath>

#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "problem/view_patterns.hpp"

namespace mkc::factor {

namespace {

constexpr Index most_iterations = 40;
constexpr double tolerance = 1e-3;  // relative change of the completed features

Indices first_columns(const Indices& widths) {
  Indices first = {0};
  for (const Index width : widths) first.push_back(first.back() + width);
  return first;
}

// Columns of the views that a pattern has, or lacks.
Indices columns_where(const Pattern& has, const Indices& widths, bool wanted) {
  const Indices first = first_columns(widths);
  Indices columns;
  for (std::size_t m = 0; m < has.size(); ++m)
    if (has[m] == wanted)
      for (Index c = first[m]; c < first[m + 1]; ++c) columns.push_back(c);
  return columns;
}

// One pattern: its moments in scaled features, and x_h = a + B x_o as it is now.
struct Part {
  Indices o, h;
  double count;
  Vector sum;
  Matrix second;
  Vector a;
  Matrix B;

  Vector completed_sum() const { return count * a + B * sum; }

  // Adds sum x x' of the completed features.
  void add_second(Matrix& S) const {
    S(o, o) += second;
    if (h.empty()) return;
    const Vector Bt = B * sum;
    const Matrix BC = linalg::multiply(B, second);
    const Matrix ho = a * sum.transpose() + BC;
    S(h, o) += ho;
    S(o, h) += ho.transpose();
    S(h, h) += count * a * a.transpose() + a * Bt.transpose() + Bt * a.transpose() +
               linalg::multiply_nt(BC, B);
  }
};

// sum_i |a + B x_i|^2.
double squared_norm(const Part& part, const Vector& a, const Matrix& B) {
  return part.count * a.squaredNorm() + 2 * a.dot(B * part.sum) +
         linalg::multiply(B, part.second).cwiseProduct(B).sum();
}

struct Scaled {
  std::vector<Part> parts;
  Vector offset, factor;  // (R) x = (phi - offset) factor
};

Scaled scaled_parts(const GaussianMoments& moments, const Gaussian& gaussian) {
  const Indices first = first_columns(gaussian.widths);
  Scaled all{{}, Vector(first.back()), Vector(first.back())};
  for (std::size_t m = 0; m < gaussian.widths.size(); ++m) {
    const auto view = static_cast<Index>(m);
    all.offset.segment(first[m], gaussian.widths[m]) = gaussian.means[m].head(gaussian.widths[m]);
    all.factor.segment(first[m], gaussian.widths[m]).setConstant(1 / gaussian.scales(view));
  }
  for (const auto& [has, sums] : moments.patterns) {
    Part part;
    part.o = columns_where(has, gaussian.widths, true);
    part.h = columns_where(has, gaussian.widths, false);
    part.count = sums.count;
    const Vector c = all.offset(part.o), f = all.factor(part.o);
    // sum (x - c)(x - c)' = S - s c' - c s' + n c c'
    part.second = sums.second - sums.sum * c.transpose() - c * sums.sum.transpose() +
                  sums.count * c * c.transpose();
    part.second = f.asDiagonal() * part.second * f.asDiagonal();
    part.sum = f.cwiseProduct(sums.sum - sums.count * c);
    part.a = Vector::Zero(std::ssize(part.h));
    part.B = Matrix::Zero(std::ssize(part.h), std::ssize(part.o));
    all.parts.push_back(std::move(part));
  }
  return all;
}

// Means and scales of the views' features.
void describe_views(const GaussianMoments& moments, Gaussian& gaussian) {
  const auto M = moments.counts.size();
  gaussian.scales = gaussian.rest = Vector::Zero(M);
  Vector leading = Vector::Zero(M);  // sum of squares of the leading features
  for (const auto& [has, sums] : moments.patterns) {
    Index first = 0;
    for (Index m = 0; m < M; ++m)
      if (has[at(m)]) {
        const Index width = gaussian.widths[at(m)];
        leading(m) += sums.second.diagonal().segment(first, width).sum();
        first += width;
      }
  }
  for (Index m = 0; m < M; ++m) {
    const double n = std::max(1.0, moments.counts(m));
    gaussian.means.emplace_back(moments.totals[at(m)] / n);
    const Vector& mean = gaussian.means.back();
    const Index width = gaussian.widths[at(m)];
    const double length = leading(m) / n - mean.head(width).squaredNorm();
    gaussian.scales(m) = length > 0 ? std::sqrt(length) : 1;
    gaussian.rest(m) = std::max(
        0.0, (moments.squares(m) - leading(m)) / n - mean.tail(mean.size() - width).squaredNorm());
  }
}

// The covariance to start from, and what is added to the diagonal of all.
void start(const GaussianMoments& moments, const Scaled& scaled, double ridge, Gaussian& gaussian,
           Vector& ridges) {
  const Indices first = first_columns(gaussian.widths);
  Vector squares = Vector::Zero(first.back());
  for (const Part& part : scaled.parts) {
    const Vector diagonal = part.second.diagonal();
    for (std::size_t c = 0; c < part.o.size(); ++c)
      squares(part.o[c]) += diagonal(static_cast<Index>(c));
  }
  ridges.resize(first.back());
  for (std::size_t m = 0; m < gaussian.widths.size(); ++m) {
    const Index width = gaussian.widths[m];
    ridges.segment(first[m], width).setConstant(ridge / static_cast<double>(width));
    squares.segment(first[m], width) /= std::max(1.0, moments.counts(static_cast<Index>(m)));
  }
  gaussian.mean = Vector::Zero(first.back());
  gaussian.sigma = (squares + ridges).asDiagonal();
}

}  // namespace

Gaussian fit_gaussian(const GaussianMoments& moments, const Indices& widths, double ridge) {
  Gaussian gaussian;
  gaussian.widths = widths;
  describe_views(moments, gaussian);
  Scaled scaled = scaled_parts(moments, gaussian);
  Vector ridges;
  start(moments, scaled, ridge, gaussian, ridges);
  std::vector<Part>& parts = scaled.parts;
  const Index R = ridges.size();
  double N = 0;
  for (const Part& part : parts) N += part.count;
  const auto mean_of_completed = [&] {
    Vector sum = Vector::Zero(R);
    for (const Part& part : parts) {
      sum(part.o) += part.sum;
      if (!part.h.empty()) sum(part.h) += part.completed_sum();
    }
    return Vector(sum / N);
  };
  Matrix sigma = gaussian.sigma;
  for (;; ++gaussian.iterations) {
    const auto factored = linalg::Cholesky::factor(sigma);
    if (!factored) break;  // the ridge is too small for this covariance: keep what we have
    const Matrix precision = factored->inverse();
    gaussian.sigma = sigma;
    gaussian.mean = mean_of_completed();
    sigma.setZero();
    double change = 0, norm = 0;
    for (Part& part : parts) {
      norm += part.second.trace();
      if (part.h.empty()) continue;
      const auto block = linalg::Cholesky::factor(submatrix(precision, part.h, part.h));
      if (!block) continue;  // rounding: a principal block of a positive definite matrix
      const Matrix B = -block->solve(submatrix(precision, part.h, part.o));
      const Vector mean_h = gaussian.mean(part.h), mean_o = gaussian.mean(part.o);
      const Vector a = mean_h - B * mean_o;
      change += squared_norm(part, a - part.a, B - part.B);
      norm += squared_norm(part, a, B);
      part.a = a;
      part.B = B;
      sigma(part.h, part.h) += part.count * block->inverse();
    }
    const bool settled =
        gaussian.iterations > 0 && std::max(0.0, change) <= tolerance * tolerance * norm;
    if (settled || gaussian.iterations == most_iterations) break;
    for (const Part& part : parts) part.add_second(sigma);
    const Vector mean = mean_of_completed();
    sigma = sigma / N - mean * mean.transpose();
    sigma.diagonal() += ridges;
  }
  return gaussian;
}

GaussianCompletion::GaussianCompletion(Gaussian gaussian, const std::vector<Pattern>& patterns)
    : gaussian_(std::move(gaussian)) {
  for (const Pattern& has : patterns) readings_.emplace(has, reading_of(has));
}

GaussianCompletion::Reading GaussianCompletion::reading_of(const Pattern& has) const {
  const Indices o = columns_where(has, gaussian_.widths, true);
  const Indices h = columns_where(has, gaussian_.widths, false);
  Reading reading;
  reading.variance = Vector::Zero(std::ssize(has));
  if (h.empty()) return reading;
  const Vector mean_h = gaussian_.mean(h), mean_o = gaussian_.mean(o);
  // B = Sigma_ho Sigma_oo^-1; what stays open is Sigma_hh - B Sigma_oh
  Matrix open = submatrix(gaussian_.sigma, h, h);
  reading.B = Matrix::Zero(std::ssize(h), std::ssize(o));
  if (const auto factor = linalg::Cholesky::factor(submatrix(gaussian_.sigma, o, o));
      factor && !o.empty()) {
    const Matrix Sigma_oh = submatrix(gaussian_.sigma, o, h);
    reading.B = factor->solve(Sigma_oh).transpose();
    open -= linalg::multiply(reading.B, Sigma_oh);
  }
  reading.a = mean_h - reading.B * mean_o;
  Index first = 0;
  for (std::size_t m = 0; m < has.size(); ++m)
    if (!has[m]) {
      const auto view = static_cast<Index>(m);
      const Index width = gaussian_.widths[m];
      const double left = open.diagonal().segment(first, width).cwiseMax(0).sum();
      reading.variance(view) = left * std::pow(gaussian_.scales(view), 2) + gaussian_.rest(view);
      first += width;
    }
  return reading;
}

Features GaussianCompletion::complete(const Rows& rows, Matrix* variance) const {
  Features completed = rows.features;
  const Indices& widths = gaussian_.widths;
  if (variance != nullptr) *variance = Matrix::Zero(rows.size(), rows.n_views());
  for (const auto& [has, samples] : view_patterns(rows.has)) {
    const auto known = readings_.find(has);
    const Reading reading = known != readings_.end() ? known->second : reading_of(has);
    if (reading.a.size() == 0) continue;
    const auto count = std::ssize(samples);
    Matrix X(count, reading.B.cols());
    Index first = 0;
    for (std::size_t m = 0; m < has.size(); ++m)
      if (has[m]) {
        const auto view = static_cast<Index>(m);
        X.middleCols(first, widths[m]) =
            (rows.features[m](samples, Eigen::seqN(0, widths[m])).rowwise() -
             gaussian_.means[m].head(widths[m]).transpose()) /
            gaussian_.scales(view);
        first += widths[m];
      }
    Matrix missing = linalg::multiply_nt(X, reading.B);
    missing.rowwise() += reading.a.transpose();
    first = 0;
    for (std::size_t m = 0; m < has.size(); ++m)
      if (!has[m]) {
        const auto view = static_cast<Index>(m);
        Matrix own = gaussian_.means[m].transpose().replicate(count, 1);
        own.leftCols(widths[m]) += gaussian_.scales(view) * missing.middleCols(first, widths[m]);
        completed[m](samples, Eigen::all) = own;
        if (variance != nullptr) (*variance)(samples, view).setConstant(reading.variance(view));
        first += widths[m];
      }
  }
  return completed;
}

Features GaussianCompletion::complete_with_means(const Rows& rows, Matrix& variance) const {
  Features completed = rows.features;
  variance = Matrix::Zero(rows.size(), rows.n_views());
  for (Index m = 0; m < rows.n_views(); ++m)
    for (Index i = 0; i < rows.size(); ++i)
      if (!rows.has(i, m)) {
        completed[at(m)].row(i) = gaussian_.means[at(m)].transpose();
        variance(i, m) = gaussian_.scales(m) * gaussian_.scales(m) + gaussian_.rest(m);
      }
  return completed;
}

}  // namespace mkc::factor
