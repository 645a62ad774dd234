#pragma once

#include "factor/rows.hpp"

namespace mkc::factor {

/// How the other views' features become the g of a regression.
struct Shape {
  double gamma = 0.5;  // g = exp(-gamma D / mean D); 0: sum_l w_l z_l(x)'z_l(a); + a constant
  std::vector<double> ridges = {0.02};  // one is chosen per view by leave-one-out
};

/// Samples with completed features at which every regression of a round has its g, and their
/// features' place among the views: D_m(x, a) = sum_l w_ml |z_l(x) - z_l(a)|^2.
struct Anchors {
  Features features;  // per view (L, r_m)
  Matrix weights;     // (M, M) w_ml, rows sum to 1, divided by the mean k_ii of view l
  Index count() const { return features.front().rows(); }
};

/// Squared distances to the anchors per view, once for the regressions of all views and for all
/// regressions that start from the same completed rows: these have the same anchors.
class AnchorDistances {
 public:
  AnchorDistances(const Anchors& anchors, const Features& rows);

  /// g of the regression of view m for the chosen rows: (chosen, L).
  Matrix g(Index m, const Indices& rows, double gamma, double mean_distance) const;

  /// g(x, x) of these rows.
  Vector own(Index m, const Indices& rows, double gamma) const;

 private:
  const Anchors& anchors_;
  std::vector<Matrix> distances_;   // per view (n, L)
  std::vector<Vector> lengths_;     // per view (n) |z|^2
  std::vector<Vector> of_anchors_;  // per view (L)
};

/// What a later pass adds up, per view: over the samples that have it,
/// sum g g' (L, L), its lower triangle, sum g phi' (L, r), their number and sum |phi|^2.
struct RegressionSums {
  std::vector<Matrix> gg, gy;
  Vector counts, squares;  // (M)

  void add(const RegressionSums& other);
};

/// Regression of one view on g: dense `transfer` where the anchors are all samples.
///
/// With psi = P'g, P = G_LL^-1/2, A = sum psi psi' + ridge I:
///
///   phi^ = g'P A^-1 P' sum g phi',     v = s (g_tt - g'P (I - ridge A^-1) P'g)
///
/// where g_tt - psi'psi is what the anchors cannot express and ridge psi'A^-1 psi what the data
/// leave open. s is the mean squared leave-one-out residual over the mean of v / s on rows of the
/// sample, e / (1 - h) and g_tt - psi'psi + ridge h / (1 - h) with h = psi'A^-1 psi.
struct ViewRegression {
  double mean_distance = 1;
  double ridge = 0;
  Matrix coefficients;  // (L, r)
  Matrix explained;     // (L, L) P (I - ridge A^-1) P'
  double residual = 0;  // s
};

struct Regressions {
  Anchors anchors;
  Shape shape;
  std::vector<double> mean_distances;  // per view
  std::vector<ViewRegression> views;   // empty until fitted
};

/// Mean of D_m over the pairs of the sample.
double mean_distance(const Features& sample, const Vector& weights);

/// Adds some rows; `distances` of these rows as the stage before completes them.
void add_sums(const Regressions& regressions, const Rows& rows, const AnchorDistances& distances,
              RegressionSums& sums);

/// `sample`: rows that are part of `sums`, for leave-one-out; where they are `counted`. Otherwise
/// residuals come from the sums, by generalised cross-validation.
void fit_regressions(const RegressionSums& sums, const Rows& sample, const Features& completed,
                     bool counted, int threads, Regressions& regressions);

/// What is asked of a stage, per view.
struct Asked {
  std::vector<bool> features, variances;

  static Asked everything(Index n_views, bool variances);
  bool anything() const;
};

/// Missing features of the views asked for, from those of the stage before; those of other views
/// are as before. `variance` (n, M): 0 where observed or not asked for.
Features complete(const Regressions& regressions, const Rows& rows, const Features& before,
                  const AnchorDistances& distances, const Asked& asked, Matrix& variance);

/// w_ml = (leave-one-out distance of view m predicted from view l alone, on common samples of at
/// most some hundred)^(-3/2), rows summing to 1: `weights=loo` of dense `transfer`. scales (M):
/// mean k_ii.
Matrix source_weights(const Rows& sample, const Vector& scales, double gamma, double ridge,
                      int threads);

}  // namespace mkc::factor
