#include <memory>

#include <fmt/format.h>

#include "analysis_out.hpp"
#include "arguments.hpp"
#include "command.hpp"
#include "exit_codes.hpp"
#include "files/analysis_tables.hpp"
#include "interrupt.hpp"
#include "mkc/base/options.hpp"

namespace mkc::app {

namespace {

struct EmbedArguments {
  TerminalArguments terminal;
  std::string input, output;
  std::string method = "kernel-pca";
  int dimensions = 2;
  bool force = false;
};

const char* weight_name(EmbedMethod method) {
  return method == EmbedMethod::kernel_pca  ? "share of variance"
         : method == EmbedMethod::diffusion ? "eigenvalue"
                                            : "shared by the views";
}

int run_embed(const EmbedArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  AnalysisRun run("embed", arguments.input, arguments.output, true, {}, arguments.force);
  const auto factors = run.read_factors(terminal);
  const io::StoredResult result = factors ? io::StoredResult{} : run.read(terminal);
  const Strings& samples = factors ? factors->samples : result.samples;
  EmbedOptions options;
  options.method = static_cast<EmbedMethod>(
      detail::to_choice("--method", arguments.method, embed_method_names()));
  options.dimensions = arguments.dimensions;
  terminal.progress({"finding the axes", 0, 0, 0});
  const Embedding embedding = factors
                                  ? embed(*factors, options)
                                  : embed(result.kernels, result.views, result.samples, options);
  const Index found = embedding.weights.size();
  if (found < arguments.dimensions)
    terminal.warning(fmt::format("the kernel has only {} of {} axes", found, arguments.dimensions));
  finish_first("writing the result");
  io::write_embedding(run.table_path(), arguments.output, samples, embedding);
  std::vector<std::vector<std::string>> rows = {{"axis", weight_name(options.method)}};
  auto weights = nlohmann::ordered_json::array();
  for (Index a = 0; a < found; ++a) {
    rows.push_back({std::to_string(a + 1), fmt::format("{:.4f}", embedding.weights(a))});
    weights.push_back(embedding.weights(a));
  }
  const auto json = run.commit({{"output", arguments.output},
                                {"samples", samples.size()},
                                {"views", factors ? factors->views : result.views},
                                {"method", arguments.method},
                                {"dimensions", found},
                                {"weights", weights}});
  terminal.result(format_table(rows));
  terminal.message(fmt::format("coordinates of {} samples in {}; about them: {}", samples.size(),
                               arguments.output, run.json_target()));
  if (arguments.terminal.json) print_json(json);
  return exit_ok;
}

}  // namespace

Runner add_embed(CommandParser& parser) {
  auto arguments = std::make_shared<EmbedArguments>();
  parser.describe(
      "Write coordinates of all samples: few axes that keep what the kernels tell.\n\n"
      "  mkc embed result -o embedding.tsv\n"
      "  mkc embed K.npz --method diffusion --dimensions 5 -o embedding.csv");
  parser.option("RESULT", arguments->input,
                "folder of 'mkc complete', or one kernel in a file, as 'mkc combine' writes it",
                Takes::folder);
  parser.option("-o,--output", arguments->output,
                "table of samples and axes: .tsv or .csv, plain or .gz; a .json beside it says how "
                "it was made",
                Takes::file);
  parser.choice("--method", arguments->method, embed_method_names(),
                "kernel-pca (most variance)|diffusion (neighbourhoods)|latent (shared by views)");
  parser.count("--dimensions", arguments->dimensions, 1, 100000, "", "number of axes");
  parser.flag("-f,--force", arguments->force, "replace existing files");
  add_terminal_arguments(parser, arguments->terminal);
  return [arguments] { return run_embed(*arguments); };
}

}  // namespace mkc::app
