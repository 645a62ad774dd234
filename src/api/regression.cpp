#include "api/regression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "methods/shared/conditional.hpp"
#include "mkc/problem/metrics.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc {

namespace {

constexpr std::size_t most_to_choose = 300;  // rows looked at where weights and shape are chosen
constexpr std::size_t fewest_measured = 20;
constexpr SourceShape shapes[] = {{0.5, true}, {0, false}, {1, false}, {1, true}};
constexpr double ridges[] = {0.02, 0.003, 0.2};
constexpr double clearly = 0.01;    // a later choice must win by this share
constexpr double weight_power = 3;  // w_l = error_l^-3, as in transfer
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double scale_of(const TrainedView& view) {
  return std::max(mean_diagonal(view), std::numeric_limits<double>::min());
}

// At most `most_to_choose` of the samples, ascending.
Indices some_of(const TrainedModel& model, const Indices& samples) {
  Indices some = rows_by_hash(model.samples, samples, most_to_choose, "leave-one-out");
  for (Index& i : some) i = samples[at(i)];
  std::sort(some.begin(), some.end());
  return some;
}

// Positions in `samples` of those that have every source; all where they are too few.
Indices with_sources(const TrainedModel& model, const Indices& samples, const Indices& sources) {
  Indices measured, all;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    all.push_back(static_cast<Index>(i));
    const bool complete = std::all_of(sources.begin(), sources.end(), [&](Index l) {
      return has_sample(model.views[at(l)], samples[i]);
    });
    if (complete) measured.push_back(static_cast<Index>(i));
  }
  return measured.size() >= fewest_measured ? measured : all;
}

double mean_error(const LeftOut& left_out, const Indices& measured) {
  double sum = 0;
  Index count = 0;
  for (const Index i : measured)
    if (!std::isnan(left_out.errors(i))) {
      sum += left_out.errors(i);
      ++count;
    }
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

// 1 / (scale_l error_l^3): views that predict this one better count more.
Vector source_weights(const TrainedModel& model, const TrainedView& view, const Indices& sources) {
  Vector weights(static_cast<Index>(sources.size()));
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const TrainedView& source = model.views[at(sources[k])];
    Indices common;
    for (const Index i : view.rows)
      if (has_sample(source, i)) common.push_back(i);
    double error = 1;  // nothing in common: counts as much as an unrelated view
    if (sources.size() > 1 && common.size() >= 3) {
      const Indices some = some_of(model, common);
      const SourceKernel G(submatrix(source.kernel, some, some) / scale_of(source), shapes[0]);
      error = leave_one_out_distance(submatrix(view.kernel, some, some) / scale_of(view),
                                     ridge_inverse(G.G(), ridges[0]));
    }
    weights(static_cast<Index>(k)) = std::pow(std::max(error, 1e-6), -weight_power / 2);
  }
  weights /= weights.sum();
  for (std::size_t k = 0; k < sources.size(); ++k)
    weights(static_cast<Index>(k)) /= scale_of(model.views[at(sources[k])]);
  return weights;
}

// P on some samples.
Matrix source_on(const TrainedModel& model, const Indices& sources, const Vector& weights,
                 const Indices& samples) {
  const auto n = static_cast<Index>(samples.size());
  Matrix P = Matrix::Zero(n, n);
  for (std::size_t k = 0; k < sources.size(); ++k)
    P += weights(static_cast<Index>(k)) *
         submatrix(model.views[at(sources[k])].kernel, samples, samples);
  return P;
}

struct ChosenSource {
  SourceShape shape;
  double ridge;
};

ChosenSource choose_source(const TrainedModel& model, const TrainedView& view,
                           const Indices& sources, const Vector& weights) {
  const Indices some = some_of(model, view.rows);
  const Indices measured = with_sources(model, some, sources);
  const Matrix K = submatrix(view.kernel, some, some) / scale_of(view);
  const Matrix P = source_on(model, sources, weights, some);
  ChosenSource best{shapes[0], ridges[0]};
  double least = std::numeric_limits<double>::infinity();
  for (const auto& shape : shapes)
    for (const double ridge : ridges) {
      const SourceKernel source(P, shape);
      const LeftOut left_out = leave_out_rows(K, ridge_inverse(source.G(), ridge), ridge);
      const double error = mean_error(left_out, measured);
      if (error < (1 - clearly) * least) {
        least = error;
        best = {shape, ridge};
      }
    }
  return best;
}

}  // namespace

