#pragma once

#include <optional>

#include "mkc/methods/method.hpp"
#include "mkc/problem/metrics.hpp"

namespace mkc {

/// The features of a view that a sample lacks.
enum class CvktFill {
  zero,    // zero features, as published: such samples shrink towards the mean
  scaled,  // zero features, the others scaled up by sqrt(other views / views the sample has)
};

struct CvktOptions {
  std::optional<double> ridge = {};  // relative; larger is smoother; empty: chosen on held-out rows
  CvktFill fill = CvktFill::scaled;
  Measure measure = Measure::are;  // what is minimised on held-out rows
};

/// Cross-view kernel transfer (Huusari, Capponi, Villoutreix and Kadri 2019): the features Psi of
/// the other views side by side, zero where a sample lacks the view, are turned and stretched until
/// their kernel is aligned with the view,
///
///   max over U of  tr(U'BU) / ||U'(C + ridge I)U||_F,  C = Psi_I'Psi_I,  B = Psi_I'K_II Psi_I,
///
/// the alignment of Psi U U'Psi' with K_II up to a constant, and a ridge. With V = (C + ridge
/// I)^(1/2) U the ratio is <B~, VV'> / ||VV'||, largest where VV' is proportional to B~ = (C +
/// ridge I)^(-1/2) B (C + ridge I)^(-1/2): a closed form to which the authors climb by gradient
/// steps. What it predicts for all samples needs only G = Psi Psi', the sum of the zero-padded
/// kernels:
///
///   K^ = s A'K_II A,  A = (G_II + ridge I)^-1 G_I.,  s: the view's own mean on I x I.
///
/// Ours: the closed form and its ridge; all samples as landmarks; a constant feature in place of
/// centring, since the centred alignment does not determine the mean; `fill`.
Method cvkt_method();

OptionTable<CvktOptions> cvkt_options();

}  // namespace mkc
