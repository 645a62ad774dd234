#pragma once

#include "arguments.hpp"
#include "label_arguments.hpp"
#include "mkc/evaluate/trial.hpp"

namespace mkc::app {

/// `mkc evaluate RESULT --labels FILE`: how well labels are predicted from the completed kernels of
/// a folder of `mkc complete`, in dense or in factor form.
struct ResultEvaluation {
  std::string folder, output;
  LabelArguments labels;
  EvaluatePlan plan;  // repeats, seed and weights count
  int threads = 1;
  bool force = false, json = false;
};
int evaluate_result(const ResultEvaluation& arguments, Terminal& terminal);

}  // namespace mkc::app
