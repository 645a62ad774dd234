#pragma once

#include "mkc/problem/id_rule.hpp"
#include "mkc/problem/label_types.hpp"
#include "parser.hpp"
#include "terminal.hpp"

namespace mkc::app {

/// --labels and --label-type, which several commands share.
struct LabelArguments {
  std::string labels;  // FILE, FILE:COLUMN or FILE:TIME,EVENT; "" = none
  std::string type = "auto";
  std::string ids = "auto";  // of the labels; auto: the rule of the run

  bool given() const { return !labels.empty(); }
  std::string path() const;  // of the file
  /// The same; InputError where there is no such file.
  std::string existing_path() const;
};
void add_label_arguments(CommandParser& parser, LabelArguments& arguments, const std::string& help);

/// --ids of a command that reads labels for a stored result.
void add_label_ids_argument(CommandParser& parser, LabelArguments& arguments);

/// OptionError where a type or a rule is given without labels.
void check_label_arguments(const LabelArguments& arguments);

/// The labels of the samples, whose ids follow the rule of the run. A message says what they were
/// taken for and why, a warning names the lines that are left out.
TypedLabels read_target(const LabelArguments& arguments, const Strings& samples, const IdRule& ids,
                        Terminal& terminal);

}  // namespace mkc::app