double mean_diagonal(const TrainedView& view) {
  double sum = 0;
  for (const Index i : view.rows) sum += view.kernel(i, i);
  return sum / static_cast<double>(view.rows.size());
}

bool has_sample(const TrainedView& view, Index sample) {
  return std::binary_search(view.rows.begin(), view.rows.end(), sample);
}

LeftOut leave_out_rows(const Matrix& K, const Matrix& Q, double ridge) {
  const Matrix KQ = linalg::multiply(K, Q);
  const Index n = K.rows();
  const double zero = zero_norm(K);
  LeftOut left_out{Vector(n), Vector(n), Vector(n)};
  for (Index t = 0; t < n; ++t) {
    const Vector residual = KQ.col(t) / Q(t, t);
    Vector predicted = K.col(t) - residual;
    predicted(t) = 0;
    const double length = std::sqrt(std::max(0.0, K.col(t).squaredNorm() - K(t, t) * K(t, t)));
    const double error =
        std::sqrt(std::max(0.0, residual.squaredNorm() - residual(t) * residual(t)));
    left_out.errors(t) = length > 0 && K.col(t).norm() > zero ? error / length : nan;
    left_out.lengths(t) = predicted.norm();
    left_out.variance(t) = std::max(0.0, 1 / Q(t, t) - ridge);
  }
  return left_out;
}

ViewRegression::ViewRegression(const TrainedModel& model, Index view, const Indices& sources)
    : model_(model),
      view_(view),
      sources_(sources),
      weights_(source_weights(model, model.views[at(view)], sources)),
      source_(Matrix::Zero(1, 1), {}),
      scale_(scale_of(model.views[at(view)])) {
  const TrainedView& target = model.views[at(view)];
  const ChosenSource chosen = choose_source(model, target, sources, weights_);
  ridge_ = chosen.ridge;
  K_ = submatrix(target.kernel, target.rows, target.rows) / scale_;
  source_ = SourceKernel(source_on(model, sources, weights_, target.rows), chosen.shape);
  Q_ = ridge_inverse(source_.G(), ridge_);
  measured_ = with_sources(model, target.rows, sources);
  left_out_ = leave_out_rows(K_, Q_, ridge_);
  const double predicted_variance = left_out_.variance.mean(),
               seen = leave_one_out_distance(K_, Q_);
  residual_scale_ = predicted_variance > 0 ? seen / predicted_variance : 0;
}

ViewRegression::Predicted ViewRegression::predict(const std::vector<Matrix>& rows,
                                                  const Matrix& own) const {
  const TrainedView& target = model_.views[at(view_)];
  const auto n = static_cast<Index>(target.rows.size());
  const Index count = own.rows();
  Matrix P = Matrix::Zero(n, count);
  for (std::size_t k = 0; k < sources_.size(); ++k)
    for (Index i = 0; i < n; ++i)
      P.row(i) += weights_(static_cast<Index>(k)) * rows[k].col(target.rows[at(i)]).transpose();
  const Vector p = own * weights_;
  const Matrix g = source_.columns(std::move(P), p);
  const Matrix W = linalg::multiply(Q_, g);

  Matrix K_I(n, model_.n_samples());  // the kernel at the samples that have the view
  for (Index i = 0; i < n; ++i) K_I.row(i) = target.kernel.row(target.rows[at(i)]);
  Predicted predicted;
  predicted.rows = linalg::multiply_tn(W, K_I);
  const Matrix KW = linalg::multiply(K_, W);
  const Vector g_own = source_.own(p);
  predicted.own.resize(count);
  predicted.variance.resize(count);
  predicted.lengths.resize(count);
  for (Index x = 0; x < count; ++x) {
    predicted.variance(x) = std::max(0.0, g_own(x) - g.col(x).dot(W.col(x)));
    predicted.lengths(x) = KW.col(x).norm();
    predicted.own(x) = scale_ * (W.col(x).dot(KW.col(x)) + residual_scale_ * predicted.variance(x));
  }
  return predicted;
}

}  // namespace mkc
