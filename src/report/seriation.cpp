#include "report/seriation.hpp"

#include <algorithm>
#include <numeric>

#include "numeric/linalg/eigh.hpp"

namespace mkc::report {

namespace {

using Range = std::pair<Index, Index>;  // [first, second)

class Seriation {
 public:
  explicit Seriation(const Matrix& X) : X_(X), order_(static_cast<std::size_t>(X.rows())) {
    std::iota(order_.begin(), order_.end(), Index{0});
  }

  Indices run() {
    const Vector nothing = Vector::Zero(X_.cols());
    sort({0, X_.rows()}, nothing, nothing, 0);
    return std::move(order_);
  }

 private:
  Index& sample(Index position) { return order_[at(position)]; }

  Vector centre(Range part) {
    Vector sum = Vector::Zero(X_.cols());
    for (Index p = part.first; p < part.second; ++p) sum += X_.row(sample(p)).transpose();
    return sum / static_cast<double>(part.second - part.first);
  }

  // The direction of the largest variance within a part, turned from `left` to `right`.
  Vector axis(Range part, const Vector& middle, const Vector& left, const Vector& right) {
    Matrix covariance = Matrix::Zero(X_.cols(), X_.cols());
    for (Index p = part.first; p < part.second; ++p) {
      const Vector x = X_.row(sample(p)).transpose() - middle;
      covariance += x * x.transpose();
    }
    const Vector found = linalg::eigh(covariance).vectors.rightCols(1);
    Index largest = 0;
    found.cwiseAbs().maxCoeff(&largest);
    const double along = found.dot(right - left);
    const bool turn = along != 0 ? along < 0 : found(largest) < 0;
    return turn ? Vector(-found) : found;
  }

  // Cuts a part in two at the threshold along the direction, then assigns rows to the nearer centre
  // until nothing changes. Returns where the second half begins.
  Index cut(Range part, double threshold, const Vector& direction) {
    const auto begin = order_.begin() + part.first, end = order_.begin() + part.second;
    Vector normal = direction;
    Index half = part.first;
    for (int round = 0; round < 20; ++round) {
      const auto upper = std::stable_partition(
          begin, end, [&](Index i) { return X_.row(i).dot(normal) < threshold; });
      const Index next = upper - order_.begin();
      if (next == part.first || next == part.second) return next;
      const Vector low = centre({part.first, next}), high = centre({next, part.second});
      const Vector turned = high - low;
      const double moved = 0.5 * turned.dot(high + low);
      if (next == half && turned == normal && moved == threshold) break;
      half = next;
      normal = turned;
      threshold = moved;
    }
    return half;
  }

  void sort(Range part, const Vector& left, const Vector& right, int depth) {
    const Index size = part.second - part.first;
    if (size < 2 || depth > 60) return;
    const Vector middle = centre(part);
    const Vector direction = axis(part, middle, left, right);
    const auto place = [&](Index i) { return X_.row(i).dot(direction); };
    const auto begin = order_.begin() + part.first, end = order_.begin() + part.second;
    if (size <= 3) {
      std::stable_sort(begin, end, [&](Index a, Index b) { return place(a) < place(b); });
      return;
    }
    const Index half = cut(part, middle.dot(direction), direction);
    if (half == part.first || half == part.second) return;  // all the same
    const Vector low = centre({part.first, half}), high = centre({half, part.second});
    // A part without a neighbour on one side is oriented away from the other neighbour.
    sort({part.first, half}, part.first == 0 ? Vector(2 * low - high) : left, high, depth + 1);
    sort({half, part.second}, low, part.second == X_.rows() ? Vector(2 * high - low) : right,
         depth + 1);
  }

  const Matrix& X_;
  Indices order_;
};

}  // namespace

Indices seriate(const Matrix& X) { return Seriation(X).run(); }

}  // namespace mkc::report
