#include "factor/regression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "methods/shared/conditional.hpp"
#include "methods/shared/relations.hpp"
#include "methods/shared/source_kernel.hpp"
#include "numeric/blocks.hpp"
#include "numeric/exponential.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc::factor {

namespace {

constexpr double constant = 10;        // added to g: weights of a sample sum to about 1
constexpr double independent = 1e-13;  // eigenvalues of G_LL below this share are rounding
constexpr double well_apart = 1e-7;
constexpr double weight_power = 3;
constexpr Index most_left_out = 1500;       // rows on which ridges are compared
constexpr std::size_t most_compared = 500;  // samples on which two views are compared
constexpr double tiny = std::numeric_limits<double>::min();

Indices rows_where(const Mask& has, Index m, bool wanted) {
  Indices rows;
  for (Index i = 0; i < has.rows(); ++i)
    if (has(i, m) == wanted) rows.push_back(i);
  return rows;
}

// P with P P' = G_LL^-1: by Cholesky where the anchors are well apart, else U D^-1/2.
Matrix whitening(const Matrix& G) {
  if (const auto factor = linalg::Cholesky::factor(G);
      factor && factor->smallest_share() > well_apart)
    return factor->whitening();
  const linalg::Eigh pairs = linalg::eigh(G);
  const Index n = G.rows();
  Index kept = 0;
  while (kept < n && pairs.values(n - 1 - kept) > independent * pairs.values(n - 1)) ++kept;
  return pairs.vectors.rightCols(kept) *
         pairs.values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
}

// Everything about a view's regression that no ridge changes: A = V (S + ridge) V'.
struct Spectrum {
  Matrix PV;       // (L, q) P V
  Vector S;        // (q)
  Matrix rotated;  // (q, r) V'P' sum g phi'
};

Spectrum spectrum_of(const Matrix& G, const Matrix& gg, const Matrix& gy) {
  const Matrix P = whitening(G);
  Matrix ggP(P.rows(), P.cols());
  linalg::symm(1, gg, P, 0, ggP);
  const linalg::Eigh pairs = linalg::eigh(linalg::multiply_tn(P, ggP));
  Spectrum spectrum;
  spectrum.PV = linalg::multiply(P, pairs.vectors);
  spectrum.S = pairs.values.cwiseMax(0);
  spectrum.rotated = linalg::multiply_tn(spectrum.PV, gy);
  return spectrum;
}

// Leave-one-out on rows of the sample: mean squared residual, and mean of what v should be.
struct LeftOut {
  double residual = 0, predicted = 0;
};
struct LeftOutRows {
  Matrix g, squares;  // (n, q) V'P' g of each row, and its squares
  Vector own;         // (n) g_tt
  Matrix phi;         // (n, r)
};
LeftOut leave_out(const Spectrum& spectrum, const LeftOutRows& rows, double ridge) {
  const Vector inverse = (spectrum.S.array() + ridge).inverse();
  const Matrix wrong = rows.phi - linalg::multiply(rows.g, inverse.asDiagonal() * spectrum.rotated);
  const Eigen::ArrayXd h = (rows.squares * inverse).array().min(1 - 1e-9);
  const Eigen::ArrayXd open = (rows.own - rows.squares.rowwise().sum()).array().max(0);
  const double n = std::max<double>(1, static_cast<double>(rows.phi.rows()));
  return {(wrong.rowwise().squaredNorm().array() / (1 - h).square()).sum() / n,
          (open + ridge * h / (1 - h)).sum() / n};
}

// At most `most` of the rows, evenly.
Indices thinned(const Indices& rows, Index most) {
  const Index n = std::ssize(rows);
  if (n <= most) return rows;
  Indices some;
  for (Index k = 0; k < most; ++k) some.push_back(rows[at(k * n / most)]);
  return some;
}

// The same of all rows, from their sums alone: with h = tr(S (S + ridge)^-1) / n the mean of h_i,
//   sum |phi - phi^|^2 = sum |phi|^2 - sum_k |row k of rotated|^2 (S_k + 2 ridge) / (S_k +
//   ridge)^2.
LeftOut leave_out(const Spectrum& spectrum, double own, double count, double squares,
                  double ridge) {
  const double n = std::max(1.0, count);
  const Vector inverse = (spectrum.S.array() + ridge).inverse();
  const Vector gain = (spectrum.S.array() + 2 * ridge) * inverse.array().square();
  const double h = std::min(spectrum.S.dot(inverse) / n, 1 - 1e-9);
  const double left = squares - gain.dot(spectrum.rotated.rowwise().squaredNorm());
  return {std::max(0.0, left) / n / ((1 - h) * (1 - h)),
          std::max(0.0, own - spectrum.S.sum() / n) + ridge * h / (1 - h)};
}

void settle(const Spectrum& spectrum, const LeftOut& out, double ridge, ViewRegression& view) {
  constexpr double all_explained = 1e-10;
  const Vector inverse = (spectrum.S.array() + ridge).inverse();
  view.ridge = ridge;
  view.coefficients = linalg::multiply(spectrum.PV, inverse.asDiagonal() * spectrum.rotated);
  // I - ridge A^-1 = V diag(S / (S + ridge)) V'
  const Vector share = spectrum.S.cwiseProduct(inverse);
  view.explained = linalg::gram_of_rows(spectrum.PV * share.cwiseSqrt().asDiagonal());
  view.residual = out.predicted > all_explained * constant ? out.residual / out.predicted : 0;
}

}  // namespace

