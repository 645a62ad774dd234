#include "methods/transfer/transfer_model.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "base/cancel.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "methods/shared/log_domain.hpp"
#include "methods/shared/pair_sums.hpp"
#include "methods/shared/relations.hpp"
#include "numeric/blocks.hpp"
#include "numeric/exponential.hpp"
#include "problem/view_patterns.hpp"

namespace mkc {

namespace {

constexpr double start_ridge = 0.1;  // of the first guess, through the entrywise mean
constexpr double weight_power = 3;   // w_l = error_l^-3: sharper or flatter is no better
constexpr double most_growth = 3;    // of a row scaled to its diagonal
constexpr double tiny = std::numeric_limits<double>::min();
constexpr double all_explained = 1e-10;     // of the diagonal: a residual below is rounding
constexpr std::size_t most_left_out = 256;  // samples on which errors are measured
constexpr std::size_t most_compared = 300;  // samples on which source views are compared
constexpr Index large = 500;                // samples: all threads work on one view
constexpr Index columns_at_once = 64;

template <class Task>
void for_column_blocks(Index cols, int threads, const Task& task) {
  parallel_for((cols + columns_at_once - 1) / columns_at_once, threads, [&](Index block) {
    const Index first = block * columns_at_once;
    task(block, first, std::min(first + columns_at_once, cols));
  });
}

// Mean of the views that have a pair, at unit mean diagonal; the overall mean where none has it.
Matrix entrywise_mean(const Problem& problem, const Vector& scale) {
  PairSums pairs(problem.n_samples());
  for (Index m = 0; m < problem.n_views(); ++m) pairs.add(problem.view(m), 1 / scale(m));
  return pairs.means(pairs.overall_mean());
}

// The columns of the missing samples, in the order of the problem.
Matrix columns_of(const TransferModel::Order& order, TransferRegression& regression) {
  const auto [size, n, left_out] = order.sizes;
  const Index t = size - n;
  const Index* const samples = order.samples.data();
  const auto K_IT = regression.K_IT();
  const auto K_TT = regression.K_TT();
  Matrix X(size, t);
  for (Index c = 0; c < t; ++c) {
    for (Index i = 0; i < n; ++i) X(samples[i], c) = K_IT(i, c);
    for (Index d = c; d < t; ++d) X(samples[n + d], c) = X(samples[n + c], d) = K_TT(d, c);
  }
  return X;
}

}  // namespace

TransferModel::TransferModel(const Problem& problem, const TransferOptions& options, int threads)
    : problem_(problem),
      options_(options),
      shape_{*options.gamma, options.intercept == Intercept::yes},
      threads_(threads),
      views_at_once_(
          static_cast<int>(views_at_once(problem.n_samples(), problem.n_views(), threads))),
      threads_per_view_(problem.n_samples() >= large ? threads : 1),
      scale_(mean_diagonals(problem)),
      log_(at(problem.n_views())),
      diagonals_(problem.n_samples(), problem.n_views()),
      sums_(Vector::Zero(problem.n_views())),
      squares_(problem.n_views()) {
  for (Index m = 0; m < problem.n_views(); ++m) {
    const SharedMatrix& block = problem.view(m).block;
    squares_(m) = block.squaredNorm() / (scale_(m) * scale_(m));
    if (options.target == TargetDomain::log && !problem.complete(m))
      if (auto gram = euclidean_log_gram(block)) log_[at(m)] = *std::move(gram);
  }
  expected_diagonals_ = expected_diagonals(problem) * scale_.cwiseInverse().asDiagonal();
  variance_ = Matrix::Zero(problem.n_samples(), problem.n_views());
  find_weights();
  start();
}

Index TransferModel::views_at_once(Index n_samples, Index n_views, int threads) {
  return n_samples >= large ? 1 : std::min<Index>(n_views, std::max(threads, 1));
}

// Errors are measured on samples whose names decide, so that a permuted problem takes the same.
TransferModel::Order TransferModel::order_of(Index m, const Indices& missing) const {
  const Indices& I = problem_.view(m).rows;
  const Indices left_out = rows_by_hash(problem_.samples(), I, most_left_out, "transfer");
  Order order;
  std::vector<bool> is_left_out(I.size(), false);
  for (const Index i : left_out) is_left_out[at(i)] = true;
  for (const bool last : {false, true})
    for (std::size_t i = 0; i < I.size(); ++i)
      if (is_left_out[i] == last) order.positions.push_back(static_cast<Index>(i));
  for (const Index i : order.positions) order.samples.push_back(I[at(i)]);
  order.samples.insert(order.samples.end(), missing.begin(), missing.end());
  order.sizes = {static_cast<Index>(order.samples.size()), static_cast<Index>(I.size()),
                 static_cast<Index>(left_out.size())};
  return order;
}

// The lower triangle of G of P = sum_l w_l K^_l, in the order of a regression.
void TransferModel::fill_source(const Vector& weights, const Order& order, MutableMatrixRef G,
                                int threads) const {
  const Index N = problem_.n_samples(), size = order.sizes.samples;
  const Vector w = weights / weights.sum();
  const Vector own = diagonals_ * w;
  const double distance = mean_distance(own.sum(), sums_.dot(w), N);
  Vector diagonal(size);
  for (Index i = 0; i < size; ++i) diagonal(i) = own(order.samples[at(i)]);
  for_column_blocks(size, threads, [&](Index, Index first, Index end) {
    Vector p(N);
    for (Index j = first; j < end; ++j) {
      p.setZero();
      for (Index l = 0; l < w.size(); ++l)
        if (w(l) > 0) p += w(l) * kernels_[at(l)].col(order.samples[at(j)]);
      double* const g = &G(j, j);
      for (Index i = j; i < size; ++i) g[i - j] = p(order.samples[at(i)]);
      shape_column(shape_, distance, diagonal.data() + j, diagonal(j), g, size - j);
    }
  });
}

// K_II at unit mean diagonal, or the Gram matrix behind its logarithm, in the order of a
// regression.
void TransferModel::fill_target(Index m, bool as_log, const Indices& positions,
                                MutableMatrixRef K) const {
  const MatrixRef from = as_log ? MatrixRef(log_[at(m)]) : MatrixRef(problem_.view(m).block);
  const double factor = as_log ? 1 : 1 / scale_(m);
  for (std::size_t j = 0; j < positions.size(); ++j) {
    const double* const column = from.col(positions[j]).data();
    double* const to = &K(0, static_cast<Index>(j));
    for (std::size_t i = 0; i < positions.size(); ++i) to[i] = factor * column[positions[i]];
  }
}

void TransferModel::regress(Index m, const Vector& weights, const Order& order,
                            TransferRegression& regression, int threads) const {
  regression.fit(
      order.sizes, *options_.ridge,
      [&](MutableMatrixRef G) { fill_source(weights, order, G, threads); },
      [&](MutableMatrixRef K) { fill_target(m, is_log(m), order.positions, K); }, threads);
}

// Leave-one-out distance of view m predicted from view l alone, on samples that both have.
double TransferModel::error_of_source(Index m, Index l) const {
  const ObservedKernel &view = problem_.view(m), &other = problem_.view(l);
  const auto [here, there] = common_samples(view, positions_in(other, problem_.n_samples()));
  if (here.size() < 3) return std::numeric_limits<double>::infinity();
  Indices common, here_some, there_some;
  for (const Index i : here) common.push_back(view.rows[at(i)]);
  for (const Index k : rows_by_hash(problem_.samples(), common, most_compared, "sources")) {
    here_some.push_back(here[at(k)]);
    there_some.push_back(there[at(k)]);
  }
  const auto n = static_cast<Index>(here_some.size());
  const SourceKernel source(submatrix(other.block, there_some, there_some) / scale_(l), shape_);
  TransferRegression regression;
  regression.fit(
      {n, n, n}, *options_.ridge, [&](MutableMatrixRef G) { G = source.G(); },
      [&](MutableMatrixRef K) { K = submatrix(view.block, here_some, here_some) / scale_(m); }, 1);
  return regression.residual();
}

// w_l = error_l^(-3/2), the error a squared distance.
void TransferModel::find_weights() {
  const Index M = problem_.n_views();
  weights_ = equal_relations(M);
  if (options_.weights != SourceWeights::loo || M < 3) return;
  parallel_for(M, threads_, [&](Index m) {
    if (problem_.complete(m)) return;
    Vector w = Vector::Zero(M);
    for (Index l = 0; l < M; ++l)
      if (l != m) w(l) = std::pow(std::max(error_of_source(m, l), 1e-6), -weight_power / 2);
    if (w.sum() > 0) weights_.row(m) = w / w.sum();
  });
}

// First guess: regression through the entrywise mean of the views, [I W]'K_II[I W], and what the
// diagonal then lacks. That is PSD for every W, although the mean may not be.
void TransferModel::start() {
  const Index N = problem_.n_samples(), M = problem_.n_views();
  const Matrix G = entrywise_mean(problem_, scale_);
  kernels_.resize(at(M));
  orders_.resize(at(M));
  parallel_for(M, views_at_once_, [&](Index m) {
    kernels_[at(m)] = Matrix::Zero(N, N);
    paste(problem_.view(m).block / scale_(m), problem_.view(m).rows, kernels_[at(m)]);
    orders_[at(m)] = order_of(m, problem_.missing(m));
    const Order& order = orders_[at(m)];
    TransferRegression regression;
    regression.fit(
        {order.sizes.samples, order.sizes.observed, 0}, start_ridge,
        [&](MutableMatrixRef A) {
          for (Index j = 0; j < N; ++j)
            for (Index i = j; i < N; ++i) A(i, j) = G(order.samples[at(i)], order.samples[at(j)]);
        },
        [&](MutableMatrixRef K) { fill_target(m, false, order.positions, K); }, threads_per_view_);
    regression.complete(0, threads_per_view_);
    Matrix X = columns_of(order, regression);
    const Indices& T = problem_.missing(m);
    for (std::size_t c = 0; c < T.size(); ++c) {
      double& own = X(T[c], static_cast<Index>(c));
      own = std::max(own, expected_diagonals_(T[c], m));
    }
    replace(m, X, threads_per_view_);
  });
}

// Replaces the columns of W and the residual variances of samples that lack some of the sources by
// those of a regression on the views they have.
void TransferModel::predict_from_observed(Index m, TransferRegression& all, Vector& residual,
                                          int threads) const {
  const Indices& T = problem_.missing(m);
  const Vector weights = weights_.row(m);
  const Vector common = all.R().diagonal();
  TransferRegression some;
  // columns: positions in T
  for (const auto& [has, columns] : view_patterns(problem_.observed()(T, Eigen::all))) {
    Vector own = weights;
    for (Index l = 0; l < own.size(); ++l)
      if (!has[at(l)]) own(l) = 0;
    if (own.sum() <= 0 || own == weights) continue;
    Indices samples;
    for (const Index c : columns) samples.push_back(T[at(c)]);
    regress(m, own, order_of(m, samples), some, threads);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto j = static_cast<Index>(k);
      all.W_transposed().row(columns[k]) = some.W_transposed().row(j);
      residual(columns[k]) = std::max(0.0, some.R()(j, j)) * some.residual_scale();
    }
  }
  // samples use different G: the correlations of the common one, each with its own variance
  Vector factor = Vector::Zero(residual.size()), alone = residual;
  for (Index c = 0; c < factor.size(); ++c)
    if (common(c) > all_explained * all.residual_scale() * all.g(c)) {
      factor(c) = std::sqrt(residual(c) / common(c));
      alone(c) = 0;
    }
  auto R = all.R();
  for (Index c = 0; c < R.cols(); ++c) R.col(c).array() *= factor(c) * factor.array();
  // where the common G leaves nothing open there are no correlations
  R.diagonal() += alone;
}

