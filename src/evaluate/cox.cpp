#include "evaluate/cox.hpp"

#include <algorithm>
#include <cmath>

#include "problem/risk_sets.hpp"

namespace mkc {

namespace {

constexpr int most_newton_steps = 50, most_halvings = 40;
constexpr double tolerance = 1e-8;  // of the gradient, relative to that at alpha = 0

// The Hessian of -l at a risk, as an operator on vectors:
// diag(exp(risk) L) - sum over times g of d_g p_g p_g', d_g events and p_g the shares
// exp(risk_i) / sum_{j at risk} exp(risk_j) of those at risk. Two passes over the samples by time.
class Curvature {
 public:
  Curvature(const Survival& truth, const Vector& risk, const TimeOrder& order)
      : order_(order),
        own_(risk.size()),
        diagonal_(risk.size()),
        carry_(Vector::Zero(order.groups())) {
    const RiskSets sets(truth, risk, order);
    events_ = sets.events;
    for (Index g = 0; g < order.groups(); ++g) {
      if (g > 0) carry_(g) = std::exp(sets.log_sums(g) - sets.log_sums(g - 1));
      for (Index k = begin(g); k < begin(g + 1); ++k) {
        const Index i = order.samples[at(k)];
        own_(i) = std::exp(risk(i) - sets.log_sums(g));
        diagonal_(i) = std::exp(risk(i) + sets.log_hazards(g));
      }
    }
  }

  Vector operator*(const Vector& x) const {
    Vector means(order_.groups());  // p_g' x
    double mean = 0;
    for (Index g = order_.groups() - 1; g >= 0; --g) {
      for (Index k = begin(g); k < begin(g + 1); ++k) {
        const Index i = order_.samples[at(k)];
        mean += own_(i) * x(i);
      }
      means(g) = mean;
      mean *= carry_(g);  // shares of the risk set before
    }
    Vector product(x.size());
    double sum = 0;  // over times h up to g of d_h means_h exp(log_sum_g - log_sum_h)
    for (Index g = 0; g < order_.groups(); ++g) {
      sum = (g > 0 ? carry_(g) * sum : 0) + events_(g) * means(g);
      for (Index k = begin(g); k < begin(g + 1); ++k) {
        const Index i = order_.samples[at(k)];
        product(i) = diagonal_(i) * x(i) - own_(i) * sum;
      }
    }
    return product;
  }

 private:
  Index begin(Index g) const { return order_.group_begins[at(g)]; }

  const TimeOrder& order_;
  Vector own_;       // share of i in the risk set of its own time
  Vector diagonal_;  // exp(risk_i) L(t_i)
  Vector carry_;     // exp(log_sum_g - log_sum_{g-1})
  Vector events_;
};

// Solves (C K + ridge I) x = b. The operator is self-adjoint and positive in the inner product
// <x, y> = x'Ky, in which these are conjugate gradients.
Vector newton_step(const MatrixRef& K, const Curvature& curvature, double ridge, const Vector& b) {
  Vector x = Vector::Zero(b.size()), r = b, p = b, Kp = K * b;
  double rr = r.dot(Kp);
  const double small = 1e-20 * rr;
  for (Index round = 0; round < 2 * b.size() + 10 && rr > small; ++round) {
    const Vector Ap = curvature * Kp + ridge * p;
    const double step = rr / Ap.dot(Kp);
    x += step * p;
    r -= step * Ap;
    const Vector Kr = K * r;
    const double next = r.dot(Kr);
    p = r + next / rr * p;
    Kp = Kr + next / rr * Kp;
    rr = next;
  }
  return x;
}

}  // namespace

Vector fit_cox(const MatrixRef& K, const Survival& truth, double ridge, Vector start) {
  const TimeOrder order(truth);
  Vector alpha = start.size() == K.rows() ? std::move(start) : Vector::Zero(K.rows());
  Vector risk = K * alpha;
  const auto objective = [&](const Vector& a, const Vector& f) {
    return -partial_log_likelihood(truth, f) + ridge / 2 * a.dot(f);
  };
  double value = objective(alpha, risk);
  const auto size = [&](const Vector& x) { return std::sqrt(std::max(0.0, x.dot(K * x))); };
  const double first = size(martingale_residuals(truth, Vector::Zero(K.rows())));
  for (int step = 0; step < most_newton_steps; ++step) {
    // the gradient is K (ridge alpha - residuals)
    const Vector descent = martingale_residuals(truth, risk) - ridge * alpha;
    if (size(descent) <= tolerance * first) break;
    const Vector direction = newton_step(K, Curvature(truth, risk, order), ridge, descent);
    const Vector risk_direction = K * direction;
    double length = 1, next = 0;
    int halvings = 0;
    for (; halvings < most_halvings; ++halvings, length /= 2) {
      next = objective(alpha + length * direction, risk + length * risk_direction);
      if (next < value) break;
    }
    if (halvings == most_halvings) break;  // as low as rounding allows
    alpha += length * direction;
    risk += length * risk_direction;
    value = next;
  }
  return alpha;
}

}  // namespace mkc
