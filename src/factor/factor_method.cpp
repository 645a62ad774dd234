#include "factor/factor_method.hpp"

#include <limits>

#include <fmt/format.h>

#include "methods/make_method.hpp"
#include "methods/single_methods.hpp"
#include "mkc/base/error.hpp"
#include "mkc/factor/completed_factors.hpp"

namespace mkc {

namespace {

using factor::Presence;

/// Kernels of a problem as tables that are read in blocks.
class KernelSource : public factor::Source {
 public:
  KernelSource(const Problem& problem, Indices views)
      : problem_(problem), chosen_(std::move(views)) {
    KernelOptions precomputed;
    precomputed.kernel = KernelKind::precomputed;
    for (const Index m : chosen_) {
      views_.push_back({problem.view(m).name, problem.n_samples(), precomputed, {}});
      Indices places(at(problem.n_samples()), -1);
      for (std::size_t k = 0; k < problem.view(m).rows.size(); ++k)
        places[at(problem.view(m).rows[k])] = static_cast<Index>(k);
      places_.push_back(std::move(places));
    }
  }

  Index n_samples() const override { return problem_.n_samples(); }
  std::string sample(Index row) const override { return problem_.samples()[at(row)]; }
  const std::vector<factor::SourceView>& views() const override { return views_; }

  void read(Index view, Index first, Index count, Matrix& X, Presence& has) const override {
    Indices all(at(n_samples()));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
    read_columns(view, first, count, all, X, has);
  }

  void presence(Index view, Index first, Index count, Presence& has) const override {
    has = problem_.observed().col(chosen_[at(view)]).segment(first, count);
  }

  void read_columns(Index view, Index first, Index count, const Indices& columns, Matrix& X,
                    Presence& has) const override {
    const auto& K = problem_.view(chosen_[at(view)]).block;
    const Indices& places = places_[at(view)];
    presence(view, first, count, has);
    X.setConstant(count, std::ssize(columns), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (Index i = 0; i < count; ++i)
        if (has(i) && places[at(columns[c])] >= 0)
          X(i, static_cast<Index>(c)) = K(places[at(first + i)], places[at(columns[c])]);
  }

 private:
  const Problem& problem_;
  Indices chosen_;
  std::vector<factor::SourceView> views_;
  std::vector<Indices> places_;
};

// Views of zeros have no features: nothing is learnt from them, and they stay zero.
Indices views_with_values(const Problem& problem) {
  Indices views;
  for (Index m = 0; m < problem.n_views(); ++m)
    if (problem.view(m).block.diagonal().maxCoeff() > 0) views.push_back(m);
  return views;
}

Completion fit_factor(const Problem& problem, const factor::FactorOptions& options,
                      const RunOptions& run) {
  const Index N = problem.n_samples();
  Completion completion;
  completion.kernels.assign(at(problem.n_views()), Matrix::Zero(N, N));
  completion.uncertainty = Matrix::Zero(N, problem.n_views());
  const Indices views = views_with_values(problem);
  if (views.empty()) return completion;
  try {
    const KernelSource source(problem, views);
    factor::CompletedFactors found = factor::complete(source, options, run);
    for (std::size_t k = 0; k < views.size(); ++k) {
      const auto column = static_cast<Index>(k);
      completion.kernels[at(views[k])] =
          factor::kernel_block_with_diagonal(found.rows.features[k], found.rows.extra.col(column));
      completion.uncertainty->col(views[k]) = found.rows.variance.col(column);
    }
    completion.info.parameters = factor::factor_options().values(found.options);
    completion.info.notices = std::move(found.notices);
  } catch (const InterruptedError&) {  // there is no earlier answer of its own
    RunOptions rest = run;
    rest.progress = nullptr;
    rest.stop = nullptr;
    rest.transforms.clear();
    completion = complete_single(problem, "mean", rest);
    completion.info = {};
    completion.info.status = Status::interrupted;
    completion.info.notices = {"stopped early: missing rows are the mean of the other views"};
  }
  return completion;
}

double working_bytes(Index n_samples, Index n_views, int) {
  constexpr double most_features = 200, most_anchors = 1000, stages = 6;
  const auto n = static_cast<double>(n_samples), m = static_cast<double>(n_views);
  const double r = std::min(n, most_features), a = std::min(n, most_anchors);
  return 8 * (n * m * r * stages + 2 * n * m * a + 10 * m * a * a + m * n * std::min(n, 2048.0));
}

}  // namespace

Method factor_method() {
  Method method = make_method(
      "features of every view, a Gaussian and regressions on anchors; linear in N in factor form",
      "M N (L (L + r) + A (A + r)) with r features, L landmarks and A anchors",
      "M N (6 r + 2 A) + 10 M A^2 doubles", factor::factor_options(), fit_factor, working_bytes);
  method.obstacle = [](const Problem& problem) -> std::string {
    for (const auto& view : problem.views())
      if (view.rows.size() < 2)
        return fmt::format("view '{}' has {} samples, it needs 2", view.name, view.rows.size());
    return "";
  };
  return method;
}

}  // namespace mkc
