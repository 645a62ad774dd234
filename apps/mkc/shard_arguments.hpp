#pragma once

#include "arguments.hpp"
#include "mkc/files/shards.hpp"

namespace mkc::app {

/// Arguments of the steps of a sharded run.
struct ShardArguments {
  TerminalArguments terminal;
  std::string plan, fit, shard = "1/1", output;
  Strings parts;
  int threads = 0;
  int wait = 0;
  bool force = false;
};

void add_plan_argument(CommandParser& parser, ShardArguments& arguments);
void add_shard_option(CommandParser& parser, ShardArguments& arguments);

/// --threads, --wait, --force and those of the terminal.
void add_step_options(CommandParser& parser, ShardArguments& arguments);

/// OptionError without an output; waits for inputs that a network file system does not show yet.
void check_step(const ShardArguments& arguments);

}  // namespace mkc::app
