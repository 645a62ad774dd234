#pragma once

#include <string>

#include "mkc/evaluate/evaluation.hpp"

namespace mkc::app {

/// What will be hidden, as a sentence.
std::string hiding_text(const EvaluatePlan& plan, const Problem& problem, const HeldOut& first);

/// The scores of all methods as a table for the terminal.
std::string score_text(const io::Evaluation& evaluation);

/// The scores with labels as a table, and whether completion helped as sentences.
std::string label_text(const io::Evaluation& evaluation);

}  // namespace mkc::app
