#include "methods/embd/embd_paper.hpp"

#include "methods/embd/embd_start.hpp"
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

PaperHeterogeneous::PaperHeterogeneous(const Problem& problem, LossWeights weights,
                                       OutsideRows rows)
    : problem_(problem),
      weights_(std::move(weights)),
      l21_(0),
      losses_(losses_of(problem)),
      S_(equal_relations(problem.n_views())) {
  Index next = 0;
  std::vector<Indices> places;  // per view: the row of X that holds a sample, or -1
  for (Index m = 0; m < problem.n_views(); ++m) {
    samples_.push_back(rows == OutsideRows::free ? all_samples(problem) : problem.view(m).rows);
    offset_.push_back(next);
    places.emplace_back(at(problem.n_samples()), -1);
    for (const Index i : samples_.back()) places.back()[at(i)] = next++;
  }
  R_.resize(next, problem.n_samples());
  Vector counted = Vector::Zero(next);
  for (Index m = 0; m < problem.n_views(); ++m)
    for (Index l = 0; l < problem.n_views(); ++l) {
      CommonSamples both;
      for (const Index i : problem.view(m).rows) {
        if (places[at(l)][at(i)] < 0) continue;
        both.here.push_back(places[at(m)][at(i)]);
        both.there.push_back(places[at(l)][at(i)]);
      }
      if (l == m)
        for (const Index r : both.here) counted(r) = 1;
      common_.push_back(std::move(both));
    }
  l21_ = prox::L21(weights_.l21, std::move(counted));
}

double PaperHeterogeneous::within(const Matrix& X, Matrix* G) {
  double sum = 0;
  for (Index m = 0; m < problem_.n_views(); ++m) {
    KernelLoss& loss = losses_[at(m)];
    const Indices &I = problem_.view(m).rows, &rows = observed_rows(m);
    for (std::size_t t = 0; t < I.size(); ++t)
      for (std::size_t i = 0; i < I.size(); ++i)
        loss.columns()(static_cast<Index>(i), static_cast<Index>(t)) = X(rows[i], I[t]);
    sum += weights_.within(m) * loss.value();
    if (G == nullptr) continue;
    const Matrix& g = loss.gradient();
    for (std::size_t t = 0; t < I.size(); ++t)
      for (std::size_t i = 0; i < I.size(); ++i)
        (*G)(rows[i], I[t]) += weights_.within(m) * g(static_cast<Index>(i), static_cast<Index>(t));
  }
  return sum;
}

void PaperHeterogeneous::find_residuals(const Matrix& X) {
  R_.setZero(X.rows(), X.cols());
  for (Index m = 0; m < problem_.n_views(); ++m)
    for (Index l = 0; l < problem_.n_views(); ++l) {
      const double factor = l == m ? 1 : -S_(m, l);
      if (factor == 0) continue;
      const auto& [here, there] = common(m, l);
      for (Index t = 0; t < X.cols(); ++t)
        for (std::size_t i = 0; i < here.size(); ++i) R_(here[i], t) += factor * X(there[i], t);
    }
}

double PaperHeterogeneous::value(const Matrix& X) {
  find_residuals(X);
  return within(X, nullptr) + weights_.between * R_.squaredNorm();
}

// dF/dA_l = 2 c1' (R_l - sum_m s_ml R_m, on the samples that m has) + the within-view part
double PaperHeterogeneous::value_and_gradient(const Matrix& X, Matrix& G) {
  find_residuals(X);
  G = 2 * weights_.between * R_;
  for (Index m = 0; m < problem_.n_views(); ++m)
    for (Index l = 0; l < problem_.n_views(); ++l) {
      if (l == m || S_(m, l) == 0) continue;
      const double factor = 2 * weights_.between * S_(m, l);
      const auto& [here, there] = common(m, l);
      for (Index t = 0; t < X.cols(); ++t)
        for (std::size_t i = 0; i < here.size(); ++i) G(there[i], t) -= factor * R_(here[i], t);
    }
  return within(X, &G) + weights_.between * R_.squaredNorm();
}

void PaperHeterogeneous::update_relations(const Matrix& X) {
  const Index M = problem_.n_views(), N = problem_.n_samples();
  if (M < 2) return;
  for (Index m = 0; m < M; ++m) {
    // A_m and the other views' rows I_m, whose Gram matrix is all the quadratic program needs
    const Index first = offset_[at(m)];
    std::vector<Matrix> rows(at(M));
    for (Index l = 0; l < M; ++l) {
      const auto& [here, there] = common(m, l);
      rows[at(l)] = Matrix::Zero(static_cast<Index>(samples_of(m).size()), N);
      for (Index t = 0; t < N; ++t)
        for (std::size_t i = 0; i < here.size(); ++i)
          rows[at(l)](here[i] - first, t) = X(there[i], t);
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
  Matrix X = Matrix::Zero(R_.rows(), R_.cols());
  for (Index m = 0; m < problem_.n_views(); ++m) X(observed_rows(m), Eigen::all) = weights[at(m)];
  return X;
}

Weights PaperHeterogeneous::unstack(const Matrix& X) const {
  Weights weights;
  for (Index m = 0; m < problem_.n_views(); ++m)
    weights.emplace_back(X(observed_rows(m), Eigen::all));
  return weights;
}

Weights PaperHeterogeneous::of_others(const Matrix& X) {
  find_residuals(X);
  return unstack(X - R_);
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
