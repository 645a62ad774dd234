#include "select/missingness.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"

namespace mkc {

namespace {

constexpr Index directions = 4;  // of a view
constexpr Index most_views = 8;  // others that a model looks at: those with the most samples
constexpr int folds = 5;
constexpr Index neighbours = 3;
constexpr double ridge = 5;  // on features of unit variance
constexpr double least_auc = 0.6, level = 0.02;
constexpr Index fewest = 10;  // samples with the view, and without

// What one view shows of its samples: the span of the leading eigenvectors of the centred kernel,
// and the logarithm of the mean squared distance to the nearest neighbours; both of unit variance.
struct Shown {
  Matrix span;      // (n_m, directions), or empty where the kernel has a lower rank
  Vector distance;  // (n_m)
};

Matrix centred(const MatrixRef& K) {
  const Vector mean = K.rowwise().mean();
  Matrix C = K;
  C.colwise() -= mean;
  C.rowwise() -= mean.transpose();
  return C.array() + mean.mean();
}

// Orthogonal iteration. Starting vectors are keyed by sample, so that their order does not matter.
Matrix leading_span(const MatrixRef& K, const Indices& rows, const Strings& samples) {
  constexpr int rounds = 8;
  const Matrix C = centred(K);
  Matrix Q(C.rows(), directions);
  for (Index i = 0; i < Q.rows(); ++i) {
    Random random(0, samples[at(rows[at(i)])], "directions");
    for (Index k = 0; k < directions; ++k) Q(i, k) = random.normal();
  }
  for (int round = 0; round < rounds; ++round) {
    Q = linalg::multiply(C, Q);
    const auto factor = linalg::Cholesky::factor(Q.transpose() * Q);
    if (!factor) return {};
    Q = linalg::multiply(Q, factor->whitening());
  }
  return Q * std::sqrt(static_cast<double>(Q.rows()));
}

Vector of_unit_variance(Vector x) {
  x.array() -= x.mean();
  const double variance = x.squaredNorm() / static_cast<double>(x.size());
  return variance > 1e-12 ? Vector(x / std::sqrt(variance)) : Vector(Vector::Zero(x.size()));
}

Vector neighbour_distances(const MatrixRef& K) {
  const Index n = K.rows(), k = std::min(neighbours, n - 1);
  Vector distances(n);
  for (Index i = 0; i < n; ++i) {
    Vector d = K.diagonal().array() + K(i, i) - 2 * K.col(i).array();
    d(i) = d(n - 1);
    std::nth_element(d.data(), d.data() + k - 1, d.data() + n - 1);
    distances(i) = std::log(std::max(d.head(k).mean(), 1e-12 * std::abs(K(i, i)) + 1e-300));
  }
  return of_unit_variance(distances);
}

std::vector<Shown> what_views_show(const Problem& problem) {
  std::vector<Shown> views;
  for (const auto& view : problem.views()) {
    views.emplace_back();
    if (std::ssize(view.rows) <= 2 * directions) continue;
    views.back() = {leading_span(view.block, view.rows, problem.samples()),
                    neighbour_distances(view.block)};
  }
  return views;
}

// (N, features): a constant, the directions of other views and the mean neighbour distance there.
Matrix features_of(const Problem& problem, const std::vector<Shown>& shown, Index m) {
  Indices others;
  for (Index l = 0; l < problem.n_views(); ++l)
    if (l != m && shown[at(l)].distance.size() > 0) others.push_back(l);
  std::stable_sort(others.begin(), others.end(), [&](Index a, Index b) {
    return problem.view(a).rows.size() > problem.view(b).rows.size();
  });
  others.resize(std::min(others.size(), at(most_views)));
  const Index N = problem.n_samples();
  Matrix X = Matrix::Zero(N, 2 + directions * std::ssize(others));
  X.col(0).setOnes();
  Vector count = Vector::Zero(N);
  for (std::size_t k = 0; k < others.size(); ++k) {
    const Indices& rows = problem.view(others[k]).rows;
    const Shown& view = shown[at(others[k])];
    for (Index i = 0; i < std::ssize(rows); ++i) {
      const Index t = rows[at(i)];
      X(t, 1) += view.distance(i);
      ++count(t);
      if (view.span.size() > 0)
        X.row(t).segment(2 + directions * static_cast<Index>(k), directions) = view.span.row(i);
    }
  }
  X.col(1).array() /= count.array().max(1);
  return X;
}

// Maximises sum_t log p(y_t | x_t' b) - ridge/2 |b|^2 by Newton's method; the constant is not
// penalised.
Vector logistic_fit(const Matrix& X, const Vector& y, const Vector& counts) {
  constexpr int rounds = 12;
  Vector b = Vector::Zero(X.cols());
  for (int round = 0; round < rounds; ++round) {
    const Vector p = 1 / (1 + (-(X * b).array()).exp());
    const Vector curvature = counts.array() * (p.array() * (1 - p.array())).max(1e-6);
    Matrix H = X.transpose() * curvature.asDiagonal() * X;
    Vector gradient = X.transpose() * counts.cwiseProduct(y - p);
    H.diagonal().tail(X.cols() - 1).array() += ridge;
    gradient.tail(X.cols() - 1) -= ridge * b.tail(X.cols() - 1);
    H(0, 0) += 1e-9;
    const auto factor = linalg::Cholesky::factor(H);
    if (!factor) break;
    const Vector step = factor->solve(gradient);
    b += step;
    if (step.norm() < 1e-6 * (1 + b.norm())) break;
  }
  return b;
}

// Pairs of a fold that are in the right order, how many there are, and the variance if labels are
// random.
struct RankSum {
  double right = 0, pairs = 0, variance = 0;
};

RankSum rank_sum(const std::vector<std::pair<double, bool>>& scored) {
  RankSum sum;
  double lacking = 0, having = 0;
  for (const auto& [score, lacks] : scored) {
    (lacks ? lacking : having) += 1;
    if (!lacks) continue;
    for (const auto& [other, other_lacks] : scored)
      if (!other_lacks) sum.right += score > other ? 1 : score == other ? 0.5 : 0;
  }
  sum.pairs = lacking * having;
  sum.variance = sum.pairs * (lacking + having + 1) / 12;
  return sum;
}

Missingness model_of(const Problem& problem, const Matrix& X, Index m, const std::vector<int>& fold,
                     double n_tests) {
  const Index N = problem.n_samples();
  Vector lacks(N), scores(N);
  for (Index t = 0; t < N; ++t) lacks(t) = problem.observed()(t, m) ? 0 : 1;
  RankSum all;
  for (int f = 0; f < folds; ++f) {
    Vector counts(N);
    for (Index t = 0; t < N; ++t) counts(t) = fold[at(t)] == f ? 0 : 1;
    const Vector b = logistic_fit(X, lacks, counts);
    std::vector<std::pair<double, bool>> scored;
    for (Index t = 0; t < N; ++t)
      if (fold[at(t)] == f) {
        scores(t) = X.row(t).dot(b);
        scored.emplace_back(scores(t), lacks(t) > 0);
      }
    const RankSum sum = rank_sum(scored);
    all.right += sum.right;
    all.pairs += sum.pairs;
    all.variance += sum.variance;
  }
  Missingness model;
  model.odds = Vector::Ones(N);
  if (!(all.pairs > 0)) return model;
  model.auc = all.right / all.pairs;
  const double z = (all.right - all.pairs / 2) / std::sqrt(all.variance);
  model.p_value = std::erfc(z / std::sqrt(2.0)) / 2;
  model.predictable = model.auc >= least_auc && model.p_value * n_tests < level;
  if (model.predictable) model.odds = scores.array().min(5.0).max(-5.0).exp();
  return model;
}

}  // namespace

std::vector<Missingness> model_missingness(const Problem& problem) {
  const Index N = problem.n_samples(), M = problem.n_views();
  std::vector<int> fold;
  for (Index t = 0; t < N; ++t)
    fold.push_back(static_cast<int>(Random(0, problem.samples()[at(t)], "missing").below(folds)));
  const auto enough = [&](Index m) {
    return std::ssize(problem.missing(m)) >= fewest && std::ssize(problem.view(m).rows) >= fewest;
  };
  double n_tests = 0;
  for (Index m = 0; m < M; ++m) n_tests += enough(m);
  std::vector<Missingness> models(at(M));
  for (auto& model : models) model.odds = Vector::Ones(N);
  if (n_tests == 0) return models;
  const std::vector<Shown> shown = what_views_show(problem);
  for (Index m = 0; m < M; ++m)
    if (enough(m))
      models[at(m)] = model_of(problem, features_of(problem, shown, m), m, fold, n_tests);
  return models;
}

double mean_under_bias(Vector errors, double gamma) {
  if (errors.size() == 0) return 0;
  std::sort(errors.begin(), errors.end());
  double sum = errors.sum(), weight = static_cast<double>(errors.size()), largest = sum / weight;
  for (Index t = errors.size() - 1; t >= 0; --t) {  // the largest errors weigh gamma, the others 1
    sum += (gamma - 1) * errors(t);
    weight += gamma - 1;
    largest = std::max(largest, sum / weight);
  }
  return largest;
}

}  // namespace mkc
