#include "methods/knn.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "methods/make_method.hpp"
#include "methods/shared/observed_block.hpp"
#include "methods/shared/tuning.hpp"

namespace mkc {

namespace {

struct Neighbour {
  Index position;  // in the view's rows
  double distance;
  double weight;
};
using Neighbours = std::vector<Neighbour>;

constexpr std::array<Index, 6> k_grid = {1, 2, 3, 5, 7, 10};

enum class Weighting { equal, inverse_distance };

// The k nearest of the view's samples to sample t; all of them, at infinity, where none is
// comparable.
Neighbours nearest_samples(const Problem& problem, const ObservedKernel& view,
                           const Matrix& distances, Index t, Index k) {
  Neighbours found;
  for (std::size_t i = 0; i < view.rows.size(); ++i) {
    const double d = distances(view.rows[i], t);
    if (!std::isnan(d)) found.push_back({static_cast<Index>(i), d, 0});
  }
  if (found.empty()) {
    for (std::size_t i = 0; i < view.rows.size(); ++i)
      found.push_back({static_cast<Index>(i), std::numeric_limits<double>::infinity(), 0});
    return found;
  }
  const auto name = [&](const Neighbour& n) -> const std::string& {
    return problem.samples()[at(view.rows[at(n.position)])];
  };
  const auto nearer = [&](const Neighbour& a, const Neighbour& b) {
    return a.distance != b.distance ? a.distance < b.distance : name(a) < name(b);
  };
  const auto kept = std::min<std::size_t>(found.size(), static_cast<std::size_t>(k));
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end(),
                    nearer);
  found.resize(kept);
  return found;
}

// Weights that sum to 1. Neighbours at distance 0 share all of the weight.
void set_weights(Neighbours& neighbours, Weighting weighting) {
  const bool exact = neighbours.front().distance <= 0;
  const bool equal = weighting == Weighting::equal || std::isinf(neighbours.front().distance);
  double sum = 0;
  for (auto& n : neighbours) {
    if (equal)
      n.weight = 1;
    else if (exact)
      n.weight = n.distance <= 0 ? 1 : 0;
    else
      n.weight = 1 / n.distance;
    sum += n.weight;
  }
  for (auto& n : neighbours) n.weight /= sum;
}

// K^ = A'KA for one view, A sparse: K^_IT = K_II A_T and K^_TT = A_T' K^_IT.
Matrix reconstruct(const ObservedKernel& view, const Indices& missing,
                   const std::vector<Neighbours>& A) {
  const auto count = static_cast<Index>(missing.size());
  Matrix K_IT = Matrix::Zero(view.block.rows(), count), K_TT = Matrix::Zero(count, count);
  for (Index t = 0; t < count; ++t)
    for (const auto& n : A[at(t)]) K_IT.col(t) += n.weight * view.block.col(n.position);
  for (Index t = 0; t < count; ++t)
    for (Index u = t; u < count; ++u)
      for (const auto& n : A[at(u)]) K_TT(u, t) += n.weight * K_IT(n.position, t);
  return join_blocks(view.block, view.rows, K_IT, missing, K_TT);
}

// sum_j a_j k_jj - k^_tt
double spread(const ObservedKernel& view, const Neighbours& neighbours, double k_tt) {
  double sum = 0;
  for (const auto& n : neighbours) sum += n.weight * view.block(n.position, n.position);
  return std::max(0.0, sum - k_tt);
}

Completion average_neighbours(const Problem& problem, Index k, DiagonalRule rule, int threads,
                              Weighting weighting) {
  const Matrix distances = mean_view_distances(problem);
  const Matrix diagonals = rule == DiagonalRule::add ? expected_diagonals(problem) : Matrix();
  Completion completion;
  completion.kernels.resize(static_cast<std::size_t>(problem.n_views()));
  completion.uncertainty = Matrix::Zero(problem.n_samples(), problem.n_views());
  Strings notices(static_cast<std::size_t>(problem.n_views()));

  parallel_for(problem.n_views(), threads, [&](Index m) {
    const ObservedKernel& view = problem.view(m);
    const Indices& missing = problem.missing(m);
    std::vector<Neighbours> A;
    Index alone = 0;
    for (const Index t : missing) {
      A.push_back(nearest_samples(problem, view, distances, t, k));
      if (std::isinf(A.back().front().distance)) ++alone;
      set_weights(A.back(), weighting);
    }
    Matrix& K = completion.kernels[at(m)];
    K = reconstruct(view, missing, A);
    for (std::size_t t = 0; t < missing.size(); ++t)
      (*completion.uncertainty)(missing[t], m) = spread(view, A[t], K(missing[t], missing[t]));
    if (rule == DiagonalRule::add) settle_diagonal(missing, diagonals.col(m), K);
    if (alone > 0)
      notices[at(m)] = fmt::format(
          "view '{}': {} missing samples share no view with any sample it has; they get its mean",
          view.name, alone);
  });
  for (auto& notice : notices)
    if (!notice.empty()) completion.info.notices.push_back(std::move(notice));
  return completion;
}

// More neighbours are asked for than there are: one notice, with the view that has fewest.
std::string too_few_neighbours(const Problem& problem, Index k) {
  const ObservedKernel* fewest = nullptr;
  for (Index m = 0; m < problem.n_views(); ++m)
    if (!problem.missing(m).empty() &&
        (fewest == nullptr || problem.view(m).rows.size() < fewest->rows.size()))
      fewest = &problem.view(m);
  if (fewest == nullptr || at(k) <= fewest->rows.size()) return {};
  return fmt::format("k = {}, but view '{}' has {} samples: all of them are averaged", k,
                     fewest->name, fewest->rows.size());
}

Completion fit_neighbours(const Problem& problem, const KnnOptions& given, const RunOptions& run,
                          Weighting weighting, const std::string& name) {
  KnnOptions options = given;
  Strings notices;
  bool stopped = false;
  if (!options.k) {
    SharedProgress progress(run);
    const Choice choice =
        TuningSet(problem, run.seed, options.measure)
            .choose(k_grid.size(), run.threads, progress, name + ": choosing k",
                    [&](const Problem& copy, std::size_t k, const ProgressCallback&) {
                      return average_neighbours(copy, k_grid[k], options.diagonal, 1, weighting)
                          .kernels;
                    });
    options.k = choice.made() ? k_grid[choice.best] : *KnnOptions().k;
    stopped = choice.stopped;
    notices.push_back(choice.notice(fmt::format("k = {}", *options.k)));
  } else if (std::string notice = too_few_neighbours(problem, *options.k); !notice.empty()) {
    notices.push_back(std::move(notice));
  }
  Completion completion =
      average_neighbours(problem, *options.k, options.diagonal, run.threads, weighting);
  completion.info.notices.insert(completion.info.notices.begin(), notices.begin(), notices.end());
  completion.info.parameters = knn_options(name).values(options);
  if (stopped) completion.info.status = Status::interrupted;
  return completion;
}

Completion fit_knn(const Problem& problem, const KnnOptions& options, const RunOptions& run) {
  return fit_neighbours(problem, options, run, Weighting::equal, "knn");
}

Completion fit_wknn(const Problem& problem, const KnnOptions& options, const RunOptions& run) {
  return fit_neighbours(problem, options, run, Weighting::inverse_distance, "wknn");
}

double working_bytes(Index n_samples, Index n_views, int threads) {
  return 8 * double(n_samples) * double(n_samples) * 1.8 *
         std::min(double(n_views), double(threads));
}

}  // namespace

