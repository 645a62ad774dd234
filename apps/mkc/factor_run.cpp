#include "factor_run.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "completion_form.hpp"
#include "config.hpp"
#include "exit_codes.hpp"
#include "factor_cost.hpp"
#include "factor_tables.hpp"
#include "files/checkpoint.hpp"
#include "files/factor_folder.hpp"
#include "files/joint_source.hpp"
#include "files/result_reader.hpp"
#include "formats/sha256.hpp"
#include "interrupt.hpp"
#include "mkc/factor/completed_factors.hpp"
#include "mkc/version.hpp"
#include "numeric/linalg/blas.hpp"
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
        options_(factor::factor_options().parse(
            {{"rank", arguments.rank}, {"landmarks", arguments.landmarks}})) {
    record_.run = std::move(record);
    record_.seed = arguments.seed;
  }

  int run() {
    terminal_.message(fmt::format("completing in factor form: {}", start_.why));
    if (arguments_.dry_run && !start_.input) return end_dry_run();
    if (folder_) checkpoint_.emplace(folder_->target(), key());
    const io::JointSource source = read();
    const Plan plan = planned(source);
    describe(plan, source);
    if (arguments_.dry_run) return end_dry_run();
    const Model model = fitted(plan, source);
    write(plan, model, source);
    return start_.report->failed() ? exit_unexpected : exit_ok;
  }

 private:
  /// All that decides the result. The number of threads does not.
  std::string key() const {
    std::string text =
        fmt::format("mkc {}\n{}\nblock {}\n", version, linalg::blas_name(), arguments_.memory);
    text += effective_config(*arguments_.options, {arguments_.method}, view_specs(arguments_.input),
                             folder_->target());
    for (const auto& file : start_.inputs.files()) text += file.path + " " + file.sha256 + "\n";
    return io::sha256_of_bytes(text);
  }

  io::JointSource read() {
    const Stopwatch reading;
    terminal_.progress({"reading", 0, 0, 0});
    AssembleOptions options;
    io::LargeViews large;
    if (start_.input) {
      options = start_.input->options;
      for (const auto& view : start_.input->read.views)
        in_memory_ += 8 * static_cast<double>(view.values.size());
      large = io::large_views(std::move(start_.input->read), options.na_features);
    } else {
      const io::ReadAllOptions reading_as = reading_options(arguments_.input);
      large = io::read_large_views(
          view_specs(arguments_.input), reading_as, [this] { return checkpoint_->scratch(); },
          record_.run.threads);
      options = assemble_options(arguments_.input);
    }
    std::vector<View> shells;
    for (const auto& one : large.views) {
      shells.push_back(one.view);
      record_.kinds.push_back(view_kind_name(one.kind));
    }
    if (!in_memory_) name_samples(options, shells, id_rule(arguments_.input));
    const Alignment alignment = align_samples(shells, options);
    take_notices(shells, large.notices, check_shared_samples(shells, alignment));
    for (const auto& view : shells) record_.views.push_back(summary_of(view));
    shells.clear();
    io::JointSource source(std::move(large.views), alignment, options.na_features);
    for (Index m = 0; m < source.n_views(); ++m) {
      record_.observed.push_back(source.observed(m));
      record_.columns.push_back(source.views()[at(m)].columns);
    }
    record_.run.seconds.emplace_back("read", reading.seconds());
    return source;
  }

  void take_notices(const std::vector<View>& views, const Strings& common, const Strings& shared) {
    for (const auto& notice : common) record_.notices.push_back(notice);
    for (const auto& view : views)
      for (const auto& notice : view.notices)
        record_.notices.push_back(place_of(view) + ": " + notice);
    for (const auto& notice : shared) record_.notices.push_back(notice);
  }

  FactorSize size_of(const io::JointSource& source) const {
    FactorSize size;
    size.n_samples = source.n_samples();
    size.n_views = source.n_views();
    for (const auto& view : source.views()) {
      const bool kernel = view.kernel.kernel == KernelKind::precomputed;
      const Index columns = kernel ? options_.landmarks.value_or(1000) : view.columns;
      size.columns += columns;
      size.widest = std::max(size.widest, columns);
    }
    const bool small = source.n_samples() <= 20000;  // finer maps cost little
    size.rank = options_.rank.value_or(small ? 200 : 100);
    size.landmarks = std::max(size.rank, options_.landmarks.value_or(small ? 1000 : 400));
    size.anchors = options_.anchors.value_or(small ? 1000 : 600);
    size.block = std::min(options_.block, source.n_samples());
    const bool whole = source.n_samples() <= 2 * options_.sample;
    size.sample = whole ? source.n_samples() : options_.sample;
    size.values_in_memory = in_memory_;
    return size;
  }

  Plan planned(const io::JointSource& source) {
    size_ = size_of(source);
    if (!arguments_.memory.empty())
      options_.block = size_.block =
          block_within(size_, record_.run.threads, parse_bytes(arguments_.memory));
    const Stopwatch planning;
    if (checkpoint_)
      if (const auto arrays = checkpoint_->load("plan")) return Plan::from(*arrays);
    terminal_.progress({"planning", 0, 0, 0});
    Plan plan = factor::make_plan(source, options_, run_options());
    if (checkpoint_) checkpoint_->save("plan", plan.arrays());
    record_.run.seconds.emplace_back("plan", planning.seconds());
    return plan;
  }

  /// What was read, and what the rest will take.
  void describe(const Plan& plan, const io::JointSource& source) {
    record_.features = plan.views();
    record_.parameters = factor::factor_options().values(plan.options());
    size_.rank = size_.landmarks = 0;
    for (const auto& view : plan.views()) {
      size_.rank = std::max(size_.rank, view.rank);
      size_.landmarks = std::max(size_.landmarks, view.landmarks);
    }
    for (const auto& notice : plan.notices()) record_.notices.push_back(notice);
    for (const auto& notice : record_.notices) terminal_.warning(notice);
    terminal_.result(factor_view_table(record_, source.n_samples()));
    const Index passes = plan.rounds() + 1;
    terminal_.message(fmt::format(
        "{} passes over {}, about {}; {:.2g} GiB of memory, {:.2g} GiB of output; observed entries "
        "come back up to the trace error",
        passes, counted(source.n_samples(), "sample"),
        rough_time(factor_seconds(size_, passes, record_.run.threads)),
        factor_bytes(size_, record_.run.threads) / 0x1p30, factor_output_bytes(size_) / 0x1p30));
  }

  RunOptions run_options() {
    return app::run_options(arguments_.seed, record_.run.threads, terminal_);
  }

  Model fitted(const Plan& plan, const io::JointSource& source) {
    const Stopwatch fitting;
    Model model = factor::start_model(plan);
    for (Index round = plan.rounds(); round > 0; --round)
      if (const auto arrays = checkpoint_->load(fmt::format("model-{}", round))) {
        model = Model::from(plan, *arrays);
        terminal_.message(fmt::format("going on after pass {} of an earlier run", round));
        break;
      }
    say_what_is_kept(model.rounds_done());
    while (!model.finished()) {
      const auto sums = factor::moments(plan, model, source, 0, plan.n_blocks(), run_options());
      model = factor::advance(plan, model, sums, run_options());
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
    io::FactorFolder out(*folder_, source.samples(), names_of(plan.views()), ranks,
                         model.quality());
    const Index blocks = (source.n_samples() + plan.options().block - 1) / plan.options().block;
    const int threads = record_.run.threads;
    std::vector<factor::CompletedBlock> done(at(std::min<Index>(threads, blocks)));
    for (Index first = 0; first < blocks; first += std::ssize(done)) {
      const Index count = std::min(std::ssize(done), blocks - first);
      parallel_for(count, threads,
                   [&](Index k) { done[at(k)] = factor::apply(plan, model, source, first + k); });
      for (Index k = 0; k < count; ++k) out.add(done[at(k)]);
      Progress progress;
      progress.phase = "writing factors";
      progress.share = static_cast<double>(first + count) / static_cast<double>(blocks);
      terminal_.progress(progress);
    }
    out.close();
    warn(plan, model, out);
    record_.run.inputs = start_.inputs.confirmed();
    record_.run.seconds.emplace_back("write", applying.seconds());
    finish_first("writing the result");
    finish(plan, model, source.n_samples());
  }

  void finish(const Plan& plan, const Model& model, Index n_samples) {
    io::write_text_file(folder_->path("meta_info.json"),
                        io::factor_meta_info(record_, n_samples, model.quality()));
    io::write_text_file(folder_->path("config.toml"), config(plan));
    const std::string place = arguments_.output;
    terminal_.result(
        fmt::format("completed in factor form (seed {}): {}\n", arguments_.seed, printable(place)));
    if (model.quality() != nullptr)
      terminal_.result(factor_quality_table(record_, *model.quality(), n_samples));
    start_.report->write(*folder_, place, [this] { return page(); }, terminal_);
    terminal_.detail(fmt::format("memory used at most: {:.0f} MiB", peak_memory_mib()));
    io::write_text_file(folder_->path("mkc.log"), terminal_.log());
    app::commit(*folder_, terminal_);
    start_.report->commit();
    checkpoint_->remove();
    if (arguments_.terminal.json) print_result(folder_->meta_info());
  }

  std::string page() const {
    const auto folder = folder_->path("meta_info.json").parent_path();
    const io::SampledResult sampled = io::read_result_sample(folder.string(), report::most_shown);
    report::ReportOptions options;
    options.title = arguments_.report.title;
    options.threads = record_.run.threads;
    if (sampled.places.size() < sampled.samples.size()) options.shown = sampled.places;
    return report::completion_page(folder, sampled.samples, sampled.shown.views,
                                   sampled.shown.kernels, options);
  }

  /// Repeats this run with the form and sizes that it found.
  std::string config(const Plan& plan) const {
    const auto number = [](const std::optional<Index>& value) {
      return value ? std::to_string(*value) : std::string("auto");
    };
    for (const auto& option : arguments_.options->options) {
      if (option.positional()) continue;
      if (option.key() == "form") option.set("factor");
      if (option.key() == "rank") option.set(number(plan.options().rank));
      if (option.key() == "landmarks") option.set(number(plan.options().landmarks));
    }
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
  factor::FactorOptions options_;
  io::FactorRecord record_;
  std::optional<io::Checkpoint> checkpoint_;
  FactorSize size_;
  double in_memory_ = 0;  // bytes of values
};

}  // namespace

int complete_in_factor_form(const CompleteArguments& arguments, Terminal& terminal,
                            io::OutputFolder* folder, io::RunRecord record, FactorStart start) {
  return FactorRun(arguments, terminal, folder, std::move(record), std::move(start)).run();
}

}  // namespace mkc::app
