#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "files/arrays_file.hpp"
#include "files/joint_source.hpp"
#include "formats/files.hpp"
#include "formats/npy_rows.hpp"
#include "mkc/factor/completed_factors.hpp"
#include "mkc/files/result_folder.hpp"
#include "mkc/problem/view_recipe.hpp"

namespace mkc::io {

/// What a result in factor form was made of.
struct FactorRecord {
  RunRecord run;
  std::uint64_t seed = 0;
  OptionValues parameters;                    // of the method, as chosen
  std::vector<factor::ViewSummary> features;  // of the views, as planned
  std::vector<ViewSummary> views;
  Indices observed;                // samples of every view
  std::vector<std::string> kinds;  // "features" or "kernel"
  Indices columns;
  Strings warnings, notices;
  std::string made_from;  // of a step that is repeated: all that decides its output; "" otherwise
  std::vector<ViewRecipe> recipes;  // of the views, for new samples; without kernels
};

/// meta_info.json of a result in factor form; of a plan without a model.
std::string factor_meta_info(const FactorRecord& record, Index n_samples,
                             const factor::Model* model);

/// What a step wrote into its meta_info.json as made_from; "" where there is nothing.
std::string made_from(const std::string& folder);

/// Files of rows in a result in factor form (docs/reference/output.md): a row per sample, or lines.
Strings factor_array_files(const Strings& views);
const Strings& factor_text_files();

/// The name of the sample in a row of the source.
using NameOfRow = std::function<std::string(Index row)>;

/// Writes them block by block, in order.
class FactorFolder {
 public:
  /// `first`: the first row of the source that is written.
  FactorFolder(OutputFolder& folder, const factor::Source& source, Index first,
               const Indices& ranks, const factor::FactorQuality* quality);
  FactorFolder(OutputFolder& folder, const Strings& views, NameOfRow name, Index first,
               const Indices& ranks, const factor::FactorQuality* quality);

  void add(const factor::CompletedBlock& block);
  void close();

  /// Per view: completed rows so far, and those of them whose error is unknown.
  const Indices& completed() const { return completed_; }
  const Indices& unknown_errors() const { return unknown_; }

 private:
  void add_lines(const factor::CompletedBlock& block);

  NameOfRow name_;
  Strings cells_;    // names of the views in tables
  Strings figures_;  // of the views, the same in all their lines
  std::vector<NpyRowWriter> factors_;
  NpyRowWriter extra_, variance_;
  OutputFile observed_, quality_, list_;
  Indices completed_, unknown_;
  Index next_;
};

/// Writes a whole result that is in memory: its rows and meta_info.json.
void write_factors(OutputFolder& folder, const FactorRecord& record, const factor::Model& model,
                   const factor::CompletedFactors& completed);

/// Completes blocks first, ..., last - 1 and writes them, on run.threads threads. InterruptedError
/// where run.progress returns false.
void complete_blocks(const factor::Plan& plan, const factor::Model& model,
                     const factor::Source& source, Index first, Index last, FactorFolder& out,
                     const RunOptions& run);

}  // namespace mkc::io
