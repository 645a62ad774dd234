#include "label_arguments.hpp"

#include <fmt/format.h>

#include "arguments.hpp"
#include "files/labels.hpp"
#include "mkc/base/error.hpp"

namespace mkc::app {

namespace {

Strings type_choices() {
  Strings choices = {"auto"};
  choices.insert(choices.end(), label_type_names.begin(), label_type_names.end());
  return choices;
}

}  // namespace

std::string LabelArguments::path() const { return io::parse_label_source(labels).path; }

std::string LabelArguments::existing_path() const {
  return require_file(path(), "--labels takes FILE, FILE:COLUMN or FILE:TIME,EVENT");
}

void add_label_arguments(CommandParser& parser, LabelArguments& arguments,
                         const std::string& help) {
  parser.option("--labels", arguments.labels,
                "FILE[:COLUMN], or FILE:TIME,EVENT for survival: sample ids and " + help,
                Takes::file);
  parser.choice("--label-type", arguments.type, type_choices(),
                "what the labels are: auto (by their look, which is printed)|classes|numbers|"
                "survival");
}

void add_label_ids_argument(CommandParser& parser, LabelArguments& arguments) {
  parser.option("--ids", arguments.ids,
                "how ids of the labels name samples; auto: as in the run that made the result (" +
                    std::string(id_rule_range) + ")");
}

void check_label_arguments(const LabelArguments& arguments) {
  if (!arguments.given() && arguments.ids != "auto")
    throw OptionError("--ids without labels", "add --labels FILE[:COLUMN]");
  if (!arguments.given() && arguments.type != "auto")
    throw OptionError("--label-type without labels", "add --labels FILE[:COLUMN]");
}

TypedLabels read_target(const LabelArguments& arguments, const Strings& samples, const IdRule& ids,
                        Terminal& terminal) {
  Strings notices;
  const IdRule rule = arguments.ids == "auto" ? ids : parse_id_rule(arguments.ids);
  const LabelTexts texts =
      io::read_label_texts(io::parse_label_source(arguments.labels), samples, notices, rule);
  TypedLabels labels = typed_labels(texts, samples, arguments.type);
  for (const auto& notice : notices) terminal.warning(notice);
  terminal.message("labels: " + labels.evidence);
  return labels;
}

}  // namespace mkc::app
