#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "command.hpp"
#include "completion_cost.hpp"
#include "exit_codes.hpp"
#include "inspect_tables.hpp"
#include "mkc/base/error.hpp"
#include "mkc/complete.hpp"

namespace mkc::app {

namespace {

struct InspectArguments {
  ViewArguments input;
  TerminalArguments terminal;
  std::string method = default_method;
};

FileFacts facts_of(const View& view) {
  return {view.name,
          view.source,
          samples_in_name(view.samples_in),
          view_kind_name(view.kind),
          std::ssize(view.ids),
          view.kind == ViewKind::kernel ? 0 : view.values.cols(),
          view.values.array().isNaN().count(),
          summary_of(view)};
}

std::string quoted(const std::string& word) {
  const bool is_plain = word.find_first_not_of(
                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                            "0123456789_-+=:,./%@") == std::string::npos;
  if (is_plain && !word.empty()) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// "mkc complete rna.csv protein.csv --ids tcga-patient -o result"
std::string proposed_command(const ViewArguments& arguments, const IdProposal& proposal) {
  std::string text = "mkc complete";
  for (const auto& view : arguments.views) text += " " + quoted(view);
  text += " --ids " + quoted(proposal.rule);
  if (proposal.repeated && arguments.replicates == "error")
    text += fmt::format(" --replicates {}", proposal.rule.starts_with("tcga") ? "broad" : "mean");
  for (const auto& [option, value] :
       {std::pair("--mask", arguments.mask), std::pair("--sample-map", arguments.sample_map)})
    if (!value.empty()) text += fmt::format(" {} {}", option, quoted(value));
  if (arguments.samples_in != "auto") text += " --samples-in " + arguments.samples_in;
  if (arguments.samples != "union") text += " --samples " + quoted(arguments.samples);
  return text + " -o result";
}

// Assembles the problem as `mkc complete` would. If that fails: the error, and the problem without
// the check for positive semi-definite kernels where possible.
void assemble_or_explain(const Input& input, Inspection& found) {
  try {
    found.assembled = assemble(input.read.views, input.options);
    return;
  } catch (const OptionError&) {
    throw;  // mistyped: stop as 'mkc complete' does
  } catch (const InputError& error) {
    found.error = error.what();
    found.hint = hint_text(error.hint());
  }
  try {
    AssembleOptions lenient = input.options;
    lenient.checks.psd = PsdPolicy::unchecked;
    found.assembled = assemble(input.read.views, lenient);
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the problem is reported already
  }
}

void add_view_notices(const std::vector<View>& views, Strings& notices) {
  for (const auto& view : views)
    for (const auto& notice : view.notices)
      notices.push_back(fmt::format("view '{}': {}", view.name, notice));
}

Inspection inspect(const InspectArguments& arguments) {
  const Input input = read_input(arguments.input, "", false);
  Inspection found;
  found.notices = input.read.notices;
  for (const auto& view : input.read.views) found.files.push_back(facts_of(view));
  if (input.read.question) {
    found.is_question = true;
    found.error = input.read.question->what();
    found.hint = hint_text(input.read.question->hint());
    if (input.read.proposal)
      found.command = proposed_command(arguments.input, *input.read.proposal);
    add_view_notices(input.read.views, found.notices);
    return found;
  }
  found.alignment = align_samples(input.read.views, input.options);
  assemble_or_explain(input, found);
  if (!found.assembled) {
    add_view_notices(input.read.views, found.notices);
    return found;
  }
  const Strings& notices = found.assembled->notices;
  found.notices.insert(found.notices.end(), notices.begin(), notices.end());
  for (const auto& view : found.assembled->problem.views())
    found.kernels.push_back(check_kernel(view.block));
  return found;
}

int run_inspect(const InspectArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  checked_method(arguments.method);
  input_paths(arguments.input);
  terminal.progress({"inspecting", 0, 0, 0});
  const Inspection found = inspect(arguments);
  for (const auto& notice : found.notices) terminal.warning(notice);
  if (arguments.terminal.quiet && !found.error.empty()) print_error(found.error, found.hint);
  terminal.result(inspection_text(found, arguments.method));
  if (arguments.terminal.json) print_json(inspection_json(found, arguments.method));
  return found.error.empty() ? exit_ok : exit_bad_input;
}

}  // namespace

Runner add_inspect(CommandParser& parser) {
  auto arguments = std::make_shared<InspectArguments>();
  parser.describe(
      "Show what is in the files, which samples they share, what is missing, whether the kernels "
      "are valid,\nand what 'mkc complete' would do. Writes nothing.\n\n"
      "  mkc inspect rna.csv protein.csv methyl.tsv.gz\n"
      "  mkc inspect *.csv --sample-map sampleMap.csv --json");
  add_view_arguments(parser, arguments->input);
  parser.option("-m,--method", arguments->method,
                "method for 'mkc complete', NAME[,option=value,...]", Takes::method);
  add_terminal_arguments(parser, arguments->terminal);
  return [arguments] { return run_inspect(*arguments); };
}

}  // namespace mkc::app
