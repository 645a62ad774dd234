#include "factor_run.hpp"

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/stopwatch.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "config.hpp"
#include "exit_codes.hpp"
#include "factor_planning.hpp"
#include "factor_tables.hpp"
#include "files/result_reader.hpp"
#include "interrupt.hpp"
#include "mkc/factor/completed_factors.hpp"
#include "mkc/files/factor_model.hpp"
#include "process_pool.hpp"
#include "report/report.hpp"

namespace mkc::app {

namespace {

using factor::Model;
using factor::Plan;

/// One run, step by step.
class FactorRun {
 public:
  FactorRun(const CompleteArguments& arguments, Terminal& terminal, io::OutputFolder* folder,
            io::RunRecord record, FactorStart start)
      : arguments_(arguments),
        terminal_(terminal),
        folder_(folder),
        start_(std::move(start)),
        planning_(arguments, terminal, std::move(record), std::move(start_.input)),
        record_(planning_.record()) {}

  int run() {
    terminal_.message(fmt::format("completing in factor form: {}", start_.why));
    if (arguments_.dry_run && planning_.reads_blocks()) return end_dry_run();
    if (folder_)
      checkpoint_.emplace(folder_->target(), key_of(arguments_, start_.inputs, folder_->target()));
    const io::JointSource source = planning_.read([this] { return checkpoint_->scratch(); });
    const Plan plan = planning_.plan(source, checkpoint_ ? &*checkpoint_ : nullptr);
    planning_.describe(plan, source);
    if (arguments_.dry_run) return end_dry_run();
    const Model model = fitted(plan, source);
    write(plan, model, source);
    return start_.report->failed() ? exit_unexpected : exit_ok;
  }

 private:
  Model fitted(const Plan& plan, const io::JointSource& source) {
    const Stopwatch fitting;
    Model model = factor::start_model(plan);
    for (Index round = plan.rounds(); round > 0; --round)
      if (auto arrays = checkpoint_->load(fmt::format("model-{}", round))) {
        model = Model::from(plan, *std::move(arrays));
        terminal_.message(fmt::format("going on after pass {} of an earlier run", round));
        break;
      }
    say_what_is_kept(model.rounds_done());
    while (!model.finished()) {
      const auto sums =
          factor::moments(plan, model, source, 0, plan.n_blocks(), planning_.run_options());
      model = factor::advance(plan, model, sums, planning_.run_options());
      checkpoint_->save(fmt::format("model-{}", model.rounds_done()), model.arrays());
      say_what_is_kept(model.rounds_done());
    }
    for (const auto& notice : model.notices()) note(notice);
    record_.run.seconds.emplace_back("fit", fitting.seconds());
    return model;
  }

  void note(const std::string& notice) {
    record_.notices.push_back(notice);
    terminal_.warning(notice);
  }

  /// What limits the trust in the result.
  void warn(const Plan& plan, const Model& model, const io::FactorFolder& out) {
    record_.warnings = factor::warnings_about(plan, model);
    for (const auto& warning : record_.warnings) terminal_.serious(warning);
    if (model.quality() == nullptr) return;
    for (const auto& notice :
         factor::notices_about_unknown_errors(plan, out.completed(), out.unknown_errors()))
      note(notice);
  }

  static void say_what_is_kept(Index round) {
    if (round > 0)
      set_leaving_notice(fmt::format(
          "interrupted: the same command goes on after pass {}; nothing was written", round));
  }

  void write(const Plan& plan, const Model& model, const io::JointSource& source) {
    const Stopwatch applying;
    Indices ranks;
    for (const auto& view : plan.views()) ranks.push_back(view.rank);
    io::FactorFolder out(*folder_, source, 0, ranks, model.quality());
    RunOptions run;
    run.threads = record_.run.threads;
    run.progress = [this](const Progress& progress) {
      terminal_.progress(progress);
      return true;  // a signal ends the process: there is nothing to keep
    };
    io::complete_blocks(plan, model, source, 0, plan.n_blocks(), out, run);
    out.close();
    warn(plan, model, out);
    record_.run.inputs = start_.inputs.confirmed();
    record_.run.seconds.emplace_back("write", applying.seconds());
    finish_first("writing the result");
    finish(plan, model, source.n_samples());
  }

  void finish(const Plan& plan, const Model& model, Index n_samples) {
    const std::string about = io::factor_meta_info(record_, n_samples, &model);
    io::write_text_file(folder_->path("meta_info.json"), about);
    if (start_.model) write_model(plan, model, about);
    io::write_text_file(folder_->path("config.toml"), config(plan));
    const std::string place = arguments_.output;
    terminal_.result(
        fmt::format("completed in factor form (seed {}): {}\n", arguments_.seed, printable(place)));
    if (model.quality() != nullptr)
      terminal_.result(factor_quality_table(record_, *model.quality(), n_samples));
    start_.report->write(
        *folder_, place,
        [this] { return factor_page(*folder_, arguments_.report.title, record_.run.threads); },
        terminal_);
    terminal_.detail(fmt::format("memory used at most: {:.0f} MiB", peak_memory_mib()));
    io::write_text_file(folder_->path("mkc.log"), terminal_.log());
    app::commit(*folder_, terminal_);
    start_.report->commit();
    commit_model();
    checkpoint_->remove();
    if (arguments_.terminal.json) print_result(folder_->meta_info());
  }

  void write_model(const Plan& plan, const Model& model, const std::string& about) const {
    io::SavedModel views;
    for (const auto& view : plan.views()) views.model.views.push_back({view.name, {}, {}});
    views.recipes = record_.recipes;
    views.about = about;
    io::write_factor_model(start_.model->path(), {std::move(views), plan, model});
  }

  void commit_model() {
    if (start_.model == nullptr) return;
    start_.model->commit();
    terminal_.result(fmt::format("model for new samples (mkc predict): {}\n",
                                 printable(start_.model->target().string())));
  }

  /// Repeats this run with the form and sizes that it found.
  std::string config(const Plan& plan) const {
    for (const auto& option : arguments_.options->options)
      if (!option.positional() && option.key() == "form") option.set("factor");
    set_factor_options(*arguments_.options, plan.options());
    return effective_config(*arguments_.options, {arguments_.method}, view_specs(arguments_.input),
                            folder_->target());
  }

  int end_dry_run() {
    terminal_.message("dry run: nothing was written");
    return exit_ok;
  }

  const CompleteArguments& arguments_;
  Terminal& terminal_;
  io::OutputFolder* folder_;
  FactorStart start_;
  FactorPlanning planning_;
  io::FactorRecord& record_;
  std::optional<io::Checkpoint> checkpoint_;
};

}  // namespace

std::string factor_page(io::OutputFolder& result, const std::string& title, int threads) {
  const auto folder = result.path("meta_info.json").parent_path();
  const io::SampledResult sampled = io::read_result_sample(folder.string(), report::most_shown);
  report::ReportOptions options;
  options.title = title;
  options.threads = threads;
  if (sampled.places.size() < sampled.samples.size()) options.shown = sampled.places;
  return report::completion_page(folder, sampled.samples, sampled.shown.views,
                                 sampled.shown.kernels, options);
}

int complete_in_factor_form(const CompleteArguments& arguments, Terminal& terminal,
                            io::OutputFolder* folder, io::RunRecord record, FactorStart start) {
  return FactorRun(arguments, terminal, folder, std::move(record), std::move(start)).run();
}

}  // namespace mkc::app
