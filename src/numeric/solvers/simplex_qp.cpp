#include "numeric/solvers/simplex_qp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "mkc/base/error.hpp"
#include "numeric/solvers/growing_cholesky.hpp"

namespace mkc::solvers {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr Index none = -1;

void check_input(const MatrixRef& H, const Vector& b) {
  if (H.rows() != H.cols() || H.rows() != b.size())
    throw InputError("simplex_qp: H is " + std::to_string(H.rows()) + " x " +
                     std::to_string(H.cols()) + ", b has " + std::to_string(b.size()) + " entries");
  if (b.size() == 0) throw InputError("simplex_qp: no simplex has zero dimensions");
  if (!H.allFinite() || !b.allFinite()) throw InputError("simplex_qp: H or b is not finite");
}

/// The positive variables ("free"), the others at zero, and the moves between the two sets.
///
/// On the simplex H may be replaced by C = H + shift 11', which adds a constant. C is positive
/// definite on the free variables exactly where their points are affinely independent; that is kept
/// true throughout, so that every subproblem has one minimiser.
class ActiveSet {
 public:
  ActiveSet(const MatrixRef& H, const Vector& b)
      : H_(H),
        b_(b),
        scale_(H.cwiseAbs().maxCoeff() + b.cwiseAbs().maxCoeff()),
        shift_(std::max(H.diagonal().maxCoeff(), 0.0)),
        factor_(b.size()),
        s_(Vector::Zero(b.size())),
        g_(b.size()),
        column_(b.size()),
        move_(b.size()),
        ones_(b.size()),
        barred_(static_cast<std::size_t>(b.size()), false) {
    if (shift_ == 0) shift_ = 1;
    free_.reserve(static_cast<std::size_t>(b.size()));
    Index best = 0;
    (0.5 * H.diagonal() - b).minCoeff(&best);
    s_(best) = 1;
    append(best, C(best, best));
  }

  // g <- Hs - b
  void find_gradient() {
    g_ = -b_;
    for (const Index i : free_) g_ += s_(i) * H_.col(i);
  }

  // The variable outside the set whose increase lowers the objective fastest, or none.
  Index find_entering() const {
    const double nu = s_.dot(g_);
    double steepest = -8 * epsilon * scale_;
    Index entering = none;
    for (Index i = 0; i < s_.size(); ++i)
      if (!is_free(i) && !barred_[at(i)] && g_(i) - nu < steepest) {
        steepest = g_(i) - nu;
        entering = i;
      }
    return entering;
  }

  // Brings variable j in. Where C would become singular there is a direction without curvature
  // along which the objective falls: follow it until a variable reaches zero, which makes room.
  void enter(Index j) {
    newest_ = j;
    for (;;) {
      const Index k = factor_.size();
      for (Index i = 0; i < k; ++i) column_(i) = C(variable(i), j);
      factor_.solve_lower(column_.head(k));
      const double pivot = C(j, j) - column_.head(k).squaredNorm();
      if (pivot > 100 * epsilon * static_cast<double>(s_.size()) * std::max(C(j, j), shift_))
        return append(j, pivot);
      for (Index i = 0; i < k; ++i) move_(i) = -C(variable(i), j);
      factor_.solve(move_.head(k));  // C (move, 1) = 0
      const Step step = longest_step(std::numeric_limits<double>::infinity());
      if (step.blocking == none) return;  // rounding: the entries of the move should sum to -1
      take(step.length);
      s_(j) += step.length;
      remove(step.blocking);
    }
  }

  // Moves towards the minimiser on the free variables. True where it was reached; else one variable
  // reached zero on the way and left.
  bool move_to_minimiser() {
    const Index k = factor_.size();
    // C p = -(g - nu 1) with sum p = 0
    const double level = s_.dot(g_);
    for (Index i = 0; i < k; ++i) move_(i) = level - g_(variable(i));
    ones_.head(k).setOnes();
    factor_.solve(move_.head(k));
    factor_.solve(ones_.head(k));
    move_.head(k) -= (move_.head(k).sum() / ones_.head(k).sum()) * ones_.head(k);
    const Step step = longest_step(1);
    take(step.length);
    if (step.length > 0) std::fill(barred_.begin(), barred_.end(), false);
    if (step.blocking == none) return true;
    // A variable that entered and leaves without a move would come back at once: rounding.
    const Index leaving = variable(step.blocking);
    if (leaving == newest_ && step.length == 0) barred_[at(leaving)] = true;
    remove(step.blocking);
    return false;
  }

  Vector minimiser() const { return s_ / s_.sum(); }

 private:
  struct Step {
    double length;
    Index blocking;  // position of the variable that stops it, or none
  };

  double C(Index i, Index j) const { return H_(i, j) + shift_; }
  Index variable(Index position) const { return free_[at(position)]; }
  bool is_free(Index i) const { return std::find(free_.begin(), free_.end(), i) != free_.end(); }

  // The largest step <= most along move that keeps s >= 0; among ties the lowest index blocks.
  Step longest_step(double most) const {
    Step step{most, none};
    for (Index i = 0; i < factor_.size(); ++i) {
      if (move_(i) >= 0) continue;
      const double length = s_(variable(i)) / -move_(i);
      const bool tie = length == step.length && step.blocking != none;
      if (length < step.length || (tie && variable(i) < variable(step.blocking)))
        step = {length, i};
    }
    return step;
  }

  void take(double length) {
    for (Index i = 0; i < factor_.size(); ++i)
      s_(variable(i)) = std::max(0.0, s_(variable(i)) + length * move_(i));
  }

  void append(Index j, double pivot) {
    factor_.append(column_.head(factor_.size()), pivot);
    free_.push_back(j);
  }

  void remove(Index position) {
    s_(variable(position)) = 0;
    factor_.remove(position);
    free_.erase(free_.begin() + position);
  }

  const MatrixRef& H_;
  const Vector& b_;
  double scale_, shift_;
  std::vector<Index> free_;  // in the order of factor_
  GrowingCholesky factor_;   // of C on the free variables
  Vector s_, g_, column_, move_, ones_;
  std::vector<bool> barred_;
  Index newest_ = none;
};

}  // namespace

Vector simplex_qp(const MatrixRef& H, const Vector& b) {
  check_input(H, b);
  ActiveSet set(H, b);
  const int most = 20 * static_cast<int>(b.size()) + 50;
  int changes = 0;
  bool optimal = b.size() == 1;
  while (!optimal && changes < most) {
    set.find_gradient();
    while (!set.move_to_minimiser()) {
      ++changes;
      set.find_gradient();
    }
    set.find_gradient();
    const Index entering = set.find_entering();
    optimal = entering == none;
    if (!optimal) {
      set.enter(entering);
      ++changes;
    }
  }
  return set.minimiser();
}

}  // namespace mkc::solvers
