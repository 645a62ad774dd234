#pragma once

#include <optional>

#include "mkc/evaluate/summary.hpp"
#include "mkc/files/result_folder.hpp"

namespace mkc::io {

/// SHA-256 of everything a completion depends on: names, observed kernels and their transforms.
std::string problem_digest(const Problem& problem,
                           const std::vector<KernelTransformOptions>& transforms);

/// OptionError where the folder holds an evaluation of other data.
void check_same_data(const std::filesystem::path& folder, const std::string& digest);

/// Hash of everything the result of a trial depends on: the method with its options, the repeat,
/// the plan and seed, the problem and, if it is scored with labels, the labels. Runs that share a
/// key may share the result.
std::string trial_key(const TrialPlan& trial, const EvaluatePlan& plan, const std::string& problem,
                      const Target* labels);

/// A finished trial as JSON, and back; nothing where the text is not a trial.
std::string trial_json(const FinishedTrial& trial);
std::optional<FinishedTrial> parse_trial(const std::string& text);

struct Evaluation {
  EvaluatePlan plan;
  std::vector<FinishedTrial> trials;
  Index planned = 0;   // trials; more than are finished where it was interrupted
  std::string labels;  // FILE[:COLUMN], or ""
  LabelType label_type = LabelType::classes;
  std::string label_evidence = "";  // why they are of this type
};

/// Writes the tables (docs/reference/evaluate.md) and meta_info.json.
void write_evaluation(OutputFolder& folder, const Evaluation& evaluation,
                      const Assembled& assembled, const RunRecord& record);

/// A result that was completed before, of which labels alone are scored.
struct EvaluatedResult {
  std::string folder;
  Index samples = 0, views = 0;
  Index labelled = 0, scored = 0;  // samples with a label; of these, those that are scored
};

/// Writes summary.tsv, labels.tsv and meta_info.json.
void write_result_evaluation(OutputFolder& folder, const Evaluation& evaluation,
                             const EvaluatedResult& of, const RunRecord& record);

}  // namespace mkc::io
