#pragma once

#include <optional>

#include "mkc/factor/steps.hpp"

namespace mkc::factor {

/// All samples of a source, completed and in memory: N M (rank + 5) numbers.
struct CompletedFactors {
  Strings samples;
  std::vector<ViewSummary> views;
  CompletedBlock rows;                   // of all samples
  std::optional<FactorQuality> quality;  // none: no row could be hidden, or nothing is missing
  FactorOptions options;                 // as chosen
  Strings warnings;                      // what limits the trust in the result
  Strings notices;                       // choices that were made
};

/// Every step at once. InterruptedError where run.progress returns false: there is nothing to keep.
CompletedFactors complete(const Source& source, const FactorOptions& options,
                          const RunOptions& run);

/// The last one, of a finished model.
CompletedFactors complete(const Plan& plan, const Model& model, const Source& source,
                          const RunOptions& run);

/// What the hidden rows say against completed views, of a finished model.
Strings warnings_about(const Plan& plan, const Model& model);

/// Views of which the errors of `unknown` of `completed` rows are unknown (per view).
Strings notices_about_unknown_errors(const Plan& plan, const Indices& completed,
                                     const Indices& unknown);

}  // namespace mkc::factor
