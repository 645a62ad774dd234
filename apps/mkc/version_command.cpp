#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "exit_codes.hpp"
#include "mkc/base/types.hpp"
#include "mkc/version.hpp"
#include "numeric/linalg/blas.hpp"
#include "terminal.hpp"

namespace mkc::app {

Runner add_version(CommandParser& parser) {
  auto json = std::make_shared<bool>(false);
  parser.describe("Print the versions of mkc and its libraries.\n\n  mkc version --json");
  parser.flag("--json", *json, "print JSON");
  return [json]() -> int {
    nlohmann::ordered_json built_on = {
        {"mkc", version},
        {"eigen",
         fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
        {"fmt",
         fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
        {"blas", linalg::blas_name()},
        {"compiler", fmt::format("g++ {}", __VERSION__)},
    };
    const std::string advice = linalg::blas_advice();
    if (!advice.empty()) built_on["note"] = advice;
    if (*json) {
      print_json(built_on);
      return exit_ok;
    }
    std::string text;
    for (const auto& [name, value] : built_on.items())
      text += fmt::format("{}{} {}\n", name, name == "note" ? ":" : "", value.get<std::string>());
    print_result(text);
    return exit_ok;
  };
}

}  // namespace mkc::app
