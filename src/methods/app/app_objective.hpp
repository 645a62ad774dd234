#pragma once

#include "methods/shared/reconstruction.hpp"

/// The objective of the method `app` (formula in app.hpp) and its parts. In this folder
/// T_m (n_m, |U_m|) are the weights of the samples U_m that view m lacks.
namespace mkc::approx {

/// One view as the solver needs it; nothing here changes during a solve.
struct View {
  SharedMatrix K;         // (n, n) observed block
  Matrix K2;              // K K
  Indices rows, missing;  // I_m and U_m
  double b = 0;           // weight of its between-view loss, c1 included
  double sigma = 0;       // ridge on row m of S
  double scale = 1;       // largest row norm of T at the reference weights, to compare rows with
};

/// Weights, the kernels they give and the relations that are best for these.
struct Point {
  std::vector<Matrix> T;
  Matrix X;     // (N*N, M): column m is X_m
  Matrix gram;  // (M, M): <X_m, X_l>
  Matrix S;     // (M, M)
};

struct Terms {
  double between = 0, ridge = 0, l21 = 0;
  double total() const { return between + ridge + l21; }
};

/// What block m is compared with: with everything but T fixed the objective is, up to a constant,
///   q (2 ||KT - C_IU||^2 + ||T'KT - C_UU||^2) + penalty ||T||_2,1.
struct Target {
  double q = 0;
  Matrix C_IU, C_UU;
};

/// T with the products that value, gradient and step are made of.
struct Block {
  Matrix T, KT, TKT;
};

class Objective {
 public:
  /// `problem` has unit mean diagonals; `reference` (A_m per view) gives sigma_m and View::scale.
  Objective(const Problem& problem, double c1, double c2, double tau, const Weights& reference,
            LossScaling scaling = LossScaling::unit);

  Index n_views() const { return static_cast<Index>(views_.size()); }
  const View& view(Index m) const { return views_[at(m)]; }
  double penalty() const { return penalty_; }  // c2 / N, or c2

  /// The weights with their kernels and the best relations.
  Point evaluated(std::vector<Matrix> T) const;

  /// T_m <- block.T, and X_m with it; S and the Gram matrix stay as they are.
  void set_block(Index m, Block block, Point& point) const;

  /// The Gram matrix of the kernels, and row by row the S that minimises the objective.
  void minimise_relations(Point& point) const;

  Terms terms(const Point& point) const;  // for the kernels of which point.gram is the Gram matrix

  Target target(const Point& point, Index m) const;
  Block block(const Point& point, Index m) const;  // read off X_m

  /// Distance of 0 to the subdifferential by all T, relative to the smooth gradient at T = 0:
  /// sqrt(sum_m dist_m^2) / sqrt(sum_m (4 q_m ||K_m C_IU||)^2). S is at its minimum.
  double residual(const Point& point) const;

 private:
  Eigen::Map<const Matrix> kernel(const Point& point, Index m) const {
    return {point.X.col(m).data(), n_samples_, n_samples_};
  }

  Index n_samples_;
  double penalty_;
  std::vector<View> views_;
};

/// The columns of A_m that belong to missing samples, for every view; and back, with A_II = I.
std::vector<Matrix> missing_columns(const Problem& problem, const Weights& weights);
Weights full_weights(const Problem& problem, const std::vector<Matrix>& T);

Block make_block(const View& view, Matrix T);

/// The gradient of the smooth part, 4q (K (KT - C_IU) + KT (T'KT - C_UU)).
Matrix smooth_gradient(const View& view, const Block& block, const Target& target);

}  // namespace mkc::approx
