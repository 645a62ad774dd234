#include "methods/latent/latent_model.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "methods/latent/latent_em.hpp"
#include "methods/shared/observed_block.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::latent {

namespace {

// Gram matrix of the features of all samples: observed ones, and W' times them where missing.
Matrix completed_gram(const Problem& problem, Index m, const Matrix& gram, const Matrix& W) {
  const Matrix cross = linalg::multiply(gram, W);
  return join_blocks(gram, problem.view(m).rows, cross, problem.missing(m),
                     linalg::multiply_tn(W, cross));
}

}  // namespace

Index default_rank(Index n_samples) { return std::clamp<Index>(n_samples / 8, 10, 40); }

Indices Linkage::cut(Index groups) const {
  const Index M = similarity.rows();
  Indices group(at(M));
  for (Index m = 0; m < M; ++m) group[at(m)] = m;
  for (Index left = M; left > groups; --left) {
    Index a = -1, b = -1;
    for (Index i = 0; i < M; ++i)
      for (Index j = 0; j < i; ++j)
        if (group[at(i)] != group[at(j)] && (a < 0 || similarity(i, j) > similarity(a, b))) {
          a = i;
          b = j;
        }
    const Index from = std::max(group[at(a)], group[at(b)]);
    const Index to = std::min(group[at(a)], group[at(b)]);
    for (Index& g : group)
      if (g == from) g = to;
  }
  return group;
}

double Linkage::strongest_cut(const Indices& group) const {
  double strongest = 0;
  for (Index i = 0; i < similarity.rows(); ++i)
    for (Index j = 0; j < i; ++j)
      if (group[at(i)] != group[at(j)]) strongest = std::max(strongest, similarity(i, j));
  return strongest;
}

Model::Model(const Problem& problem, const Settings& settings, int threads)
    : problem_(problem),
      threads_(threads),
      ridge_(settings.ridge),
      learning_rows_(settings.learning_rows),
      patterns_(view_patterns(problem.observed())),
      features_(at(problem.n_views())),
      grams_(at(problem.n_views())),
      readers_(at(problem.n_views())),
      groups_(at(problem.n_views()), 0) {
  const Index M = problem.n_views();
  const Index rank = settings.rank > 0 ? settings.rank : default_rank(problem.n_samples());
  parallel_for(M, threads, [&](Index m) {
    features_[at(m)] = view_features(problem.view(m).block, settings.log, rank);
  });
  fit();
  const Matrix shares = relations();
  linkage_.similarity = shares.cwiseMax(shares.transpose());
  if (settings.groups > 1) {
    groups_ = linkage_.cut(std::min(settings.groups, M));
    fit();
  }
}

Indices Model::sources_of(Index m) const {
  Indices sources;
  for (Index l = 0; l < problem_.n_views(); ++l)
    if (l != m && groups_[at(l)] == groups_[at(m)]) sources.push_back(l);
  return sources;
}

void Model::fit() {
  const Index M = problem_.n_views();
  for (auto& reader : readers_) reader.reset();
  std::vector<Indices> members(at(M));
  for (Index m = 0; m < M; ++m) members[at(groups_[at(m)])].push_back(m);
  parallel_for(M, threads_, [&](Index g) {
    const Indices& views = members[at(g)];
    if (views.empty()) return;
    const Completed completed = complete_features(problem_, features_, views, patterns_, ridge_);
    for (std::size_t v = 0; v < views.size(); ++v)
      grams_[at(views[v])] = linalg::gram_of_rows(completed.features[v]);
    if (g == 0) iterations_ = completed.iterations;
  });
  read_views(false);
  std::vector<Matrix> finer(at(M));
  parallel_for(M, threads_, [&](Index m) {
    finer[at(m)] =
        completed_gram(problem_, m, features_[at(m)].gram, readers_[at(m)]->read(1).weights);
    finer[at(m)] /= std::max(features_[at(m)].gram.diagonal().mean(), 1e-300);
  });
  grams_ = std::move(finer);
  read_views(true);
}

void Model::read_views(bool refit_patterns) {
  parallel_for(problem_.n_views(), threads_, [&](Index m) {
    const Reader* before = readers_[at(m)].get();
    readers_[at(m)] = std::make_unique<Reader>(
        problem_, patterns_, features_, grams_, m, sources_of(m), learning_rows_, refit_patterns,
        before && before->components().weights.size() > 0 ? &before->components() : nullptr);
  });
}

Matrix Model::relations() const {
  Matrix shares = Matrix::Zero(problem_.n_views(), problem_.n_views());
  for (Index m = 0; m < problem_.n_views(); ++m) {
    const Indices sources = sources_of(m);
    for (std::size_t l = 0; l < sources.size(); ++l)
      shares(m, sources[l]) = readers_[at(m)]->shares()(static_cast<Index>(l));
  }
  return shares;
}

CompletedView Model::view(Index m, const Variant& variant) const {
  if (problem_.complete(m)) return {Matrix(problem_.view(m).block), Vector(0)};
  return completed_view(problem_, m, features_[at(m)], readers_[at(m)]->read(variant.noise),
                        variant.length);
}

std::vector<std::vector<Matrix>> Model::kernels(const std::vector<Variant>& variants) const {
  std::vector<std::vector<Matrix>> kernels(variants.size(),
                                           std::vector<Matrix>(at(problem_.n_views())));
  for (Index m = 0; m < problem_.n_views(); ++m) {
    Reading reading;
    for (std::size_t v = 0; v < variants.size(); ++v) {
      if (problem_.complete(m)) {
        kernels[v][at(m)] = problem_.view(m).block;
        continue;
      }
      const bool same_noise = v > 0 && variants[v].noise == variants[v - 1].noise;
      if (same_noise && features_[at(m)].log) {  // the length means nothing here
        kernels[v][at(m)] = kernels[v - 1][at(m)];
        continue;
      }
      if (!same_noise) reading = readers_[at(m)]->read(variants[v].noise);
      kernels[v][at(m)] =
          completed_view(problem_, m, features_[at(m)], reading, variants[v].length).kernel;
    }
  }
  return kernels;
}

}  // namespace mkc::latent