// |z - a|^2 = (-2 z, |z|^2, 1)'(a, 1, |a|^2), one product without passes over the result.
AnchorDistances::AnchorDistances(const Anchors& anchors, const Features& rows) : anchors_(anchors) {
  for (std::size_t l = 0; l < rows.size(); ++l) {
    const Matrix &Z = rows[l], &A = anchors.features[l];
    lengths_.emplace_back(Z.rowwise().squaredNorm());
    of_anchors_.emplace_back(A.rowwise().squaredNorm());
    Matrix left(Z.rows(), Z.cols() + 2), right(A.rows(), A.cols() + 2);
    left << -2 * Z, lengths_.back(), Vector::Ones(Z.rows());
    right << A, Vector::Ones(A.rows()), of_anchors_.back();
    distances_.push_back(linalg::multiply_nt(left, right));
  }
}

Matrix AnchorDistances::g(Index m, const Indices& rows, double gamma, double mean) const {
  const double factor = gamma > 0 ? -gamma / mean : -0.5;
  const Vector w = factor * anchors_.weights.row(m).transpose();
  Vector own = Vector::Zero(std::ssize(rows)), of_anchors = Vector::Zero(anchors_.count());
  if (gamma <= 0)  // z'a = -(|z - a|^2 - |z|^2 - |a|^2) / 2
    for (std::size_t l = 0; l < distances_.size(); ++l) {
      own += w(static_cast<Index>(l)) * lengths_[l](rows);
      of_anchors += w(static_cast<Index>(l)) * of_anchors_[l];
    }
  Matrix G(std::ssize(rows), anchors_.count());
  Vector all(lengths_.front().size());
  for (Index a = 0; a < G.cols(); ++a) {  // of all rows, without gaps; a column stays in the cache
    all.setZero();
    for (std::size_t l = 0; l < distances_.size(); ++l)
      if (const double weight = w(static_cast<Index>(l)); weight != 0)
        all += weight * distances_[l].col(a);
    auto g = G.col(a);
    g = all(rows);
    if (gamma > 0) {
      g = g.cwiseMin(0);
      exponentials(g.data(), g.size());
      g.array() += constant;
    } else {
      g.array() += constant - of_anchors(a);
      g -= own;
    }
  }
  return G;
}

Vector AnchorDistances::own(Index m, const Indices& rows, double gamma) const {
  if (gamma > 0) return Vector::Constant(std::ssize(rows), 1 + constant);
  Vector own = Vector::Constant(std::ssize(rows), constant);
  for (std::size_t l = 0; l < lengths_.size(); ++l)
    own += anchors_.weights(m, static_cast<Index>(l)) * lengths_[l](rows);
  return own;
}

void RegressionSums::add(const RegressionSums& other) {
  if (gg.empty()) {
    *this = other;
    return;
  }
  counts += other.counts;
  squares += other.squares;
  for (std::size_t m = 0; m < gg.size(); ++m) {
    gg[m] += other.gg[m];
    gy[m] += other.gy[m];
  }
}

double mean_distance(const Features& sample, const Vector& weights) {
  double squares = 0, square = 0;
  for (std::size_t l = 0; l < sample.size(); ++l) {
    const double w = weights(static_cast<Index>(l));
    squares += w * sample[l].squaredNorm();
    square += w * sample[l].colwise().sum().squaredNorm();
  }
  const auto n = static_cast<double>(sample.front().rows());
  return std::max(2 * (n * squares - square) / std::max(1.0, n * (n - 1)), tiny);
}

void add_sums(const Regressions& regressions, const Rows& rows, const AnchorDistances& distances,
              RegressionSums& sums) {
  const Index L = regressions.anchors.count();
  if (sums.gg.empty()) {
    sums.counts = sums.squares = Vector::Zero(rows.n_views());
    for (const Matrix& F : rows.features) {
      sums.gg.emplace_back(Matrix::Zero(L, L));
      sums.gy.emplace_back(Matrix::Zero(L, F.cols()));
    }
  }
  for (Index m = 0; m < rows.n_views(); ++m) {
    const Indices I = rows_where(rows.has, m, true);
    sums.counts(m) += static_cast<double>(I.size());
    sums.squares(m) += rows.features[at(m)](I, Eigen::all).squaredNorm();
    const Matrix g = distances.g(m, I, regressions.shape.gamma, regressions.mean_distances[at(m)]);
    linalg::add_gram_of_columns(g, sums.gg[at(m)]);
    linalg::gemm(1, g, linalg::Op::transpose, rows.features[at(m)](I, Eigen::all), linalg::Op::none,
                 1, sums.gy[at(m)]);
  }
}

