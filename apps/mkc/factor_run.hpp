#pragma once

#include <optional>
#include <string>

#include "complete_arguments.hpp"
#include "files/input_record.hpp"
#include "mkc/files/pending_file.hpp"
#include "mkc/files/result_folder.hpp"
#include "report_out.hpp"

namespace mkc::app {

/// What a completion in factor form begins with.
struct FactorStart {
  const io::InputRecord& inputs;
  std::optional<Input> input;  // tables in memory; nothing: they are read in blocks
  std::string why;             // this form, for the message
  ReportOut* report;
  io::PendingFile* model;  // for new samples; may be null
};

/// Completes in factor form: plans, fits in passes over the blocks, and writes the factors block by
/// block. What is finished is kept beside the output, so that the same command goes on after it was
/// killed. Returns the exit code.
int complete_in_factor_form(const CompleteArguments& arguments, Terminal& terminal,
                            io::OutputFolder* folder, io::RunRecord record, FactorStart start);

/// The report of a result in factor form that is being written.
std::string factor_page(io::OutputFolder& result, const std::string& title, int threads);

}  // namespace mkc::app
