// Kernel ridge and kernel Cox regression as learners.
#include <cmath>

#include "evaluate/centred_blocks.hpp"
#include "evaluate/cox.hpp"
#include "evaluate/nested.hpp"
#include "mkc/base/error.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/cholesky.hpp"

namespace mkc {

namespace {

// 10^high, ..., 10^low: the strongest first.
std::vector<double> powers_of_ten(int high, int low) {
  std::vector<double> values;
  for (int power = high; power >= low; --power) values.push_back(std::pow(10.0, power));
  return values;
}

double per_sample(double strength, const Indices& known) {
  return strength * static_cast<double>(known.size());
}

}  // namespace

CentredBlocks centred_blocks(const MatrixRef& K, const Indices& known, const Indices& asked) {
  CentredBlocks blocks{submatrix(K, known, known), submatrix(K, asked, known)};
  const Vector means = blocks.known.colwise().mean();
  const double mean = means.mean();
  const Vector asked_means = blocks.asked.rowwise().mean();
  blocks.known.colwise() -= means;
  blocks.known.rowwise() -= means.transpose();
  blocks.known.array() += mean;
  blocks.asked.colwise() -= asked_means;
  blocks.asked.rowwise() -= means.transpose();
  blocks.asked.array() += mean;
  return blocks;
}

Learner ridge_learner(const Matrix& K, const Numbers& numbers) {
  const auto predict = [&K, &numbers](const Indices& known, const Indices& asked,
                                      double strength) -> Vector {
    CentredBlocks blocks = centred_blocks(K, known, asked);
    const Vector y = numbers.of_sample(known);
    blocks.known.diagonal().array() += per_sample(strength, known);
    const auto factor = linalg::Cholesky::factor(std::move(blocks.known));
    if (!factor) throw InputError("the combined kernel is not positive semi-definite");
    const Matrix right = y.array() - y.mean();
    const Vector alpha = factor->solve(right);
    return (blocks.asked * alpha).array() + y.mean();
  };
  return {powers_of_ten(1, -5), predict,
          [&numbers, predict](const Indices& known, const Indices& asked, double strength) {
            const Vector truth = numbers.of_sample(asked);
            return (predict(known, asked, strength) - truth).squaredNorm();
          }};
}

Learner cox_learner(const Matrix& K, const Survival& survival) {
  const auto predict = [&K, &survival](const Indices& known, const Indices& asked,
                                       double strength) -> Vector {
    const CentredBlocks blocks = centred_blocks(K, known, asked);
    return blocks.asked *
           fit_cox(blocks.known, survival.restricted(known), per_sample(strength, known));
  };
  const auto loss = [&K, &survival](const Indices& known, const Indices& asked, double strength) {
    const CentredBlocks blocks = centred_blocks(K, known, asked);
    const Survival of_known = survival.restricted(known);
    const Vector alpha = fit_cox(blocks.known, of_known, per_sample(strength, known));
    const Vector own = blocks.known * alpha;
    Vector risk(static_cast<Index>(known.size() + asked.size()));
    risk << own, blocks.asked * alpha;
    Indices both = known;
    both.insert(both.end(), asked.begin(), asked.end());
    return partial_log_likelihood(of_known, own) -
           partial_log_likelihood(survival.restricted(both), risk);
  };
  return {powers_of_ten(1, -3), predict, loss};
}

Learner learner_for(const Matrix& K, const Target& target) {
  if (const auto* labels = std::get_if<Labels>(&target)) return svm_learner(K, *labels);
  if (const auto* numbers = std::get_if<Numbers>(&target)) return ridge_learner(K, *numbers);
  return cox_learner(K, std::get<Survival>(target));
}

}  // namespace mkc