Matrix TransferModel::predicted(Index m, bool from_observed, TransferRegression& regression,
                                int threads) {
  regress(m, weights_.row(m), orders_[at(m)], regression, threads);
  // the lower triangle of R in the scale of the view
  regression.R() *= regression.residual_scale();
  Vector residual = regression.R().diagonal().cwiseMax(0);
  if (from_observed) predict_from_observed(m, regression, residual, threads);
  const bool is_scaled = options_.diagonal == TransferDiagonal::scale && !is_log(m);
  regression.complete(is_scaled ? 0 : 1, threads);
  return finished(m, regression, residual, threads);
}

// The columns of the missing samples in the order of the problem (N, t): settles the diagonal or
// leaves the log domain, and notes the uncertainty.
Matrix TransferModel::finished(Index m, TransferRegression& regression, const Vector& residual,
                               int threads) {
  const Indices& T = problem_.missing(m);
  Matrix X = columns_of(orders_[at(m)], regression);
  for (std::size_t c = 0; c < T.size(); ++c) {
    const double r = residual(static_cast<Index>(c));
    variance_(T[c], m) = scale_(m) * (is_log(m) ? 1 - std::exp(-r) : r);
  }
  if (is_log(m))
    leave_log_domain(m, X, threads);
  else if (options_.diagonal != TransferDiagonal::none)
    settle_diagonal(m, X);
  return X;
}

