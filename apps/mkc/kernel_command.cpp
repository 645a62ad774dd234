#include <limits>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "base/names.hpp"
#include "command.hpp"
#include "complete_tables.hpp"
#include "exit_codes.hpp"
#include "files/views_out.hpp"
#include "formats/npz.hpp"
#include "interrupt.hpp"
#include "mkc/base/error.hpp"
#include "mkc/files/pending_file.hpp"
#include "numeric/blocks.hpp"

namespace mkc::app {

namespace {

struct KernelArguments {
  ViewArguments input;
  TerminalArguments terminal;
  std::string output;
  bool force = false;
};

// The kernel on all samples (N, N), centred and normalised, with NaN in the rows and columns of
// missing samples.
Matrix kernel_of_all_samples(const Problem& problem, Index m,
                             const KernelTransformOptions& options) {
  const ObservedKernel& view = problem.view(m);
  const auto transform =
      KernelTransform::fit(view.block, options, view.name, problem.samples_of(m));
  Matrix K = Matrix::Constant(problem.n_samples(), problem.n_samples(),
                              std::numeric_limits<double>::quiet_NaN());
  paste(transform.changes_nothing() ? view.block : SharedMatrix(transform.apply(view.block)),
        view.rows, K);
  return K;
}

int run_kernel(const KernelArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  if (arguments.output.empty()) throw OptionError("the output file is missing", "add -o FILE.npz");
  if (!arguments.output.ends_with(".npz"))
    throw OptionError(fmt::format("the output '{}' does not end in .npz", arguments.output),
                      "all kernels go into one NPZ file: -o kernels.npz");
  refuse_to_overwrite_inputs(arguments.output, input_paths(arguments.input));
  io::PendingFile file(arguments.output, arguments.force);
  terminal.progress({"computing kernels", 0, 0, 0});
  const Assembled assembled = load(arguments.input);
  const Problem& problem = assembled.problem;
  for (const auto& notice : assembled.notices) terminal.warning(notice);
  io::check_array_names(names_of(problem.views()));

  std::vector<std::vector<std::string>> rows = {{"view", "samples", "missing", "kernel"}};
  auto views = nlohmann::ordered_json::array();
  finish_first("writing the result");
  io::NpzWriter npz(file.path());
  for (Index m = 0; m < problem.n_views(); ++m) {
    npz.add(problem.view(m).name, kernel_of_all_samples(problem, m, assembled.transforms[at(m)]));
    const ViewSummary& view = assembled.views[at(m)];
    rows.push_back({view.name, std::to_string(problem.view(m).rows.size()),
                    std::to_string(problem.missing(m).size()), view.kernel});
    views.push_back({{"name", view.name},
                     {"samples", problem.view(m).rows.size()},
                     {"missing", problem.missing(m).size()},
                     {"kernel", view.kernel}});
  }
  npz.add("samples", problem.samples());
  npz.close();
  file.commit();
  terminal.result(format_table(rows) + side_lines(assembled.views));
  terminal.message(fmt::format("kernels in {}; complete them with: mkc complete {} -o result",
                               arguments.output, arguments.output));
  if (arguments.terminal.json) print_json({{"output", arguments.output}, {"views", views}});
  return exit_ok;
}

}  // namespace

Runner add_kernel(CommandParser& parser) {
  auto arguments = std::make_shared<KernelArguments>();
  parser.describe(
      "Compute kernels of feature tables on the union of the samples, NaN where a sample is "
      "missing.\n\n"
      "  mkc kernel rna.csv,kernel=rbf mutations.csv,kernel=jaccard -o kernels.npz");
  add_view_arguments(parser, arguments->input);
  parser.option("-o,--output", arguments->output,
                "output file (.npz) with one array per view and the array samples", Takes::file);
  parser.flag("-f,--force", arguments->force, "replace an existing file");
  add_terminal_arguments(parser, arguments->terminal);
  return [arguments] { return run_kernel(*arguments); };
}

}  // namespace mkc::app
