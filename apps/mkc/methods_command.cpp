#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "exit_codes.hpp"
#include "mkc/registry.hpp"
#include "terminal.hpp"

namespace mkc::app {

namespace {

struct MethodsArguments {
  std::string name;
  bool json = false;
};

std::string method_text(const Method& method) {
  std::string text = fmt::format("{}\n  {}\n  cost    {}\n  memory  {}\n", method.name,
                                 method.summary, method.cost, method.memory);
  if (method.options.empty()) return text + "  no options\n";
  for (const auto& option : method.options)
    text += fmt::format("  {}={}  ({})\n      {}\n", option.name, option.default_value,
                        option.range, option.meaning);
  return text;
}

nlohmann::ordered_json to_json(const Method& method) {
  nlohmann::ordered_json options = nlohmann::ordered_json::array();
  for (const auto& option : method.options)
    options.push_back({{"name", option.name},
                       {"default", option.default_value},
                       {"range", option.range},
                       {"meaning", option.meaning}});
  return {{"name", method.name},
          {"summary", method.summary},
          {"cost", method.cost},
          {"memory", method.memory},
          {"options", options}};
}

int print_methods(const MethodsArguments& arguments) {
  std::vector<Method> shown = methods();
  if (!arguments.name.empty()) shown = {find_method(arguments.name)};
  std::string text;
  auto list = nlohmann::ordered_json::array();
  for (const auto& method : shown) {
    text += (text.empty() ? "" : "\n") + method_text(method);
    list.push_back(to_json(method));
  }
  if (arguments.json) {
    print_json(list);
  } else {
    print_result(text + "\nN samples, M views. Use one with --method NAME[,option=value,...]\n");
  }
  return exit_ok;
}

}  // namespace

Runner add_methods(CommandParser& parser) {
  auto arguments = std::make_shared<MethodsArguments>();
  parser.describe(
      "List the methods with their cost, memory and options.\n\n"
      "  mkc methods\n"
      "  mkc methods knn");
  parser.option("NAME", arguments->name, "show only this method", Takes::method);
  parser.flag("--json", arguments->json, "print JSON");
  return [arguments] { return print_methods(*arguments); };
}

}  // namespace mkc::app
