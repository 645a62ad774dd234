#include "advise/joint_model.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "methods/shared/log_domain.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"
#include "problem/view_patterns.hpp"

namespace mkc::advice {

namespace {

constexpr double ridge = 0.1;      // of the joint covariance, relative, as the default of `latent`
constexpr double tiny = 1e-9;      // eigenvalue, relative to the largest, of a feature
constexpr double equal = 1e-6;     // eigenvalues this close (relative) span one space
constexpr Index most_joint = 120;  // features of all views together: more are slow and add little
constexpr Index most_per_view = 30;
constexpr Index many_samples = 10000;

// Features per view: an eighth of the samples, so that moments are well determined; in large
// problems fewer, because all samples are read at every step.
Index wanted_width(Index n_samples, Index n_views) {
  const Index joint = n_samples > many_samples ? most_joint / 2 : most_joint;
  const Index room = std::max<Index>(4, joint / std::max<Index>(1, n_views));
  return std::clamp<Index>(n_samples / 8, 2, std::min(room, most_per_view));
}

// Equal eigenvalues have arbitrary vectors: the cut is moved down to a gap.
Index cut(const Vector& descending, Index most) {
  Index kept = 0;
  while (kept < descending.size() && kept < most && descending(kept) > tiny * descending(0)) ++kept;
  const auto gap = [&](Index r) {
    return r == descending.size() || descending(r - 1) - descending(r) > equal * descending(r - 1);
  };
  Index r = kept;
  while (r > 1 && !gap(r)) --r;
  return r > 1 || gap(1) ? r : kept;
}

// F = V sqrt(Lambda) of the centred kernel (n, r), and the sum of all its eigenvalues.
Matrix principal_features(const MatrixRef& K, Index most, double* whole) {
  const Matrix gram = kernel_gram(K);
  *whole = std::max(0.0, gram.trace());
  if (!(*whole > 1e-14 * K.trace())) return Matrix::Zero(K.rows(), 1);  // all rows are equal
  const Index asked = std::min<Index>(K.rows(), most + 1);              // one more, to see a gap
  const linalg::Eigh eigen = linalg::eigh_largest(gram, asked);
  const Vector values = eigen.values.reverse().cwiseMax(0);
  const Index r = cut(values, most);
  return eigen.vectors.rightCols(r).rowwise().reverse() * values.head(r).cwiseSqrt().asDiagonal();
}

// The observed rows, centred and turned to their principal axes (n, at most `most`).
Matrix turned_features(const Matrix& F, const Indices& rows, Index most, double* whole) {
  Matrix X = F(rows, Eigen::all);
  const Eigen::RowVectorXd mean = X.colwise().mean();
  X.rowwise() -= mean;
  const Matrix S = linalg::gram_of_columns(X);
  *whole = S.trace();
  if (!(*whole > 1e-14 * F.squaredNorm())) return Matrix::Zero(X.rows(), 1);
  const linalg::Eigh eigen = linalg::eigh(S);
  const Index r = cut(eigen.values.reverse().cwiseMax(0), most);
  return linalg::multiply(X, eigen.vectors.rightCols(r).rowwise().reverse());
}

/// The features of the observed rows of every view, 0 elsewhere, and the model of them.
template <class FeaturesOf>
JointModel modelled(const Mask& observed, Strings samples, Strings views, int threads,
                    const FeaturesOf& features_of) {
  const Index N = observed.rows(), M = observed.cols();
  factor::Rows rows{std::vector<Matrix>(at(M)), observed};
  Indices widths(at(M));
  Vector kept = Vector::Ones(M);
  parallel_for(M, threads, [&](Index m) {
    Indices I;
    for (Index i = 0; i < N; ++i)
      if (observed(i, m)) I.push_back(i);
    double whole = 0;
    const Matrix F = features_of(m, I, wanted_width(std::ssize(I), M), &whole);
    rows.features[at(m)] = Matrix::Zero(N, F.cols());
    for (std::size_t i = 0; i < I.size(); ++i)
      rows.features[at(m)].row(I[i]) = F.row(static_cast<Index>(i));
    widths[at(m)] = F.cols();
    if (whole > 0) kept(m) = std::min(1.0, F.squaredNorm() / whole);
  });
  JointModel model = joint_model(rows, widths, std::move(samples), std::move(views));
  model.kept = kept;
  return model;
}

}  // namespace

JointModel joint_model(const factor::Rows& rows, const Indices& widths, Strings samples,
                       Strings views) {
  factor::GaussianMoments moments;
  moments.add(rows, widths);
  const factor::Gaussian gaussian = factor::fit_gaussian(moments, widths, ridge);
  std::vector<factor::Pattern> patterns;
  for (const ViewPattern& pattern : view_patterns(rows.has)) patterns.push_back(pattern.has);
  const factor::Features completed = factor::GaussianCompletion(gaussian, patterns).complete(rows);

  JointModel model{
      rows.has,        {}, {0}, gaussian.sigma, Vector::Ones(rows.n_views()), std::move(samples),
      std::move(views)};
  for (const Index width : widths) model.first.push_back(model.first.back() + width);
  model.X.resize(rows.size(), model.first.back());
  for (Index m = 0; m < rows.n_views(); ++m) {
    const Index width = widths[at(m)];
    // x = (phi - mean) / scale, the unit in which sigma is
    model.X.middleCols(model.first[at(m)], width) =
        (completed[at(m)].leftCols(width).rowwise() -
         gaussian.means[at(m)].head(width).transpose()) /
        gaussian.scales(m);
    const double leading = gaussian.scales(m) * gaussian.scales(m);
    if (leading + gaussian.rest(m) > 0) model.kept(m) = leading / (leading + gaussian.rest(m));
  }
  return model;
}

JointModel joint_model(const Problem& problem, int threads) {
  Strings views;
  for (const auto& view : problem.views()) views.push_back(view.name);
  return modelled(problem.observed(), problem.samples(), std::move(views), threads,
                  [&](Index m, const Indices&, Index most, double* whole) {
                    return principal_features(problem.view(m).block, most, whole);
                  });
}

JointModel joint_model(const std::vector<Matrix>& features, const Mask& observed, Strings samples,
                       Strings views, int threads) {
  return modelled(observed, std::move(samples), std::move(views), threads,
                  [&](Index m, const Indices& rows, Index most, double* whole) {
                    return turned_features(features[at(m)], rows, most, whole);
                  });
}

}  // namespace mkc::advice
