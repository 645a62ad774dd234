#include "methods/knn.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "methods/make_method.hpp"
#include "methods/shared/observed_block.hpp"
#include "methods/shared/reconstruction.hpp"
#include "methods/shared/source_kernel.hpp"
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

/// d_ij, mean over the views that have both samples of the squared distance in a view over the mean
/// of all its pairs: one column at a time, no N x N matrix.
class MeanViewDistances {
 public:
  explicit MeanViewDistances(const Problem& problem) : problem_(problem) {
    for (Index m = 0; m < problem.n_views(); ++m) {
      const ObservedKernel& view = problem.view(m);
      positions_.push_back(positions_in(view, problem.n_samples()));
      diagonals_.emplace_back(view.block.diagonal());
      const double mean = mean_distance(view.block.trace(), view.block.sum(), view.block.rows());
      // 0: samples that differ by rounding only
      const bool differ = mean > 1e-12 * diagonals_.back().cwiseAbs().mean();
      factors_.push_back(differ ? 1 / mean : 0);
    }
  }

  /// (N) NaN where two samples share no view.
  Vector from(Index t) const {
    Vector sum = Vector::Zero(problem_.n_samples()), count = sum;
    for (std::size_t m = 0; m < factors_.size(); ++m) {
      const Index here = positions_[m][at(t)];
      if (here < 0) continue;
      const ObservedKernel& view = problem_.views()[m];
      const double own = diagonals_[m](here), factor = factors_[m];
      for (Index i = 0; i < view.block.rows(); ++i) {
        const double squared = diagonals_[m](i) + own - 2 * view.block(i, here);
        sum(view.rows[at(i)]) += factor * std::max(0.0, squared);
        count(view.rows[at(i)]) += 1;
      }
    }
    return (count.array() > 0)
        .select(sum.array() / count.array(), std::numeric_limits<double>::quiet_NaN());
  }

 private:
  const Problem& problem_;
  std::vector<Indices> positions_;
  std::vector<Vector> diagonals_;
  std::vector<double> factors_;
};

// The k nearest of the view's samples by their distances (N); all of them, at infinity, where none
// is comparable.
Neighbours nearest_samples(const Problem& problem, const ObservedKernel& view,
                           const Vector& distances, Index k) {
  Neighbours found;
  found.reserve(view.rows.size());
  for (std::size_t i = 0; i < view.rows.size(); ++i) {
    const double d = distances(view.rows[i]);
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
                   const std::vector<Neighbours>& A, int threads) {
  const auto count = static_cast<Index>(missing.size());
  Matrix K_IT = Matrix::Zero(view.block.rows(), count), K_TT = Matrix::Zero(count, count);
  parallel_for(count, threads, [&](Index t) {
    for (const auto& n : A[at(t)]) K_IT.col(t) += n.weight * view.block.col(n.position);
    for (Index u = t; u < count; ++u)
      for (const auto& n : A[at(u)]) K_TT(u, t) += n.weight * K_IT(n.position, t);
  });
  return join_blocks(view.block, view.rows, K_IT, missing, K_TT);
}

// sum_j a_j k_jj - k^_tt
double spread(const ObservedKernel& view, const Neighbours& neighbours, double k_tt) {
  double sum = 0;
  for (const auto& n : neighbours) sum += n.weight * view.block(n.position, n.position);
  return std::max(0.0, sum - k_tt);
}

// The neighbours of every missing sample of every view, in the order of the missing ones: each
// sample's distances are computed once.
std::vector<std::vector<Neighbours>> all_neighbours(const Problem& problem, Index k, int threads,
                                                    Weighting weighting) {
  const Index N = problem.n_samples(), M = problem.n_views();
  const MeanViewDistances distances(problem);
  std::vector<std::vector<Neighbours>> A(at(M));
  for (Index m = 0; m < M; ++m) A[at(m)].resize(problem.missing(m).size());
  parallel_for(N, threads_for(20.0 * double(M) * double(N), threads), [&](Index t) {
    Vector from_t;
    for (Index m = 0; m < M; ++m) {
      if (problem.observed()(t, m)) continue;
      if (from_t.size() == 0) from_t = distances.from(t);
      const Indices& missing = problem.missing(m);
      const auto place = std::lower_bound(missing.begin(), missing.end(), t) - missing.begin();
      Neighbours& neighbours = A[at(m)][static_cast<std::size_t>(place)];
      neighbours = nearest_samples(problem, problem.view(m), from_t, k);
      set_weights(neighbours, weighting);
    }
  });
  return A;
}

Completion average_neighbours(const Problem& problem, Index k, DiagonalRule rule, int threads,
                              Weighting weighting) {
  const auto all = all_neighbours(problem, k, threads, weighting);
  const Matrix diagonals = rule == DiagonalRule::add ? expected_diagonals(problem) : Matrix();
  Completion completion;
  completion.uncertainty = Matrix::Zero(problem.n_samples(), problem.n_views());
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ObservedKernel& view = problem.view(m);
    const Indices& missing = problem.missing(m);
    const auto& A = all[at(m)];
    completion.kernels.push_back(reconstruct(
        view, missing, A, threads_for(2.0 * double(view.block.rows()) * double(k), threads)));
    Matrix& K = completion.kernels.back();
    Index alone = 0;
    for (std::size_t t = 0; t < missing.size(); ++t) {
      (*completion.uncertainty)(missing[t], m) = spread(view, A[t], K(missing[t], missing[t]));
      if (std::isinf(A[t].front().distance)) ++alone;
    }
    if (rule == DiagonalRule::add) settle_diagonal(missing, diagonals.col(m), K);
    if (alone > 0)
      completion.info.notices.push_back(fmt::format(
          "view '{}': {} missing samples share no view with any sample it has; they get its mean",
          view.name, alone));
  }
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

double working_bytes(Index n_samples, Index, int) {
  return 8 * 0.5 * double(n_samples) * double(n_samples);
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

Method knn_method() {
  return make_method("mean of the k nearest samples that have the view", "M N^2 (1 + k)",
                     "0.5 N^2 doubles", knn_options("knn"), fit_knn, working_bytes);
}

Method wknn_method() {
  return make_method("mean of the k nearest samples that have the view, weighted by 1/distance",
                     "M N^2 (1 + k)", "0.5 N^2 doubles", knn_options("wknn"), fit_wknn,
                     working_bytes);
}

}  // namespace mkc
