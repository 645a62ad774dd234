#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "completion_form.hpp"
#include "config.hpp"
#include "exit_codes.hpp"
#include "factor_planning.hpp"
#include "files/input_record.hpp"
#include "files/place_of_step.hpp"
#include "files/plan_folder.hpp"
#include "files/private_folder.hpp"
#include "formats/dense_size.hpp"
#include "mkc/base/error.hpp"

namespace mkc::app {

namespace {

struct PlanArguments : CompleteArguments {
  bool open = false;  // the rows are public, the plan is for others
  Strings drawn;      // views of drawn rows instead

  factor::PlanRows rows() const {
    if (!drawn.empty()) return factor::PlanRows::drawn;
    return open ? factor::PlanRows::open : factor::PlanRows::own;
  }
};

/// Whether the output is the plan of these tables and options.
bool is_there(const CompleteArguments& arguments, const Strings& paths) {
  const std::string earlier = io::made_from(arguments.output);
  const std::filesystem::path output = std::filesystem::absolute(arguments.output);
  if (earlier.empty() || earlier != key_of(arguments, io::InputRecord(paths), output)) return false;
  io::clean_up_beside(output);
  return true;
}

/// Standard normal columns of views that are described as NAME=COLUMNS[,kernel=...]: rows that are
/// the same wherever they are drawn with the same seed.
Input drawn_input(const PlanArguments& arguments) {
  constexpr Index rows = 4096;
  Input input;
  input.options = assemble_options(arguments.input);
  for (const auto& text : arguments.drawn) {
    const auto equals = text.find('='), comma = std::min(text.find(','), text.size());
    double columns = 0;
    if (equals == std::string::npos || equals > comma ||
        !parse_number(text.substr(equals + 1, comma - equals - 1), columns) || columns < 1 ||
        columns > 1e6 || columns != std::floor(columns))
      throw OptionError(fmt::format("--draw: '{}' is not NAME=COLUMNS", shown(text)),
                        "a view of 120 columns is rna=120, with a kernel rna=120,kernel=linear");
    View view;
    view.name = text.substr(0, equals);
    view.source = "drawn";
    view.numbered = true;
    view.values.resize(rows, static_cast<Index>(columns));
    Random random(arguments.seed, "drawn rows", view.name);
    for (Index i = 0; i < rows; ++i) {
      view.ids.push_back(std::to_string(i));
      for (Index j = 0; j < view.values.cols(); ++j) view.values(i, j) = random.normal();
    }
    view.all_ids = view.ids;
    if (comma < text.size())
      view.kernel_options = io::parse_view_spec("x.csv" + text.substr(comma)).kernel_options;
    input.read.views.push_back(std::move(view));
  }
  return input;
}

int run_plan(PlanArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  if (arguments.output.empty()) throw OptionError("the output folder is missing", "add -o DIR");
  arguments.form = "factor";
  check_form(arguments);
  const bool drawn = !arguments.drawn.empty();
  if (drawn && (!arguments.input.views.empty() || arguments.open))
    throw OptionError("--draw stands for views and for --public", "leave those out");
  if (!drawn && arguments.input.views.empty())
    throw OptionError("VIEW is required", "give a table for each view");
  const Strings paths = drawn ? Strings() : input_paths(arguments.input);
  const auto place = io::place_of_step(
      arguments.force, [&] { return is_there(arguments, paths); },
      [&] {
        return std::make_unique<io::OutputFolder>(arguments.output, "plan", arguments.force);
      });
  if (!place) {
    terminal.message(printable(arguments.output) + " is there already");
    return exit_ok;
  }
  io::OutputFolder& folder = *place;
  refuse_to_overwrite_inputs(folder, paths);
  const io::InputRecord inputs(paths);
  const std::string key = key_of(arguments, inputs, std::filesystem::absolute(arguments.output));
  std::optional<Input> input;
  if (drawn) {
    input = drawn_input(arguments);
  } else if (!tables_too_large(arguments)) {
    const io::MemoryLimit limit(arguments.memory.empty() ? std::numeric_limits<double>::infinity()
                                                         : parse_bytes(arguments.memory));
    input = read_input(arguments.input);
  }
  io::RunRecord record{command_line(), {}, thread_count(arguments.threads), false, {}};
  const IdRule ids = id_rule(arguments.input);
  record.ids = ids.is_exact() ? "exact" : id_rule_text(ids);
  FactorPlanning planning(arguments, terminal, std::move(record), std::move(input));
  const io::JointSource source = planning.read(
      [&, next = 0]() mutable { return folder.path(fmt::format("tables/read-{}.npy", next++)); });
  const factor::Plan plan = planning.plan(source, nullptr, arguments.rows());
  planning.describe(plan, source);
  terminal.progress({"writing the plan", 0, 0, 0});
  io::FactorRecord& about = planning.record();
  about.run.inputs = inputs.confirmed();
  about.made_from = key;
  io::write_plan(folder, plan, about, source, about.run.threads);
  io::write_text_file(folder.path("meta_info.json"),
                      io::factor_meta_info(about, source.n_samples(), nullptr));
  set_factor_options(*arguments.options, plan.options());
  io::write_text_file(folder.path("config.toml"),
                      effective_config(*arguments.options, {default_method},
                                       view_specs(arguments.input), folder.target()));
  io::write_text_file(folder.path("mkc.log"), terminal.log());
  if (arguments.force)
    commit(folder, terminal);
  else if (!folder.commit_unless_there() && io::made_from(arguments.output) != key)
    throw OptionError(fmt::format("output folder '{}' appeared meanwhile", arguments.output),
                      "choose another name");
  if (plan.is_shared()) {
    terminal.message(
        fmt::format("plan for tables of sites: {}; each site: mkc moments {} VIEW... "
                    "--round 1 --site NAME -o FILE",
                    printable(arguments.output), printable(arguments.output)));
    if (arguments.terminal.json) print_result(folder.meta_info());
    return exit_ok;
  }
  terminal.message(fmt::format(
      "plan of {} in {} of {} rows: {}", counted(source.n_samples(), "sample"),
      counted(plan.n_blocks(), "block"), plan.options().block, printable(arguments.output)));
  if (arguments.terminal.json) print_result(folder.meta_info());
  return exit_ok;
}

}  // namespace

Runner add_plan(CommandParser& parser) {
  auto arguments = std::make_shared<PlanArguments>();
  parser.describe(
      "Plan a completion in factor form that several processes or machines share.\n\n"
      "  mkc plan rna.npy protein.npy -o plan\n"
      "  mkc moments plan --round 1 --shard 1/2 -o m1.npz\n"
      "  mkc moments plan --round 1 --shard 2/2 -o m2.npz\n"
      "  mkc merge plan m1.npz m2.npz -o fit1.npz     and so on: docs/distributed.md");
  add_view_arguments(parser, arguments->input);
  parser.views_are_optional();
  parser.option("-o,--output", arguments->output,
                "folder of the plan; must not exist, unless --force is given", Takes::folder);
  add_factor_arguments(parser, "", arguments->factor);
  parser.flag("--public", arguments->open,
              "the rows are public: the plan is for tables of sites that share no rows");
  parser.repeated(
      "--draw", arguments->drawn,
      "NAME=COLUMNS[,kernel=...]: a view of rows drawn with the seed instead of a table, "
      "for tables of sites with standardised columns",
      Takes::text);
  parser.option("--seed", arguments->seed, "seed of all random numbers");
  add_threads_argument(parser, arguments->threads);
  parser.option("--memory", arguments->memory,
                "memory of the planning and of every shard, for example 8G (default: no limit)");
  parser.flag("-f,--force", arguments->force, "replace an earlier plan");
  add_terminal_arguments(parser, arguments->terminal);
  arguments->options = parser.record();
  return [arguments] { return run_plan(*arguments); };
}

}  // namespace mkc::app
