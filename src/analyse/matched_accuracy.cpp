#include "mkc/analyse/matched_accuracy.hpp"

#include <algorithm>
#include <limits>

namespace mkc {

namespace {

// The smallest sum of one entry per row and column of a square matrix: rows are added one at a
// time along the cheapest path of reassignments (Kuhn's method with the potentials of Jonker and
// Volgenant). Row and column 0 of the arrays stand for "none".
double cheapest_assignment(const Matrix& cost) {
  const Index n = cost.rows();
  Vector row_price = Vector::Zero(n + 1), column_price = Vector::Zero(n + 1);
  Indices row_of(static_cast<std::size_t>(n + 1), 0), before(static_cast<std::size_t>(n + 1), 0);
  for (Index row = 1; row <= n; ++row) {
    Vector shortest = Vector::Constant(n + 1, std::numeric_limits<double>::infinity());
    std::vector<bool> reached(static_cast<std::size_t>(n + 1), false);
    Index column = 0;
    row_of[0] = row;
    while (row_of[at(column)] != 0) {
      reached[at(column)] = true;
      const Index from = row_of[at(column)];
      Index next = 0;
      double step = std::numeric_limits<double>::infinity();
      for (Index j = 1; j <= n; ++j) {
        if (reached[at(j)]) continue;
        const double reduced = cost(from - 1, j - 1) - row_price(from) - column_price(j);
        if (reduced < shortest(j)) {
          shortest(j) = reduced;
          before[at(j)] = column;
        }
        if (shortest(j) < step) {
          step = shortest(j);
          next = j;
        }
      }
      for (Index j = 0; j <= n; ++j)
        if (reached[at(j)]) {
          row_price(row_of[at(j)]) += step;
          column_price(j) -= step;
        } else {
          shortest(j) -= step;
        }
      column = next;
    }
    for (; column != 0; column = before[at(column)])
      row_of[at(column)] = row_of[at(before[at(column)])];
  }
  double sum = 0;
  for (Index j = 1; j <= n; ++j) sum += cost(row_of[at(j)] - 1, j - 1);
  return sum;
}

}  // namespace

double matched_accuracy(const Indices& truth, const Indices& clusters) {
  if (truth.empty()) return 0;
  const Index parts = 1 + std::max(*std::max_element(truth.begin(), truth.end()),
                                   *std::max_element(clusters.begin(), clusters.end()));
  Matrix cost = Matrix::Zero(parts, parts);
  for (std::size_t i = 0; i < truth.size(); ++i) cost(truth[i], clusters[i]) -= 1;
  return -cheapest_assignment(cost) / static_cast<double>(truth.size());
}

}  // namespace mkc
