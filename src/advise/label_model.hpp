#pragma once

#include "advise/joint_model.hpp"
#include "mkc/problem/label_types.hpp"

namespace mkc::advice {

/// A ridge regression of the labels on the completed features: which directions of the features
/// matter for the labels, and for which samples the answer is open.
///
/// Classes are one column each, 1 for the own class; numbers are themselves; survival is its
/// martingale residuals without covariates (more events than expected by that time: positive).
/// Columns are centred. The ridge is the one of the smallest leave-one-out error.
struct LabelModel {
  Matrix weights;    // (R, outputs) in units in which the variance of the labels is 1
  Vector closeness;  // (N) mean 1: for classes, how near the two largest scores are; else 1
  double error = 0;  // leave-one-out squared error over the variance of the labels
};

/// InputError where fewer than 3 samples have a label, all labels are equal, or no sample has the
/// event.
LabelModel fit_label_model(const JointModel& model, const Target& target);

}  // namespace mkc::advice
