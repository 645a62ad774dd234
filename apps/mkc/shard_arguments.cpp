#include "shard_arguments.hpp"

#include <chrono>
#include <filesystem>
#include <thread>

#include "mkc/base/error.hpp"

namespace mkc::app {

void add_plan_argument(CommandParser& parser, ShardArguments& arguments) {
  parser.option("PLAN", arguments.plan, "folder of 'mkc plan'", Takes::folder);
}

void add_shard_option(CommandParser& parser, ShardArguments& arguments) {
  parser.option("--shard", arguments.shard, "which part of the samples: 3/7 is the third of seven");
}

void add_step_options(CommandParser& parser, ShardArguments& arguments) {
  add_threads_argument(parser, arguments.threads);
  parser.count("--wait", arguments.wait, 0, 86400, "",
               "seconds to wait for an input that is not there yet, as on network file systems");
  parser.flag("-f,--force", arguments.force, "replace an existing output of another step");
  add_terminal_arguments(parser, arguments.terminal);
}

void check_step(const ShardArguments& arguments) {
  if (arguments.output.empty()) throw OptionError("the output is missing", "add -o and its name");
  Strings inputs = arguments.parts;
  inputs.push_back(arguments.plan);
  if (!arguments.fit.empty()) inputs.push_back(arguments.fit);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(arguments.wait);
  for (const auto& path : inputs) {
    std::error_code error;
    while (!std::filesystem::exists(path, error) && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (!std::filesystem::exists(path, error))
      throw InputError("there is no '" + path + "'",
                       {"run the step that makes it",
                        {"wait", "60", "waits for a file system that shows it late"}});
  }
}

}  // namespace mkc::app
