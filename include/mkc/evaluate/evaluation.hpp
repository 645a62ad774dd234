#pragma once

#include <optional>

#include "mkc/evaluate/summary.hpp"
#include "mkc/files/result_folder.hpp"

namespace mkc::io {

/// SHA-256 of all that a completion depends on: names, observed kernels and their transforms.
std::string problem_digest(const Problem& problem,
                           const std::vector<KernelTransformOptions>& transforms);

/// OptionError where the folder holds an evaluation of other data.
void check_same_data(const std::filesystem::path& folder, const std::string& digest);

/// Names a cell by all that its result depends on: the method with its options, the repeat, the
/// plan and seed, the problem and, where it has some, the labels. Two runs that share a key may
/// share the result.
std::string cell_key(const CellPlan& cell, const EvaluatePlan& plan, const std::string& problem,
                     const Labels* labels);

/// A finished cell as JSON, and back; nothing where the text is no cell.
std::string cell_json(const EvaluatedCell& cell);
std::optional<EvaluatedCell> parse_cell(const std::string& text);

/// What an evaluation was.
struct Evaluation {
  EvaluatePlan plan;
  std::vector<EvaluatedCell> cells;
  Index planned = 0;   // cells; fewer are there where it was interrupted
  std::string labels;  // FILE[:COLUMN], or ""
};

/// Tables (docs/reference/evaluate.md).
std::string summary_table(const Evaluation& evaluation);
std::string view_score_table(const Evaluation& evaluation, const Problem& problem);
std::string run_table(const Evaluation& evaluation);
std::string label_table(const Evaluation& evaluation);
std::string hidden_table(const Evaluation& evaluation, const Problem& problem);

/// meta_info.json of an evaluation.
std::string evaluation_info(const Evaluation& evaluation, const Assembled& assembled,
                            const RunRecord& record);

/// The tables and meta_info.json, whose text is returned.
std::string write_evaluation(OutputFolder& folder, const Evaluation& evaluation,
                             const Assembled& assembled, const RunRecord& record);

}  // namespace mkc::io
