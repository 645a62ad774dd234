#include "methods/run_method.hpp"

#include <fmt/format.h>

#include "base/cancel.hpp"
#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "methods/shared/observed_block.hpp"
#include "mkc/base/error.hpp"
#include "numeric/blocks.hpp"

namespace mkc {

namespace {

Completion input_returned(const Problem& problem) {
  Completion completion;
  for (const auto& view : problem.views()) completion.kernels.emplace_back(view.block);
  completion.info.notices.emplace_back("nothing is missing: the input is returned unchanged");
  return completion;
}

KernelTransformOptions transform_of(const RunOptions& run, Index m) {
  if (run.transforms.empty()) return {};
  return run.transforms.size() == 1 ? run.transforms[0]
                                    : run.transforms.at(static_cast<std::size_t>(m));
}

std::vector<KernelTransform> fit_transforms(const Problem& problem, const RunOptions& run) {
  if (run.transforms.size() > 1 &&
      run.transforms.size() != static_cast<std::size_t>(problem.n_views()))
    throw InputError(fmt::format("transforms: {} entries for {} views", run.transforms.size(),
                                 problem.n_views()));
  std::vector<KernelTransform> transforms;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ObservedKernel& view = problem.view(m);
    transforms.push_back(
        KernelTransform::fit(view.block, transform_of(run, m), view.name, problem.samples_of(m)));
  }
  return transforms;
}

Problem transformed(const Problem& problem, const std::vector<KernelTransform>& transforms) {
  std::vector<SharedMatrix> blocks;
  for (std::size_t m = 0; m < transforms.size(); ++m) {
    const SharedMatrix& block = problem.views()[m].block;
    blocks.push_back(transforms[m].changes_nothing() ? block
                                                     : SharedMatrix(transforms[m].apply(block)));
  }
  return problem.with_blocks(std::move(blocks));
}

void check_result(const Completion& completion, const Problem& problem, const std::string& method) {
  for (Index m = 0; m < problem.n_views(); ++m)
    if (!completion.kernels[at(m)].allFinite())
      throw InputError(fmt::format("'{}' gave numbers that are not finite in view '{}'", method,
                                   problem.view(m).name),
                       {"choose another method",
                        {"normalize", "trace", "gives kernels a usual size, which may help too"}});
}

// The method on the transformed problem, then the transforms undone and the observed blocks kept.
Completion fit_and_finish(const Method& method, const OptionValues& options, const Problem& problem,
                          const RunOptions& run) {
  if (const std::string obstacle = method.obstacle(problem); !obstacle.empty())
    throw InputError(fmt::format("'{}' cannot run: {}", method.name, obstacle),
                     {"choose another method", {"command", "methods", "lists them"}});
  const auto fitted = fit_transforms(problem, run);  // checked in any case
  const auto transforms = method.transforms_itself ? fit_transforms(problem, {}) : fitted;
  const Problem inner = transformed(problem, transforms);

  const Stopwatch fitting;
  Completion completion = [&] {
    const StopScope scope(run.stop);
    return method.fit(inner, options, run);
  }();
  completion.info.seconds.emplace_back("fit", fitting.seconds());

  const Stopwatch finishing;
  const Effort effort =
      completion.info.status == Status::interrupted ? Effort::quick : Effort::full;
  parallel_for(problem.n_views(), run.threads, [&](Index m) {
    Matrix& K = completion.kernels[at(m)];
    const KernelTransform& transform = transforms[at(m)];
    const ObservedKernel& view = problem.view(m);
    if (auto& variances = completion.uncertainty)
      variances->col(m) = transform.undo_variances(variances->col(m), view.rows);
    if (run.fitted) {
      K = transform.undo_fitted(std::move(K), view.rows, view.block);
    } else {
      K = keep_observed(inner.view(m), problem.samples(), std::move(K), effort);
      K = transform.undo(std::move(K), view.rows, view.block);
    }
  });
  completion.info.seconds.emplace_back("finish", finishing.seconds());
  check_result(completion, problem, method.name);
  return completion;
}

}  // namespace

Completion with_given_blocks(const Problem& problem, Completion completion, const RunOptions& run) {
  for (Index m = 0; m < problem.n_views() && !run.fitted; ++m)
    paste(problem.view(m).block, problem.view(m).rows, completion.kernels[at(m)]);
  return completion;
}

Completion run_method(const Method& method, const OptionValues& options, const Problem& problem,
                      const RunOptions& run) {
  if (problem.indefinite())
    return with_given_blocks(problem, run_method(method, options, problem.nearest_psd(), run), run);
  const OptionValues parameters = method.effective_options(options);  // checks them

  Completion completion = problem.nothing_missing() ? input_returned(problem)
                                                    : fit_and_finish(method, options, problem, run);
  completion.info.method = method.name;
  // methods that choose options report them; the others used what they were given
  if (completion.info.parameters.empty()) completion.info.parameters = parameters;
  completion.info.seed = run.seed;
  return completion;
}

}  // namespace mkc
