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
      "  source <(mkc completion bash)      completes commands, options and values from now on\n"
      "  mkc completion bash > ~/.local/share/bash-completion/completions/mkc\n"
      "  mkc completion zsh > ~/.zfunc/_mkc");
  parser.choice("SHELL", *shell, {"bash", "zsh"}, "bash or zsh");
  return [shell]() -> int {
    if (shell->empty()) throw OptionError("the shell is missing", "mkc completion bash, or zsh");
    print_result(*shell == "bash" ? bash_completion() : zsh_completion());
    return exit_ok;
  };
}

Runner add_man(CommandParser& parser) {
  parser.describe(
      "  mkc man | man -l -       this manual page; an installed mkc has it as 'man mkc'");
  return []() -> int {
    print_result(man_page());
    return exit_ok;
  };
}

}  // namespace mkc::app