// k_it = exp(-(b_ii + b_tt - 2 b_it)) of a Gram matrix B.
void TransferModel::leave_log_domain(Index m, Matrix& X, int threads) const {
  const Indices &I = problem_.view(m).rows, &T = problem_.missing(m);
  Vector own(problem_.n_samples());
  for (std::size_t i = 0; i < I.size(); ++i)
    own(I[i]) = log_[at(m)](static_cast<Index>(i), static_cast<Index>(i));
  for (std::size_t c = 0; c < T.size(); ++c) own(T[c]) = X(T[c], static_cast<Index>(c));
  for_column_blocks(X.cols(), threads, [&](Index, Index first, Index end) {
    for (Index c = first; c < end; ++c) {
      X.col(c) = (2 * X.col(c).array() - own.array() - own(T[at(c)])).min(0);
      exponentials(X.col(c).data(), X.rows());
    }
  });
}

// Rows scaled to their expected diagonal, up to most_growth or at most to their own length, and
// what is missing then added.
void TransferModel::settle_diagonal(Index m, Matrix& X) const {
  const Indices& T = problem_.missing(m);
  const double most = options_.diagonal == TransferDiagonal::scale ? most_growth : 1;
  Vector factor(X.cols());
  for (Index c = 0; c < X.cols(); ++c) {
    const double expected = std::max(0.0, expected_diagonals_(T[at(c)], m));
    factor(c) = std::min(most, std::sqrt(expected / std::max(X(T[at(c)], c), tiny)));
  }
  for (Index c = 0; c < X.cols(); ++c) {
    X.col(c) *= factor(c);
    for (std::size_t d = 0; d < T.size(); ++d) X(T[d], c) *= factor(static_cast<Index>(d));
    double& own = X(T[at(c)], c);
    own = std::max(own, expected_diagonals_(T[at(c)], m));
  }
}

