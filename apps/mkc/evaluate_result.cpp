#include "evaluate_result.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/random.hpp"
#include "base/stopwatch.hpp"
#include "command.hpp"
#include "evaluate/trial_run.hpp"
#include "evaluate_tables.hpp"
#include "exit_codes.hpp"
#include "files/input_record.hpp"
#include "files/result_reader.hpp"
#include "interrupt.hpp"
#include "mkc/advise/advise.hpp"
#include "mkc/base/error.hpp"
#include "mkc/evaluate/evaluation.hpp"
#include "numeric/blocks.hpp"
#include "report/result_files.hpp"
#include "stored_input.hpp"

namespace mkc::app {

namespace {

// Cross-validated support vector machines take N^2 to N^3 operations.
constexpr std::size_t most_scored = 2000;

// The samples that are scored of a result, and their kernels.
struct ScoredPart {
  io::EvaluatedResult about;
  std::string method;
  TypedLabels labels;  // of the scored samples
  Strings samples, views;
  std::vector<Matrix> kernels;
  Mask observed;
};

// All samples, or of many the labelled ones with the smallest hashes.
Indices scored_rows(const Strings& samples, const Indices& with_label) {
  if (samples.size() > most_scored) {
    Indices rows = rows_by_hash(samples, with_label, most_scored, "samples of an evaluation");
    std::sort(rows.begin(), rows.end());
    return rows;
  }
  Indices rows(samples.size());
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

// Kernels F F' + diag(e) of some samples, from factors that stay in their files.
std::vector<Matrix> kernels_of(const FactorViews& factors, const Indices& rows) {
  std::vector<Matrix> kernels;
  for (Index m = 0; m < std::ssize(factors.views); ++m) {
    const Matrix F = factors.features(m, rows);  // a column per sample
    Matrix K = F.transpose() * F;
    K.diagonal() += factors.extra(rows, m);
    kernels.push_back(std::move(K));
  }
  return kernels;
}

ScoredPart read_part(const ResultEvaluation& arguments, Terminal& terminal) {
  ScoredPart part;
  io::StoredFactors factors;
  io::StoredResult result;
  const bool factor_form = io::is_factor_result(arguments.folder);
  if (factor_form) {
    factors = io::read_factor_result(arguments.folder);
  } else {
    result = io::read_result(arguments.folder);
  }
  const Strings samples = factor_form ? factors.samples : result.samples;
  part.views = factor_form ? factors.views : result.views;
  if (result.interrupted)
    terminal.warning(
        fmt::format("the run that made '{}' was interrupted: its kernels are the best it had so "
                    "far",
                    arguments.folder));
  const report::ResultFiles files =
      report::read_result_files(arguments.folder, samples, part.views);
  part.method = files.meta.value("method", "result");

  const TypedLabels labels =
      read_target(arguments.labels, samples, factor_form ? factors.ids : result.ids, terminal);
  check_target(labels.target, samples);
  const Indices with_label = labelled(labels.target), rows = scored_rows(samples, with_label);
  part.labels = {restricted(labels.target, rows), labels.evidence};
  part.samples = picked(samples, rows);
  part.observed = files.observed(rows, Eigen::all);
  if (factor_form) {
    part.kernels = kernels_of(factors, rows);
  } else {
    for (const Matrix& K : result.kernels) part.kernels.push_back(submatrix(K, rows, rows));
  }
  part.about = {arguments.folder, std::ssize(samples), std::ssize(part.views),
                std::ssize(with_label), std::ssize(labelled(part.labels.target))};
  return part;
}

void say_what_is_scored(const io::EvaluatedResult& about, Terminal& terminal) {
  if (about.scored < about.labelled) {
    terminal.message(fmt::format("labels are scored on {} of the {} labelled samples", about.scored,
                                 about.labelled));
  } else if (about.labelled < about.samples) {
    terminal.warning(fmt::format("{} of {} samples have no label and are left out",
                                 about.samples - about.labelled, about.samples));
  }
}

// One trial with the scores of every repeat, in other folds each; a failure where they cannot be.
template <class Score>
FinishedTrial scored_trial(const std::string& method, const EvaluatePlan& plan, Terminal& terminal,
                           const Score& score) {
  FinishedTrial trial{{method, 0, true}, {}};
  TrialResult& result = trial.result;
  result.spec = method;
  result.status = status_name(Status::converged);
  result.seconds = result.peak_mib = std::numeric_limits<double>::quiet_NaN();
  try {
    for (Index repeat = 1; repeat <= plan.repeats; ++repeat) {
      terminal.progress(
          {"scoring " + method, repeat, plan.repeats, std::numeric_limits<double>::quiet_NaN()});
      for (auto& scores : score(trial_seed(plan, repeat, "folds")))
        result.labels.push_back({repeat, std::move(scores)});
    }
  } catch (const InputError& error) {
    result.labels.clear();
    result.fail(error.what());
  }
  return trial;
}

std::vector<FinishedTrial> score(const ScoredPart& part, const EvaluatePlan& plan,
                                 Terminal& terminal) {
  const Problem problem = observed_part(part.samples, part.views, part.kernels, part.observed);
  const Target& target = part.labels.target;
  std::vector<FinishedTrial> trials;
  trials.push_back(scored_trial(part.method, plan, terminal, [&](std::uint64_t seed) {
    return label_scores(problem, part.kernels, target, seed, plan.weights);
  }));
  if (!problem.nothing_missing())
    trials.push_back(scored_trial(complete_cases, plan, terminal, [&](std::uint64_t seed) {
      return complete_case_scores(problem, target, seed, plan.weights);
    }));
  return trials;
}

}  // namespace

int evaluate_result(const ResultEvaluation& arguments, Terminal& terminal) {
  if (!arguments.labels.given())
    throw OptionError("a result that is completed is scored with labels",
                      "add --labels FILE[:COLUMN]; to compare methods on hidden rows give the "
                      "views instead of the result");
  Strings inputs = stored_inputs(arguments.folder);
  inputs.push_back(arguments.labels.existing_path());
  io::OutputFolder folder(arguments.output, "evaluate", arguments.force);
  refuse_to_overwrite_inputs(folder, inputs);

  const Stopwatch reading;
  terminal.progress({"reading", 0, 0, 0});
  io::RunRecord record{command_line(), {}, arguments.threads, false, {}};
  const io::InputRecord read(inputs);
  const ScoredPart part = read_part(arguments, terminal);
  record.inputs = read.confirmed();
  record.seconds.emplace_back("read", reading.seconds());
  say_what_is_scored(part.about, terminal);

  const Stopwatch running;
  io::Evaluation evaluation{
      arguments.plan,          score(part, arguments.plan, terminal), 0,
      arguments.labels.labels, type_of(part.labels.target),           part.labels.evidence};
  evaluation.planned = std::ssize(evaluation.trials);
  if (const auto& own = evaluation.trials.front().result; !own.failure.empty())
    throw InputError(own.failure);
  record.seconds.emplace_back("run", running.seconds());

  finish_first("writing the tables");
  terminal.result(label_text(evaluation));
  for (const auto& trial : evaluation.trials)
    if (!trial.result.failure.empty())
      terminal.warning(fmt::format("{}: {}", trial.plan.method, trial.result.failure));
  io::write_result_evaluation(folder, evaluation, part.about, record);
  io::write_text_file(folder.path("mkc.log"), terminal.log());
  commit(folder, terminal);
  terminal.message(fmt::format("tables in {}", folder.target().string()));
  if (arguments.json) print_result(folder.meta_info());
  return exit_ok;
}

}  // namespace mkc::app