OptionTable<KnnOptions> knn_options(const std::string& name) {
  OptionTable<KnnOptions> table(name);
  table.count_or("auto", "k", &KnnOptions::k, 1, std::numeric_limits<Index>::max(),
                 "neighbours averaged; larger is smoother; auto: chosen on held-out rows");
  table.choice("diagonal", &KnnOptions::diagonal, {"none", "add"},
               "k_tt of missing samples; add: brought to what is expected of it");
  return add_measure(table);
}

Matrix mean_view_distances(const Problem& problem) {
  const Index n = problem.n_samples();
  Matrix sum = Matrix::Zero(n, n);
  Eigen::ArrayXXi how_often = Eigen::ArrayXXi::Zero(n, n);
  for (const auto& view : problem.views()) {
    // d_ij = k_ii + k_jj - 2 k_ij over the pairs of this view, divided by its mean over i != j
    const Vector diagonal = view.block.diagonal();
    const Index n_m = view.block.rows();
    Matrix d = -2 * view.block;
    d.colwise() += diagonal;
    d.rowwise() += diagonal.transpose();
    d = d.cwiseMax(0);
    d.diagonal().setZero();
    const double mean = d.sum() / static_cast<double>(n_m * (n_m - 1));
    if (mean > 1e-12 * diagonal.cwiseAbs().mean())
      d /= mean;
    else
      d.setZero();  // samples that differ by rounding only
    for (Index j = 0; j < n_m; ++j)
      for (Index i = 0; i < n_m; ++i) {
        sum(view.rows[at(i)], view.rows[at(j)]) += d(i, j);
        ++how_often(view.rows[at(i)], view.rows[at(j)]);
      }
  }
  return (how_often > 0)
      .select(sum.array() / how_often.cast<double>(), std::numeric_limits<double>::quiet_NaN());
}

Method knn_method() {
  return make_method("mean of the k nearest samples that have the view", "M N^2 (1 + k)",
                     "1.8 N^2 doubles per thread", knn_options("knn"), fit_knn, working_bytes);
}

Method wknn_method() {
  return make_method("mean of the k nearest samples that have the view, weighted by 1/distance",
                     "M N^2 (1 + k)", "1.8 N^2 doubles per thread", knn_options("wknn"), fit_wknn,
                     working_bytes);
}

}  // namespace mkc
