#pragma once

#include <filesystem>
#include <optional>

#include "complete_arguments.hpp"
#include "factor/cost.hpp"
#include "files/checkpoint.hpp"
#include "files/input_record.hpp"
#include "files/joint_views.hpp"

namespace mkc::app {

/// All that decides the result; the number of threads does not.
std::string key_of(const CompleteArguments& arguments, const io::InputRecord& inputs,
                   const std::filesystem::path& output);

/// The first half of a completion in factor form: reads the tables, plans, and says what it takes.
class FactorPlanning {
 public:
  /// `input`: tables in memory; nothing: they are read in blocks.
  FactorPlanning(const CompleteArguments& arguments, Terminal& terminal, io::RunRecord record,
                 std::optional<Input> input);

  bool reads_blocks() const { return !input_; }
  io::FactorRecord& record() { return record_; }
  RunOptions run_options() const;

  io::JointSource read(const io::FileNamer& spool);
  /// Keeps the plan in the checkpoint, where there is one, or takes it from there.
  factor::Plan plan(const io::JointSource& source, io::Checkpoint* checkpoint,
                    factor::PlanRows rows = factor::PlanRows::own);
  /// What was read, and what the rest will take.
  void describe(const factor::Plan& plan, const io::JointSource& source);

 private:
  factor::Size size_of(const io::JointSource& source) const;

  const CompleteArguments& arguments_;
  Terminal& terminal_;
  std::optional<Input> input_;
  factor::FactorOptions options_;
  io::FactorRecord record_;
  factor::Size size_;
  double in_memory_ = 0;  // bytes of values
};

}  // namespace mkc::app
