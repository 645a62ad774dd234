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

/// Where the descent starts. All but `loo` need form=paper.
enum class EmbeddingStart {
  loo,       // leave-one-out kernel ridge weights
  identity,  // A_II = I, missing columns uniform(-1, 1) / n_m
  paper,     // Algorithm 1: A_II = I, all other weights uniform(-1, 1)
  random,    // all weights uniform(-1, 1)
};

/// Whether weights of size 1, at random, are among the first.
inline bool is_random(EmbeddingStart start) {
  return start == EmbeddingStart::paper || start == EmbeddingStart::random;
}

/// How kernels follow from the weights. All but `identity` need form=paper.
enum class Readout {
  identity,  // K^ = A'KA with A_II replaced by the identity: the observed block is kept
  weights,   // K^ = A'KA with A as solved (paper, Eq. app)
  others,    // the paper's second estimate, embd_ht: sum_l s_ml A_l,(I_m) in place of A_m
};

/// What A_l holds in the rows of samples that view l lacks, where view m has them.
enum class OutsideRows {
  carried,  // its weights moved to samples that view m has; form=features
  zero,     // 0, as in the authors' released code; form=paper
  free,     // unknowns of the between-view losses alone: the paper restricts them nowhere
};

/// Options of `embd_hm`. A field left empty (`auto`) follows from `form`, or is chosen on held-out
/// observed rows (c2, ridge).
struct HomogeneousOptions {
  std::optional<double> c2;     // weight of the l2,1 norm; larger: fewer samples serve as basis
  std::optional<double> ridge;  // of the leave-one-out start, relative; larger is smoother
  std::optional<DiagonalRule> diagonal;  // auto: add; form=paper: none
  Measure measure = Measure::are;        // what is minimised on held-out rows
  EmbeddingForm form = EmbeddingForm::features;
  std::optional<Readout> readout;       // auto: identity; form=paper: weights
  std::optional<EmbeddingStart> start;  // auto: loo; form=paper: paper
  std::optional<Index> n_init;          // starts, the lowest objective is kept; auto: 1; paper: 5
  std::optional<LossScaling> scaling;   // auto: unit; form=paper: paper
  double tol = 1e-4;                    // relative distance to stationarity at which to stop
  Index max_iter = 60;                  // reweighting rounds
};

/// `embd_hm`: one set of reconstruction weights for all views (paper, MKC_embd(hm)).
Method embd_hm_method();

OptionTable<HomogeneousOptions> embd_hm_options();

/// Options of `embd_ht`. A field left empty (`auto`) follows from `form`, or is chosen on held-out
/// observed rows (c1, c2, ridge).
struct HeterogeneousOptions {
  std::optional<double> c1;     // weight of the between-view loss; larger: views more alike
  std::optional<double> c2;     // weight of the l2,1 norm; larger: fewer samples serve as basis
  std::optional<double> ridge;  // of the leave-one-out start, relative; larger is smoother
  double tau = 1;  // ridge on the view weights S; larger: more equal; 0: the paper's QP
  std::optional<DiagonalRule> diagonal;  // auto: add; form=paper: none
  Measure measure = Measure::are;        // what is minimised on held-out rows
  EmbeddingForm form = EmbeddingForm::features;
  std::optional<Readout> readout;       // auto: identity; form=paper: weights
  std::optional<OutsideRows> rows;      // auto: carried; form=paper: free
  std::optional<EmbeddingStart> start;  // auto: loo; form=paper: paper
  std::optional<Index> n_init;          // starts, the lowest objective is kept; auto: 1; paper: 5
  std::optional<LossScaling> scaling;   // auto: unit; form=paper: paper
  double tol = 1e-4;                    // relative distance to stationarity at which to stop
  Index max_iter = 60;                  // rounds: S, then the weights
};

/// `embd_ht`: reconstruction weights of each view near a convex combination of the other views'
/// weights (paper, MKC_embd(ht), Eq. mkc_emht).
Method embd_ht_method();

OptionTable<HeterogeneousOptions> embd_ht_options();

}  // namespace mkc
