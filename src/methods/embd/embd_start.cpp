#include "methods/embd/embd_start.hpp"

#include <numeric>

#include "base/random.hpp"

namespace mkc {

namespace {

// uniform(-width, width) for every pair of the given samples
void add_uniform(const Problem& problem, const std::string& view, const Indices& rows,
                 const Indices& columns, double width, std::uint64_t key, Matrix& A) {
  const std::uint64_t of_view = Random(key, view).next();
  for (std::size_t t = 0; t < columns.size(); ++t)
    for (std::size_t i = 0; i < rows.size(); ++i)
      A(static_cast<Index>(i), static_cast<Index>(t)) +=
          Random(of_view, problem.samples()[at(rows[i])], problem.samples()[at(columns[t])])
              .uniform(-width, width);
}

double one_over_size(const Indices& rows) { return 1 / static_cast<double>(rows.size()); }

}  // namespace

Indices all_samples(const Problem& problem) {
  Indices all(at(problem.n_samples()));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

Weights identity_start(const Problem& problem, std::uint64_t seed) {
  Weights weights;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ObservedKernel& view = problem.view(m);
    const Indices& missing = problem.missing(m);
    Matrix A = Matrix::Zero(view.block.rows(), problem.n_samples());
    Matrix T = Matrix::Zero(view.block.rows(), static_cast<Index>(missing.size()));
    add_uniform(problem, view.name, view.rows, missing, one_over_size(view.rows),
                Random(seed, "identity").next(), T);
    for (std::size_t t = 0; t < missing.size(); ++t)
      A.col(missing[t]) = T.col(static_cast<Index>(t));
    weights.push_back(carrier(view, std::move(A)));
  }
  return weights;
}

Matrix uniform_start(const Problem& problem, const std::string& view, const Indices& rows,
                     std::uint64_t seed, Index attempt) {
  Matrix A = Matrix::Zero(static_cast<Index>(rows.size()), problem.n_samples());
  add_uniform(problem, view, rows, all_samples(problem), 1,
              Random(seed, "uniform", std::to_string(attempt)).next(), A);
  return A;
}

void perturb(const Problem& problem, const std::string& view, const Indices& rows,
             const Indices& columns, std::uint64_t seed, Index attempt, Matrix& A) {
  if (attempt == 0) return;
  add_uniform(problem, view, rows, columns, one_over_size(rows),
              Random(seed, "restart", std::to_string(attempt)).next(), A);
}

}  // namespace mkc
