#include "mkc/factor/completed_factors.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "mkc/base/error.hpp"
#include "select/view_figures.hpp"

namespace mkc::factor {

namespace {

CompletedBlock space_for(const Plan& plan) {
  const Index N = plan.n_samples(), M = plan.n_views();
  CompletedBlock all;
  all.observed.resize(N, M);
  for (const ViewSummary& view : plan.views()) all.features.emplace_back(N, view.rank);
  for (Matrix* values : {&all.extra, &all.variance, &all.error, &all.low, &all.high})
    values->resize(N, M);
  return all;
}

void put(const CompletedBlock& block, CompletedBlock& all) {
  const Index n = block.count();
  all.observed.middleRows(block.first, n) = block.observed;
  for (std::size_t m = 0; m < all.features.size(); ++m)
    all.features[m].middleRows(block.first, n) = block.features[m];
  all.extra.middleRows(block.first, n) = block.extra;
  all.variance.middleRows(block.first, n) = block.variance;
  all.error.middleRows(block.first, n) = block.error;
  all.low.middleRows(block.first, n) = block.low;
  all.high.middleRows(block.first, n) = block.high;
}

CompletedBlock apply_to_all(const Plan& plan, const Model& model, const Source& source,
                            const RunOptions& run) {
  CompletedBlock all = space_for(plan);
  const Index together = std::max(1, run.threads);
  for (Index first = 0; first < plan.n_blocks(); first += together) {
    const Index count = std::min(together, plan.n_blocks() - first);
    parallel_for(count, run.threads,
                 [&](Index k) { put(apply(plan, model, source, first + k), all); });
    Progress progress;
    progress.phase = "completing";
    progress.share = static_cast<double>(first + count) / static_cast<double>(plan.n_blocks());
    if (run.progress && !run.progress(progress))
      throw InterruptedError("interrupted while rows were completed");
  }
  return all;
}

}  // namespace

CompletedFactors complete(const Source& source, const FactorOptions& options,
                          const RunOptions& run) {
  const Plan plan = make_plan(source, options, run);
  return complete(plan, fit(plan, source, run), source, run);
}

CompletedFactors complete(const Plan& plan, const Model& model, const Source& source,
                          const RunOptions& run) {
  CompletedFactors all;
  for (Index i = 0; i < source.n_samples(); ++i) all.samples.push_back(source.sample(i));
  all.views = plan.views();
  all.rows = apply_to_all(plan, model, source, run);
  if (model.quality() != nullptr) all.quality = *model.quality();
  all.options = plan.options();
  all.warnings = warnings_about(plan, model);
  Indices completed, unknown;
  for (Index m = 0; m < plan.n_views(); ++m) {
    const auto missing = !all.rows.observed.col(m);
    completed.push_back(missing.count());
    unknown.push_back((missing && !(all.rows.high.col(m).array() <= 1)).count());
  }
  for (const Strings& more : {plan.notices(), model.notices()})
    all.notices.insert(all.notices.end(), more.begin(), more.end());
  if (all.quality)
    for (auto& notice : notices_about_unknown_errors(plan, completed, unknown))
      all.notices.push_back(std::move(notice));
  return all;
}

Strings warnings_about(const Plan& plan, const Model& model) {
  std::vector<JudgedView> views;
  bool complete = true;
  for (const ViewSummary& view : plan.views()) {
    views.push_back({view.name, view.observed == plan.n_samples()});
    complete = complete && views.back().complete;
  }
  if (model.quality() != nullptr) return warnings_about_views(views, model.quality()->quality);
  if (complete) return {};
  return {"too few rows could be hidden: the errors of completed rows are unknown"};
}

Strings notices_about_unknown_errors(const Plan& plan, const Indices& completed,
                                     const Indices& unknown) {
  Strings notices;
  for (std::size_t m = 0; m < unknown.size(); ++m)
    if (unknown[m] > 0)
      notices.push_back(notice_of_unknown_errors(plan.views()[m].name, unknown[m], completed[m]));
  return notices;
}

}  // namespace mkc::factor