void fit_regressions(const RegressionSums& sums, const Rows& sample, const Features& completed,
                     bool counted, int threads, Regressions& regressions) {
  const AnchorDistances of_anchors(regressions.anchors, regressions.anchors.features);
  const AnchorDistances of_sample(regressions.anchors, completed);
  Indices all(at(regressions.anchors.count()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
  regressions.views.assign(at(sample.n_views()), {});
  parallel_for(sample.n_views(), threads, [&](Index m) {
    const double gamma = regressions.shape.gamma, mean = regressions.mean_distances[at(m)];
    ViewRegression& view = regressions.views[at(m)];
    view.mean_distance = mean;
    Matrix G = of_anchors.g(m, all, gamma, mean);
    G = (G + G.transpose()) / 2;
    const Spectrum spectrum = spectrum_of(G, sums.gg[at(m)], sums.gy[at(m)]);
    LeftOutRows rows;
    if (counted) {
      const Indices I = thinned(rows_where(sample.has, m, true), most_left_out);
      rows.g = linalg::multiply(of_sample.g(m, I, gamma, mean), spectrum.PV);
      rows.squares = rows.g.cwiseAbs2();
      rows.own = of_sample.own(m, I, gamma);
      rows.phi = sample.features[at(m)](I, Eigen::all);
    }
    const double own =
        counted ? 0 : of_sample.own(m, rows_where(sample.has, m, true), gamma).mean();
    LeftOut best{std::numeric_limits<double>::infinity(), 0};
    double chosen = regressions.shape.ridges.front();
    for (const double ridge : regressions.shape.ridges) {
      const LeftOut out = counted
                              ? leave_out(spectrum, rows, ridge)
                              : leave_out(spectrum, own, sums.counts(m), sums.squares(m), ridge);
      if (!(out.residual < best.residual)) continue;
      best = out;
      chosen = ridge;
    }
    settle(spectrum, best, chosen, view);
  });
}

Asked Asked::everything(Index n_views, bool variances) {
  return {std::vector<bool>(at(n_views), true), std::vector<bool>(at(n_views), variances)};
}

bool Asked::anything() const {
  const auto asked = [](const std::vector<bool>& views) {
    return std::find(views.begin(), views.end(), true) != views.end();
  };
  return asked(features) || asked(variances);
}

Features complete(const Regressions& regressions, const Rows& rows, const Features& before,
                  const AnchorDistances& distances, const Asked& asked, Matrix& variance) {
  Features completed = before;
  variance = Matrix::Zero(rows.size(), rows.n_views());
  for (Index m = 0; m < rows.n_views(); ++m) {
    const Indices T = rows_where(rows.has, m, false);
    if (T.empty() || !(asked.features[at(m)] || asked.variances[at(m)])) continue;
    const ViewRegression& view = regressions.views[at(m)];
    const Matrix g = distances.g(m, T, regressions.shape.gamma, view.mean_distance);
    completed[at(m)](T, Eigen::all) = linalg::multiply(g, view.coefficients);
    if (!asked.variances[at(m)]) continue;
    const Vector explained = linalg::multiply(g, view.explained).cwiseProduct(g).rowwise().sum();
    variance(T, m) =
        view.residual * (distances.own(m, T, regressions.shape.gamma) - explained).cwiseMax(0);
  }
  return completed;
}

Matrix source_weights(const Rows& sample, const Vector& scales, double gamma, double ridge,
                      int threads) {
  const Index M = sample.n_views();
  Matrix weights = equal_relations(M);
  if (M < 3) return weights;
  parallel_for(M, threads, [&](Index m) {
    Vector w = Vector::Zero(M);
    for (Index l = 0; l < M; ++l) {
      Indices common;
      for (Index i = 0; i < sample.size() && common.size() < most_compared; ++i)
        if (sample.has(i, m) && sample.has(i, l)) common.push_back(i);
      if (l == m || common.size() < 3) continue;
      const Matrix X = sample.features[at(l)](common, Eigen::all);
      const Matrix Y = sample.features[at(m)](common, Eigen::all);
      const Matrix G =
          std::move(SourceKernel(linalg::gram_of_rows(X) / scales(l), {gamma, true}).G());
      const double error =
          leave_one_out_distance(linalg::gram_of_rows(Y) / scales(m), ridge_inverse(G, ridge));
      w(l) = std::pow(std::max(error, 1e-6), -weight_power / 2);
    }
    if (w.sum() > 0) weights.row(m) = w / w.sum();
  });
  return weights;
}

}  // namespace mkc::factor
