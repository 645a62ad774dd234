#include "factor_planning.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/stopwatch.hpp"
#include "config.hpp"
#include "factor_tables.hpp"
#include "formats/sha256.hpp"
#include "mkc/version.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::app {

using factor::Plan;

std::string key_of(const CompleteArguments& arguments, const io::InputRecord& inputs,
                   const std::filesystem::path& output) {
  std::string text =
      fmt::format("mkc {}\n{}\nblock {}\n", version, linalg::blas_name(), arguments.memory);
  text +=
      effective_config(*arguments.options, {arguments.method}, view_specs(arguments.input), output);
  for (const auto& file : inputs.files()) text += file.path + " " + file.sha256 + "\n";
  return io::sha256_of_bytes(text);
}

FactorPlanning::FactorPlanning(const CompleteArguments& arguments, Terminal& terminal,
                               io::RunRecord record, std::optional<Input> input)
    : arguments_(arguments),
      terminal_(terminal),
      input_(std::move(input)),
      options_(factor_options(arguments.factor)) {
  record_.run = std::move(record);
  record_.seed = arguments.seed;
}

RunOptions FactorPlanning::run_options() const {
  return app::run_options(arguments_.seed, record_.run.threads, terminal_);
}

io::JointSource FactorPlanning::read(const io::FileNamer& spool) {
  const Stopwatch reading;
  terminal_.progress({"reading", 0, 0, 0});
  io::JointSource source = [&] {
    if (input_) {  // its mask and list have the names of the samples already
      for (const auto& view : input_->read.views)
        in_memory_ += 8 * static_cast<double>(view.values.size());
      const AssembleOptions options = std::move(input_->options);
      return io::join_views(io::large_views(std::move(input_->read), options.na_features), options,
                            {}, record_);
    }
    io::LargeViews large =
        io::read_large_views(view_specs(arguments_.input), reading_options(arguments_.input), spool,
                             record_.run.threads);
    return io::join_views(
        std::move(large), assemble_options(arguments_.input),
        [&](AssembleOptions& options, const std::vector<View>& views) {
          name_samples(options, views, id_rule(arguments_.input));
        },
        record_);
  }();
  record_.run.seconds.emplace_back("read", reading.seconds());
  return source;
}

factor::Size FactorPlanning::size_of(const io::JointSource& source) const {
  const factor::FactorOptions chosen = factor::settled(options_, source.n_samples());
  factor::Size size;
  size.n_samples = source.n_samples();
  size.n_views = source.n_views();
  size.observed = 0;
  for (Index m = 0; m < source.n_views(); ++m) {
    const factor::SourceView& view = source.views()[at(m)];
    const bool kernel = view.kernel.kernel == KernelKind::precomputed;
    const Index columns = kernel ? *chosen.landmarks : view.columns;
    size.columns += columns;
    size.widest = std::max(size.widest, columns);
    size.observed += static_cast<double>(source.observed(m));
  }
  size.observed /= static_cast<double>(size.n_samples * size.n_views);
  size.rank = *chosen.rank;
  size.landmarks = std::min(*chosen.landmarks, size.n_samples);
  size.anchors = std::min(*chosen.anchors, size.n_samples);
  size.block = std::min(options_.block, source.n_samples());
  const bool whole = source.n_samples() <= 2 * options_.sample;
  size.sample = whole ? source.n_samples() : options_.sample;
  size.values_in_memory = in_memory_;
  return size;
}

Plan FactorPlanning::plan(const io::JointSource& source, io::Checkpoint* checkpoint,
                          factor::PlanRows rows) {
  size_ = size_of(source);
  if (!arguments_.memory.empty())
    options_.block = size_.block =
        factor::block_within(size_, record_.run.threads, parse_bytes(arguments_.memory));
  const Stopwatch planning;
  if (checkpoint)
    if (auto kept = checkpoint->load("plan"))
      if (auto sample = checkpoint->load("sample"))
        return Plan::from(*std::move(kept)).with_sample(*std::move(sample));
  terminal_.progress({"planning", 0, 0, 0});
  Plan plan = factor::make_plan(source, options_, run_options(), rows);
  if (checkpoint) {
    checkpoint->save("sample", plan.sample_arrays());
    checkpoint->save("plan", plan.arrays());
  }
  record_.run.seconds.emplace_back("plan", planning.seconds());
  return plan;
}

void FactorPlanning::describe(const Plan& plan, const io::JointSource& source) {
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
      rough_time(factor::seconds_needed(size_, record_.run.threads)),
      factor::bytes_needed(size_, record_.run.threads) / 0x1p30,
      factor::output_bytes(size_) / 0x1p30));
}

}  // namespace mkc::app
