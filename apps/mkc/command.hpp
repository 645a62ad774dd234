#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace mkc::app {

/// Declares the command's options on its sub-app and returns what to run once they are parsed.
using Runner = std::function<int()>;
using AddCommand = Runner (*)(CLI::App& app);

struct Command {
  const char* name;
  const char* summary;
  AddCommand add;
};

Runner add_complete(CLI::App& app);
Runner add_kernel(CLI::App& app);
Runner add_demo(CLI::App& app);
Runner add_methods(CLI::App& app);
Runner add_version(CLI::App& app);

/// The command line as typed, quoted for a shell; stored with every result.
const std::string& command_line();

}  // namespace mkc::app
