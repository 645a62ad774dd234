#include "select/missingness.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "select/neighbours.hpp"

namespace mkc {

namespace {

constexpr Index directions = 4;  // of a view
constexpr Index most_views = 8;  // others that a model looks at: those with the most samples
constexpr int folds = 5;
constexpr double ridge_of_directions = 20, ridge_of_distance = 1;  // on features of unit variance
constexpr double least_auc = 0.6, level = 0.05;
constexpr Index fewest = 15;  // samples with the view, and without

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

// Per view: the span of the leading eigenvectors of the centred kernel (n_m, directions), of unit
// variance; empty where the view has few samples or its kernel a lower rank.
std::vector<Matrix> leading_spans(const Problem& problem) {
  std::vector<Matrix> spans;
  for (const auto& view : problem.views()) {
    spans.emplace_back();
    if (std::ssize(view.rows) > 2 * directions)
      spans.back() = leading_span(view.block, view.rows, problem.samples());
  }
  return spans;
}

// (N, features): a constant, the mean neighbour distance in the other views and their directions.
Matrix features_of(const Problem& problem, const Matrix& distances,
                   const std::vector<Matrix>& spans, Index m) {
  Indices others;
  for (Index l = 0; l < problem.n_views(); ++l)
    if (l != m && spans[at(l)].size() > 0) others.push_back(l);
  std::stable_sort(others.begin(), others.end(), [&](Index a, Index b) {
    return problem.view(a).rows.size() > problem.view(b).rows.size();
  });
  others.resize(std::min(others.size(), at(most_views)));
  const Index N = problem.n_samples();
  Matrix X = Matrix::Zero(N, 2 + directions * std::ssize(others));
  X.col(0).setOnes();
  for (Index t = 0; t < N; ++t)
    X(t, 1) = mean_over(distances, t, other_views(problem.observed(), t, m));
  for (Index k = 0; k < std::ssize(others); ++k)
    X(problem.view(others[at(k)]).rows, Eigen::seqN(2 + directions * k, directions)) =
        spans[at(others[at(k)])];
  return X;
}

// Maximises sum_t log p(y_t | x_t' b) - sum_j ridge_j b_j^2 / 2 by Newton's method; the constant is
// not penalised.
Vector logistic_fit(const Matrix& X, const Vector& y, const Vector& counts) {
  constexpr int rounds = 12;
  Vector b = Vector::Zero(X.cols());
  Vector ridge = Vector::Constant(X.cols(), ridge_of_directions);
  ridge(0) = 1e-9;
  ridge(1) = ridge_of_distance;
  for (int round = 0; round < rounds; ++round) {
    const Vector p = 1 / (1 + (-(X * b).array()).exp());
    const Vector curvature = counts.array() * (p.array() * (1 - p.array())).max(1e-6);
    Matrix H = X.transpose() * curvature.asDiagonal() * X;
    H.diagonal() += ridge;
    const Vector gradient = X.transpose() * counts.cwiseProduct(y - p) - ridge.cwiseProduct(b);
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

Missingness model_of(const Problem& problem, const Matrix& X, Index m,
                     const std::vector<int>& fold) {
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
  model.odds = scores.array().min(5.0).max(-5.0).exp();
  return model;
}

// Which views are predictable, by Holm's procedure over those that were tested.
void decide(std::vector<Missingness>& models) {
  std::vector<Missingness*> tested;
  for (auto& model : models)
    if (!std::isnan(model.p_value)) tested.push_back(&model);
  std::stable_sort(tested.begin(), tested.end(),
                   [](const auto* a, const auto* b) { return a->p_value < b->p_value; });
  for (std::size_t k = 0; k < tested.size(); ++k) {
    if (tested[k]->p_value * static_cast<double>(tested.size() - k) > level) break;
    tested[k]->predictable = tested[k]->auc >= least_auc;
  }
}

}  // namespace

std::vector<Missingness> model_missingness(const Problem& problem, const Matrix& distances) {
  const Index N = problem.n_samples(), M = problem.n_views();
  std::vector<int> fold;
  for (Index t = 0; t < N; ++t)
    fold.push_back(static_cast<int>(Random(0, problem.samples()[at(t)], "missing").below(folds)));
  const auto enough = [&](Index m) {
    return std::ssize(problem.missing(m)) >= fewest && std::ssize(problem.view(m).rows) >= fewest;
  };
  std::vector<Missingness> models(at(M));
  std::vector<Matrix> spans;
  for (Index m = 0; m < M; ++m) {
    models[at(m)].odds = Vector::Ones(N);
    if (!enough(m)) continue;
    if (spans.empty()) spans = leading_spans(problem);
    models[at(m)] = model_of(problem, features_of(problem, distances, spans, m), m, fold);
  }
  decide(models);
  for (auto& model : models)
    if (!model.predictable) model.odds.setOnes();
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
