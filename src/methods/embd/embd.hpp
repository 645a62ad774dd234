#pragma once

#include <optional>

#include "methods/shared/reconstruction.hpp"
#include "mkc/methods/method.hpp"
#include "mkc/problem/metrics.hpp"

namespace mkc {

/// What is minimised; docs/decisions/0005-what-the-embedding-methods-minimise.md.
enum class EmbeddingForm {
  features,  // the loss in feature space, weights carried between views: works, and the default
  paper,     // the paper's objectives as printed: losses on kernel values
};

/// Where the descent starts.
enum class EmbeddingStart {
  loo,       // leave-one-out kernel ridge weights
  identity,  // A_II = I, missing columns uniform(-1, 1) / n_m, as in Algorithm 1; form=paper only
};

/// Options of `embd_hm`. A field left empty (`auto`) is chosen on held-out observed rows.
struct HomogeneousOptions {
  std::optional<double> c2;     // weight of the l2,1 norm; larger: fewer samples serve as basis
  std::optional<double> ridge;  // of the leave-one-out start, relative; larger is smoother
  DiagonalRule diagonal = DiagonalRule::add;
  Measure measure = Measure::are;  // what is minimised on held-out rows
  EmbeddingForm form = EmbeddingForm::features;
  EmbeddingStart start = EmbeddingStart::loo;
  Index n_init = 1;  // starts, all but the first perturbed at random; the lowest objective is kept
  LossScaling scaling = LossScaling::unit;
  double tol = 1e-4;    // relative distance to stationarity at which to stop
  Index max_iter = 60;  // reweighting rounds
};

/// `embd_hm`: one set of reconstruction weights for all views (paper, MKC_embd(hm)).
Method embd_hm_method();

OptionTable<HomogeneousOptions> embd_hm_options();

/// Options of `embd_ht`. A field left empty (`auto`) is chosen on held-out observed rows.
struct HeterogeneousOptions {
  std::optional<double> c1;     // weight of the between-view loss; larger: views more alike
  std::optional<double> c2;     // weight of the l2,1 norm; larger: fewer samples serve as basis
  std::optional<double> ridge;  // of the leave-one-out start, relative; larger is smoother
  double tau = 1;  // ridge on the view weights S; larger: more equal; 0: the paper's QP
  DiagonalRule diagonal = DiagonalRule::add;
  Measure measure = Measure::are;  // what is minimised on held-out rows
  EmbeddingForm form = EmbeddingForm::features;
  EmbeddingStart start = EmbeddingStart::loo;
  Index n_init = 1;  // starts, all but the first perturbed at random; the lowest objective is kept
  LossScaling scaling = LossScaling::unit;
  double tol = 1e-4;    // relative distance to stationarity at which to stop
  Index max_iter = 60;  // rounds: S, then the weights
};

/// `embd_ht`: reconstruction weights of each view near a convex combination of the other views'
/// weights (paper, MKC_embd(ht), Eq. mkc_emht).
Method embd_ht_method();

OptionTable<HeterogeneousOptions> embd_ht_options();

}  // namespace mkc
