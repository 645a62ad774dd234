#include "analysis_out.hpp"

#include <cmath>

#include <fmt/format.h>

#include "arguments.hpp"
#include "command.hpp"
#include "files/analysis_tables.hpp"
#include "formats/sha256.hpp"
#include "formats/tables_out.hpp"
#include "mkc/base/error.hpp"
#include "mkc/version.hpp"

namespace mkc::app {

namespace {

// Checked arguments; the first member that is made from them.
std::string checked(const std::string& command, const std::string& input, const std::string& output,
                    bool gzip_too) {
  const std::string example = fmt::format("mkc {} result -o {}.tsv", command,
                                          command == "embed"     ? "embedding"
                                          : command == "cluster" ? "clusters"
                                                                 : "drivers");
  if (input.empty()) throw OptionError("the result folder or kernel file is missing", example);
  if (output.empty()) throw OptionError("the output file is missing", example);
  const bool plain = output.ends_with(".tsv") || output.ends_with(".csv");
  if (!plain && !(gzip_too && io::is_table_name(output)))
    throw OptionError(fmt::format("the output '{}' does not end in .tsv or .csv{}", output,
                                  gzip_too ? ", plain or with .gz" : ""),
                      example);
  if (std::filesystem::is_directory(input)) refuse_to_overwrite_result(output, input, "");
  return input;
}

Strings all_inputs(const std::string& input, const Strings& more, const std::string& output) {
  Strings inputs = io::result_inputs(input);
  for (const auto& path : inputs) require_file(path, "a result of 'mkc complete' has this file");
  for (const auto& path : more) inputs.push_back(require_file(path));
  refuse_to_overwrite_inputs(output, inputs);
  refuse_to_overwrite_inputs(io::json_beside(output), inputs);
  io::refuse_foreign_description(io::json_beside(output));
  return inputs;
}

}  // namespace

nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

AnalysisRun::AnalysisRun(std::string command, std::string input, const std::string& output,
                         bool gzip_too, const Strings& more_inputs, bool force)
    : command_(std::move(command)),
      input_(checked(command_, input, output, gzip_too)),
      created_(io::now_utc()),
      inputs_(all_inputs(input_, more_inputs, output)),
      table_(output, force),
      json_(io::json_beside(output), force) {}

io::StoredResult AnalysisRun::read(Terminal& terminal) const {
  terminal.progress({"reading", 0, 0, 0});
  io::StoredResult result = io::read_result_or_kernel(input_);
  if (result.interrupted)
    terminal.warning(fmt::format(
        "the run that made '{}' was interrupted: its kernels are the best it had so far", input_));
  return result;
}

std::optional<io::StoredFactors> AnalysisRun::read_factors(Terminal& terminal) const {
  terminal.progress({"reading", 0, 0, 0});
  auto factors = io::read_large_result(input_);
  if (factors)
    terminal.message(fmt::format("working on the factors of {} samples", factors->samples.size()));
  return factors;
}

nlohmann::ordered_json AnalysisRun::commit(const nlohmann::ordered_json& content) {
  nlohmann::ordered_json inputs = nlohmann::ordered_json::array();
  for (const auto& file : inputs_.confirmed())
    inputs.push_back({{"path", file.path}, {"sha256", file.sha256}});
  nlohmann::ordered_json json = {{"command", command_},
                                 {"mkc_version", version},
                                 {"command_line", command_line()},
                                 {"created", created_},
                                 {"inputs", inputs},
                                 {"table_sha256", io::sha256_of_file(table_.path())}};
  json.update(content);
  io::write_text_file(
      json_.path(),
      json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  table_.commit();
  json_.commit();
  return json;
}

}  // namespace mkc::app
