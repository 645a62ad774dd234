#include "methods/embd/embd_paper.hpp"

#include "methods/shared/relations.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/solvers/simplex_qp.hpp"

namespace mkc {

namespace {

std::vector<KernelLoss> losses_of(const Problem& problem) {
  std::vector<KernelLoss> losses;
  for (const auto& view : problem.views()) losses.emplace_back(view.block);
  return losses;
}

Index total_rows(const Problem& problem) {
  Index sum = 0;
  for (const auto& view : problem.views()) sum += view.block.rows();
  return sum;
}

}  // namespace

KernelLoss::KernelLoss(const SharedMatrix& K) : K_(K) {
  for (Matrix* buffer : {&A_, &KA_, &D_, &G_}) buffer->resize(K.rows(), K.cols());
}

double KernelLoss::value() {
  linalg::symm(1, K_, A_, 0, KA_);
  linalg::gemm(1, A_, linalg::Op::transpose, KA_, linalg::Op::none, 0, D_);
  D_ -= K_;
  return D_.squaredNorm();
}

const Matrix& KernelLoss::gradient() {
  linalg::gemm(4, KA_, linalg::Op::none, D_, linalg::Op::none, 0, G_);
  return G_;
}

PaperHeterogeneous::PaperHeterogeneous(const Problem& problem, LossWeights weights)
    : problem_(problem),
      weights_(std::move(weights)),
      l21_(weights_.l21),
      losses_(losses_of(problem)),
      S_(equal_relations(problem.n_views())),
      R_(total_rows(problem), problem.n_samples()) {
  Index next = 0;
  for (Index m = 0; m < problem.n_views(); ++m) {
    offset_.push_back(next);
    next += problem.view(m).block.rows();
    for (Index l = 0; l < problem.n_views(); ++l) {
      const Indices in_l = positions_in(problem.view(l), problem.n_samples());
      common_.push_back(common_samples(problem.view(m), in_l));
    }
  }
}

double PaperHeterogeneous::within(const Matrix& X, Matrix* G) {
  double sum = 0;
  for (Index m = 0; m < problem_.n_views(); ++m) {
    KernelLoss& loss = losses_[at(m)];
    const Indices& I = problem_.view(m).rows;
    const auto A = block(X, m);
    for (std::size_t t = 0; t < I.size(); ++t)
      loss.columns().col(static_cast<Index>(t)) = A.col(I[t]);
    sum += weights_.within(m) * loss.value();
    if (G == nullptr) continue;
    const Matrix& g = loss.gradient();
    auto to = block(*G, m);
    for (std::size_t t = 0; t < I.size(); ++t)
      to.col(I[t]) += weights_.within(m) * g.col(static_cast<Index>(t));
  }
  return sum;
}

void PaperHeterogeneous::subtract_others(const Matrix& S, const Matrix& X, Matrix& R) const {
  for (Index m = 0; m < S.rows(); ++m)
    for (Index l = 0; l < S.rows(); ++l) {
      if (l == m || S(m, l) == 0) continue;
      const CommonSamples& both = common(m, l);
      for (Index t = 0; t < X.cols(); ++t)
        for (std::size_t i = 0; i < both.here.size(); ++i)
          R(offset_[at(m)] + both.here[i], t) -= S(m, l) * X(offset_[at(l)] + both.there[i], t);
    }
}

void PaperHeterogeneous::find_residuals(const Matrix& X) {
  R_ = X;
  subtract_others(S_, X, R_);
}

double PaperHeterogeneous::value(const Matrix& X) {
  find_residuals(X);
  return within(X, nullptr) + weights_.between * R_.squaredNorm();
}

// dF/dA_m = 2 c1' (R_m - sum_l s_lm [R_l on the samples both have]) + the within-view part
double PaperHeterogeneous::value_and_gradient(const Matrix& X, Matrix& G) {
  find_residuals(X);
  G = R_;
  subtract_others(S_.transpose(), R_, G);
  G *= 2 * weights_.between;
  return within(X, &G) + weights_.between * R_.squaredNorm();
}

void PaperHeterogeneous::update_relations(const Matrix& X) {
  const Index M = problem_.n_views(), N = problem_.n_samples();
  if (M < 2) return;
  for (Index m = 0; m < M; ++m) {
    // A_m and the other views' rows I_m, whose Gram matrix is all the quadratic program needs
    const Index n = problem_.view(m).block.rows();
    std::vector<Matrix> rows(at(M));
    for (Index l = 0; l < M; ++l) {
      rows[at(l)] = Matrix::Zero(n, N);
      const CommonSamples& both = common(m, l);
      for (Index t = 0; t < N; ++t)
        for (std::size_t i = 0; i < both.here.size(); ++i)
          rows[at(l)](both.here[i], t) = X(offset_[at(l)] + both.there[i], t);
    }
    S_.row(m) = relations_of_view(gram_of_matrices(rows), m).transpose();
  }
}

std::vector<std::pair<std::string, double>> PaperHeterogeneous::terms(const Matrix& X) {
  find_residuals(X);
  return {{"within", within(X, nullptr)},
          {"between", weights_.between * R_.squaredNorm()},
          {"l21", penalty(X)}};
}

Matrix PaperHeterogeneous::stack(const Weights& weights) const {
  Matrix X(R_.rows(), R_.cols());
  for (Index m = 0; m < problem_.n_views(); ++m) block(X, m) = weights[at(m)];
  return X;
}

Weights PaperHeterogeneous::unstack(const Matrix& X) const {
  Weights weights;
  for (Index m = 0; m < problem_.n_views(); ++m) weights.emplace_back(block(X, m));
  return weights;
}

PaperHomogeneous::PaperHomogeneous(const Problem& problem, LossWeights weights)
    : problem_(problem),
      weights_(std::move(weights)),
      l21_(weights_.l21, problem.observed().cast<double>().rowwise().sum().matrix()),
      losses_(losses_of(problem)) {}

double PaperHomogeneous::within(const Matrix& A, Matrix* G) {
  double sum = 0;
  for (Index m = 0; m < problem_.n_views(); ++m) {
    KernelLoss& loss = losses_[at(m)];
    const Indices& I = problem_.view(m).rows;
    for (std::size_t t = 0; t < I.size(); ++t)
      for (std::size_t i = 0; i < I.size(); ++i)
        loss.columns()(static_cast<Index>(i), static_cast<Index>(t)) = A(I[i], I[t]);
    sum += weights_.within(m) * loss.value();
    if (G == nullptr) continue;
    const Matrix& g = loss.gradient();
    for (std::size_t t = 0; t < I.size(); ++t)
      for (std::size_t i = 0; i < I.size(); ++i)
        (*G)(I[i], I[t]) += weights_.within(m) * g(static_cast<Index>(i), static_cast<Index>(t));
  }
  return sum;
}

double PaperHomogeneous::value_and_gradient(const Matrix& A, Matrix& G) {
  G.setZero(A.rows(), A.cols());
  return within(A, &G);
}

std::vector<std::pair<std::string, double>> PaperHomogeneous::terms(const Matrix& A) {
  return {{"within", value(A)}, {"l21", penalty(A)}};
}

}  // namespace mkc
