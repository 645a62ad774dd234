#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "command.hpp"
#include "exit_codes.hpp"
#include "files/labels.hpp"
#include "files/result_reader.hpp"
#include "formats/npz.hpp"
#include "formats/tables_out.hpp"
#include "interrupt.hpp"
#include "mkc/base/error.hpp"
#include "mkc/combine.hpp"
#include "mkc/files/pending_file.hpp"
#include "report_out.hpp"

namespace mkc::app {

namespace {

struct CombineArguments {
  TerminalArguments terminal;
  std::string folder;
  std::string output;
  std::string weights = "mean";
  std::string labels;
  std::string scale = "variance";
  bool force = false;
};

enum class Weighting { mean, relations, alignment };
const Strings weighting_names = {"mean", "relations", "alignment"};

Vector weights_of(const io::StoredResult& result, Weighting weighting, const std::string& labels,
                  Terminal& terminal) {
  if (weighting == Weighting::mean) return equal_weights(static_cast<Index>(result.views.size()));
  if (weighting == Weighting::relations) {
    if (!result.relations)
      throw InputError(
          fmt::format("the result has no view_relations.tsv: method '{}' does not learn relations",
                      result.method),
          "complete with --method embd_ht, app, sdp, transfer or latent, or use --weights mean");
    return relation_weights(*result.relations);
  }
  const Labels classes = read_labels(labels, result.samples, result.ids, terminal);
  if (classes.classes.size() < 2)
    throw InputError(fmt::format("{}: at least two classes are needed", labels));
  return alignment_weights(result.kernels, classes);
}

void write_kernel(const std::string& path, const std::string& target, const io::StoredResult& from,
                  const Matrix& K) {
  if (target.ends_with(".npz")) {
    io::NpzWriter npz(path);
    npz.add("K", K);
    npz.add("samples", from.samples);
    npz.close();
  } else if (target.ends_with(".gz")) {
    io::write_matrix_tsv_gz(path, from.samples, from.samples, K);
  } else {
    io::write_matrix_tsv(path, from.samples, from.samples, K);
  }
}

void check_arguments(const CombineArguments& arguments, Weighting weighting) {
  const std::string& output = arguments.output;
  if ((weighting == Weighting::alignment) != !arguments.labels.empty())
    throw OptionError(weighting == Weighting::alignment ? "--weights alignment needs --labels"
                                                        : "--labels needs --weights alignment",
                      "mkc combine DIR --weights alignment --labels FILE[:COLUMN] -o K.npz");
  if (arguments.folder.empty())
    throw OptionError("the result folder is missing", "mkc combine DIR -o K.npz");
  if (output.empty()) throw OptionError("the output file is missing", "add -o K.npz or -o K.tsv");
  if (!output.ends_with(".npz") && !output.ends_with(".tsv") && !output.ends_with(".tsv.gz"))
    throw OptionError(fmt::format("the output '{}' does not end in .npz, .tsv or .tsv.gz", output));
  refuse_to_overwrite_result(output, arguments.folder, "K.npz");
  if (!arguments.labels.empty())
    refuse_to_overwrite_inputs(output, {io::parse_label_source(arguments.labels).path});
}

void print_weights(const CombineArguments& arguments, const io::StoredResult& result,
                   const Vector& weights, Terminal& terminal) {
  std::vector<std::vector<std::string>> rows = {{"view", "weight"}};
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (std::size_t m = 0; m < result.views.size(); ++m) {
    rows.push_back({result.views[m], fmt::format("{:.4f}", weights(static_cast<Index>(m)))});
    json[result.views[m]] = weights(static_cast<Index>(m));
  }
  terminal.result(format_table(rows));
  terminal.message(
      fmt::format("kernel of {} samples in {}", result.samples.size(), arguments.output));
  if (arguments.terminal.json)
    print_json({{"output", arguments.output},
                {"samples", result.samples.size()},
                {"scale", arguments.scale},
                {"weights", json}});
}

int run_combine(const CombineArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  const auto weighting =
      static_cast<Weighting>(detail::to_choice("--weights", arguments.weights, weighting_names));
  check_arguments(arguments, weighting);
  io::PendingFile file(arguments.output, arguments.force);
  terminal.progress({"reading", 0, 0, 0});
  const io::StoredResult result = io::read_result(arguments.folder);
  const Vector weights = weights_of(result, weighting, arguments.labels, terminal);
  const Matrix K =
      combine_kernels(result.kernels, weights, result.views, arguments.scale == "variance");
  finish_first("writing the result");
  write_kernel(file.path(), arguments.output, result, K);
  file.commit();
  print_weights(arguments, result, weights, terminal);
  return exit_ok;
}

}  // namespace

Runner add_combine(CommandParser& parser) {
  auto arguments = std::make_shared<CombineArguments>();
  parser.describe(
      "Combine the completed kernels into one, for an SVM, kernel PCA or clustering.\n\n"
      "  mkc combine result -o K.tsv\n"
      "  mkc combine result --weights alignment --labels train.tsv -o K.npz");
  parser.option("DIR", arguments->folder, "result folder of 'mkc complete'", Takes::folder);
  parser.option("-o,--output", arguments->output,
                "output file: .npz (arrays K and samples), or .tsv or .tsv.gz with sample ids",
                Takes::file);
  parser.choice("--weights", arguments->weights, weighting_names,
                "mean (equal weights)|relations (how much the other views use the view)|alignment "
                "(with the classes of --labels)");
  parser.option("--labels", arguments->labels,
                "FILE[:COLUMN] with sample ids and classes; give training samples only",
                Takes::file);
  parser.choice("--scale", arguments->scale, {"variance", "none"},
                "divide each kernel by its variance before weighting, or not (variance|none)");
  parser.flag("-f,--force", arguments->force, "replace an existing file");
  add_terminal_arguments(parser, arguments->terminal);
  return [arguments] { return run_combine(*arguments); };
}

}  // namespace mkc::app
