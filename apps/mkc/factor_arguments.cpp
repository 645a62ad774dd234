#include "factor_arguments.hpp"

#include <fmt/format.h>

namespace mkc::app {

namespace {

// Of an option of the method: --sample would look like --samples.
std::string name_on_command_line(const std::string& name) {
  return name == "sample" ? "plan-sample" : name;
}

// Names and texts of the options.
std::vector<std::pair<std::string, std::string>> texts(const FactorArguments& arguments) {
  return {{"rank", arguments.rank},
          {"landmarks", arguments.landmarks},
          {"anchors", arguments.anchors},
          {"sample", arguments.sample},
          {"block", arguments.block}};
}

}  // namespace

void add_factor_arguments(CommandParser& parser, const std::string& where,
                          FactorArguments& arguments) {
  const auto add = [&](const std::string& name, std::string& value, const std::string& help) {
    parser.option("--" + name_on_command_line(name), value, where + help + " (default: auto)");
  };
  add("rank", arguments.rank, "features per view; larger is finer and slower");
  add("landmarks", arguments.landmarks,
      "samples that span the features of a view; larger is finer and slower");
  add("anchors", arguments.anchors, "samples that span the regression; larger is finer and slower");
  add("sample", arguments.sample,
      "samples on which maps and options are learnt; larger is finer and needs more memory");
  add("block", arguments.block, "rows of a block; larger needs more memory");
}

std::string given_factor_option(const FactorArguments& arguments) {
  for (const auto& [name, text] : texts(arguments))
    if (text != "auto") return "--" + name_on_command_line(name);
  return "";
}

factor::FactorOptions factor_options(const FactorArguments& arguments) {
  OptionValues given;
  for (const auto& [name, text] : texts(arguments))
    if (text != "auto") given.emplace_back(name, text);
  return factor::factor_options().parse(given);
}

void set_factor_options(const CommandRecord& command, const factor::FactorOptions& chosen) {
  const OptionValues values = factor::factor_options().values(chosen);
  for (const auto& option : command.options)
    for (const auto& [name, text] : values)
      if (!option.positional() && option.long_name() == name_on_command_line(name))
        option.set(text);
}

}  // namespace mkc::app