// Puts the columns X of the missing samples of view m, and their transpose, in place. Returns the
// relative change of the kernel. Every column is written by one thread.
double TransferModel::replace(Index m, const Matrix& X, int threads) {
  const Index N = problem_.n_samples();
  const Indices& T = problem_.missing(m);
  Matrix& K = kernels_[at(m)];
  Indices column_of(at(N), -1);
  for (std::size_t c = 0; c < T.size(); ++c) column_of[at(T[c])] = static_cast<Index>(c);
  const Index blocks = (N + columns_at_once - 1) / columns_at_once;
  Vector change = Vector::Zero(blocks), size = change, sum = change;
  for_column_blocks(N, threads, [&](Index block, Index first, Index end) {
    for (Index j = first; j < end; ++j) {
      if (const Index c = column_of[at(j)]; c >= 0) {
        // entries with an observed sample count twice, as the transpose holds them too
        change(block) += 2 * (X.col(c) - K.col(j)).squaredNorm();
        size(block) += 2 * X.col(c).squaredNorm();
        for (const Index t : T) {
          const double difference = X(t, c) - K(t, j);
          change(block) -= difference * difference;
          size(block) -= X(t, c) * X(t, c);
        }
        K.col(j) = X.col(c);
      } else {
        for (std::size_t c2 = 0; c2 < T.size(); ++c2) K(T[c2], j) = X(j, static_cast<Index>(c2));
      }
      sum(block) += K.col(j).sum();
      diagonals_(j, m) = K(j, j);
    }
  });
  sums_(m) = sum.sum();
  const double all = squares_(m) + std::max(0.0, size.sum());
  return std::sqrt(std::max(0.0, change.sum()) / std::max(all, tiny));
}

double TransferModel::update(bool from_observed) {
  const Index M = problem_.n_views();
  std::vector<Matrix> next(at(M));
  // one piece of working memory where views follow one another
  std::vector<TransferRegression> memory(views_at_once_ == 1 ? 1 : at(M));
  parallel_for(M, views_at_once_, [&](Index m) {
    if (problem_.complete(m)) return;
    TransferRegression& regression = memory[memory.size() == 1 ? 0 : at(m)];
    next[at(m)] = predicted(m, from_observed, regression, threads_per_view_);
    if (memory.size() > 1) regression = {};
  });
  const std::atomic<bool> never = false;
  const CancelScope whole(never);  // an interrupt comes before all views are replaced, or after
  double largest = 0;
  for (Index m = 0; m < M; ++m)
    if (!problem_.complete(m)) largest = std::max(largest, replace(m, next[at(m)], threads_));
  return largest;
}

double TransferModel::round() { return update(false); }
void TransferModel::round_from_observed() { update(true); }

std::vector<Matrix> TransferModel::kernels() const& { return TransferModel(*this).take_kernels(); }

std::vector<Matrix> TransferModel::kernels() && { return take_kernels(); }

std::vector<Matrix> TransferModel::take_kernels() {
  for (Index m = 0; m < problem_.n_views(); ++m) {
    kernels_[at(m)] *= scale_(m);
    paste(problem_.view(m).block, problem_.view(m).rows, kernels_[at(m)]);
  }
  return std::move(kernels_);
}

}  // namespace mkc
