#pragma once

#include "mkc/factor/factor_options.hpp"
#include "parser.hpp"

namespace mkc::app {

/// Sizes of completion in factor form, as text: a number, or auto.
struct FactorArguments {
  std::string rank = "auto";
  std::string landmarks = "auto";
  std::string anchors = "auto";
  std::string sample = "auto";
  std::string block = "auto";
};

/// Declares --rank, --landmarks, --anchors, --plan-sample and --block; each help begins with
/// `where`.
void add_factor_arguments(CommandParser& parser, const std::string& where,
                          FactorArguments& arguments);

/// The first of these options that was given, or "".
std::string given_factor_option(const FactorArguments& arguments);

factor::FactorOptions factor_options(const FactorArguments& arguments);

/// Sets the options of a command to what was chosen.
void set_factor_options(const CommandRecord& command, const factor::FactorOptions& chosen);

}  // namespace mkc::app
