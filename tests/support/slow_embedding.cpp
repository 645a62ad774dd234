#include "support/slow_embedding.hpp"

namespace mkc::test {

namespace {

// ||phi_t - Phi a||^2 for the sample at position p of the view
double distance(const MatrixRef& K, Index p, const Vector& a) {
  return K(p, p) - 2 * K.col(p).dot(a) + a.dot(K * a);
}

Matrix carrier_of(const Problem& problem, const Weights& start, Index m) {
  const ObservedKernel& view = problem.view(m);
  Matrix H = start[at(m)];
  for (Index t = 0; t < H.cols(); ++t)
    if (problem.observed()(t, m))
      for (Index i = 0; i < H.rows(); ++i) H(i, t) = view.rows[at(i)] == t ? 1 : 0;
  return H;
}

// B_l at the rows and columns I_l of an N x N zero matrix
Matrix padded(const Problem& problem, Index l, const Matrix& B) {
  const Indices& rows = problem.view(l).rows;
  Matrix P = Matrix::Zero(problem.n_samples(), problem.n_samples());
  for (Index i = 0; i < B.rows(); ++i)
    for (Index j = 0; j < B.cols(); ++j) P(rows[at(i)], rows[at(j)]) = B(i, j);
  return P;
}

}  // namespace

double slow_homogeneous_loss(const Problem& problem, const Weights& start, const Matrix& A) {
  double sum = 0;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ObservedKernel& view = problem.view(m);
    const Matrix H = carrier_of(problem, start, m);
    for (Index p = 0; p < view.block.rows(); ++p)
      sum += distance(view.block, p, H * A.col(view.rows[at(p)])) / view.block.trace();
  }
  return sum;
}

double slow_homogeneous_penalty(const Problem& problem, double c2, const Matrix& A) {
  double sum = 0;
  for (Index i = 0; i < A.rows(); ++i)
    sum += static_cast<double>(problem.observed().row(i).count()) * A.row(i).norm();
  return c2 / static_cast<double>(A.rows()) * sum;
}

double slow_heterogeneous_within(const Problem& problem, const std::vector<Matrix>& B) {
  double sum = 0;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const SharedMatrix& K = problem.view(m).block;
    for (Index p = 0; p < K.rows(); ++p) sum += distance(K, p, B[at(m)].col(p)) / K.trace();
  }
  return sum;
}

double slow_heterogeneous_between(const Problem& problem, const Weights& start,
                                  const std::vector<Matrix>& B, const Matrix& S) {
  double sum = 0;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ObservedKernel& view = problem.view(m);
    const Matrix H = carrier_of(problem, start, m);
    Matrix E = Matrix::Zero(B[at(m)].rows(), B[at(m)].cols());
    for (Index l = 0; l < problem.n_views(); ++l) {
      if (l == m) continue;
      double common = 0;
      for (const Index t : view.rows) common += problem.observed()(t, l);
      const double p = common / static_cast<double>(view.rows.size());
      const Matrix carried = H * padded(problem, l, B[at(l)]);
      for (Index j = 0; j < E.cols(); ++j)
        if (problem.observed()(view.rows[at(j)], l))
          E.col(j) += S(m, l) / p * (B[at(m)].col(j) - carried.col(view.rows[at(j)]));
    }
    sum += E.squaredNorm();
  }
  return sum;
}

double slow_kernel_entry(const ObservedKernel& view, const Matrix& A, Index s, Index t) {
  double k = 0;
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < A.rows(); ++j) k += A(i, s) * view.block(i, j) * A(j, t);
  return k;
}

namespace {

// sum over i, j in I_m of (k^_ij - k_ij)^2, k^ = A'KA with A (n, N)
double slow_kernel_loss(const Problem& problem, Index m, const Matrix& A) {
  const ObservedKernel& view = problem.view(m);
  double sum = 0;
  for (Index p = 0; p < view.block.rows(); ++p)
    for (Index q = 0; q < view.block.rows(); ++q) {
      const double k = slow_kernel_entry(view, A, view.rows[at(p)], view.rows[at(q)]);
      sum += (k - view.block(p, q)) * (k - view.block(p, q));
    }
  return sum;
}

// Entry of A_l at the row of a sample, 0 where view l lacks it.
double entry(const Problem& problem, Index l, const Matrix& A, Index sample, Index column) {
  const Indices& rows = problem.view(l).rows;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] == sample) return A(static_cast<Index>(i), column);
  return 0;
}

}  // namespace

double slow_paper_heterogeneous(const Problem& problem, const std::vector<Matrix>& A,
                                const Matrix& S, const Vector& within, double between) {
  double sum = 0;
  for (Index m = 0; m < problem.n_views(); ++m) {
    sum += within(m) * slow_kernel_loss(problem, m, A[at(m)]);
    for (const Index i : problem.view(m).rows)
      for (Index t = 0; t < problem.n_samples(); ++t) {
        double r = entry(problem, m, A[at(m)], i, t);
        for (Index l = 0; l < problem.n_views(); ++l)
          if (l != m) r -= S(m, l) * entry(problem, l, A[at(l)], i, t);
        sum += between * r * r;
      }
  }
  return sum;
}

double slow_paper_free_rows(const Problem& problem, const std::vector<Matrix>& A, const Matrix& S,
                            const Vector& within, double between) {
  double sum = 0;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const Matrix observed = A[at(m)](problem.view(m).rows, Eigen::all);
    sum += within(m) * slow_kernel_loss(problem, m, observed);
    for (const Index i : problem.view(m).rows)
      for (Index t = 0; t < problem.n_samples(); ++t) {
        double r = A[at(m)](i, t);
        for (Index l = 0; l < problem.n_views(); ++l)
          if (l != m) r -= S(m, l) * A[at(l)](i, t);
        sum += between * r * r;
      }
  }
  return sum;
}

double slow_paper_app(const Problem& problem, const std::vector<Matrix>& A, const Matrix& S,
                      const Vector& within, const Vector& between) {
  double sum = 0;
  for (Index m = 0; m < problem.n_views(); ++m) {
    sum += within(m) * slow_kernel_loss(problem, m, A[at(m)]);
    for (Index s = 0; s < problem.n_samples(); ++s)
      for (Index t = 0; t < problem.n_samples(); ++t) {
        double r = slow_kernel_entry(problem.view(m), A[at(m)], s, t);
        for (Index l = 0; l < problem.n_views(); ++l)
          if (l != m) r -= S(m, l) * slow_kernel_entry(problem.view(l), A[at(l)], s, t);
        sum += between(m) * r * r;
      }
  }
  return sum;
}

double slow_paper_homogeneous(const Problem& problem, const Matrix& A, const Vector& within) {
  double sum = 0;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const Indices& rows = problem.view(m).rows;
    Matrix A_m(static_cast<Index>(rows.size()), A.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) A_m.row(static_cast<Index>(i)) = A.row(rows[i]);
    sum += within(m) * slow_kernel_loss(problem, m, A_m);
  }
  return sum;
}

double slow_l21(const std::vector<Matrix>& B) {
  double sum = 0;
  for (const Matrix& block : B)
    for (Index i = 0; i < block.rows(); ++i) sum += block.row(i).norm();
  return sum;
}

}  // namespace mkc::test
