#include "advise/joint_model.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "methods/shared/log_domain.hpp"
#include "numeric/linalg/eigh.hpp"
#include "problem/view_patterns.hpp"

namespace mkc::advice {

namespace {

constexpr double ridge = 0.1;      // of the joint covariance, relative, as the default of `latent`
constexpr double tiny = 1e-9;      // eigenvalue, relative to the largest, of a feature
constexpr double equal = 1e-6;     // eigenvalues this close (relative) span one space
constexpr Index most_joint = 120;  // features of all views together: more are slow and add little
constexpr Index most_per_view = 30;

// Features per view: an eighth of the samples, so that moments are well determined.
Index wanted_width(Index n_samples, Index n_views) {
  const Index room = std::max<Index>(4, most_joint / std::max<Index>(1, n_views));
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
  const Index N = problem.n_samples(), M = problem.n_views();
  factor::Rows rows{std::vector<Matrix>(at(M)), problem.observed()};
  Indices widths(at(M));
  Vector kept = Vector::Ones(M);
  parallel_for(M, threads, [&](Index m) {
    const Indices& I = problem.view(m).rows;
    double whole = 0;
    const Matrix F =
        principal_features(problem.view(m).block, wanted_width(std::ssize(I), M), &whole);
    rows.features[at(m)] = Matrix::Zero(N, F.cols());
    for (std::size_t i = 0; i < I.size(); ++i)
      rows.features[at(m)].row(I[i]) = F.row(static_cast<Index>(i));
    widths[at(m)] = F.cols();
    if (whole > 0) kept(m) = std::min(1.0, F.squaredNorm() / whole);
  });
  Strings views;
  for (const auto& view : problem.views()) views.push_back(view.name);
  JointModel model = joint_model(rows, widths, problem.samples(), std::move(views));
  model.kept = kept;
  return model;
}

}  // namespace mkc::advice
