#include <memory>

#include "command.hpp"
#include "exit_codes.hpp"
#include "man_page.hpp"
#include "mkc/base/error.hpp"
#include "shell_completion.hpp"
#include "terminal.hpp"

namespace mkc::app {

Runner add_completion(CommandParser& parser) {
  auto shell = std::make_shared<std::string>();
  parser.describe(
      "Print a script that completes commands, options and values in the shell.\n\n"
      "  source <(mkc completion bash)\n"
      "  mkc completion bash > ~/.local/share/bash-completion/completions/mkc\n"
      "  mkc completion zsh > ~/.zfunc/_mkc");
  parser.choice("SHELL", *shell, {"bash", "zsh"}, "bash|zsh");
  return [shell]() -> int {
    if (shell->empty())
      throw OptionError("the shell is missing", "mkc completion bash, or mkc completion zsh");
    print_result(*shell == "bash" ? bash_completion() : zsh_completion());
    return exit_ok;
  };
}

Runner add_man(CommandParser& parser) {
  parser.describe("Print the manual page. After installation: man mkc.\n\n  mkc man | man -l -");
  return []() -> int {
    print_result(man_page());
    return exit_ok;
  };
}

}  // namespace mkc::app
