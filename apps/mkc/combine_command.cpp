#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "base/text.hpp"
#include "combined_kernel.hpp"
#include "command.hpp"
#include "exit_codes.hpp"
#include "files/analysis_tables.hpp"
#include "files/input_record.hpp"
#include "files/prediction_reader.hpp"
#include "formats/files.hpp"
#include "formats/npz.hpp"
#include "formats/tables_out.hpp"
#include "interrupt.hpp"
#include "label_arguments.hpp"
#include "mkc/base/error.hpp"
#include "mkc/combine.hpp"
#include "mkc/files/pending_file.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::app {

namespace {

struct CombineArguments {
  TerminalArguments terminal;
  LabelArguments labels;
  std::string folder, output, like;
  std::string weights = "mean";
  std::string scale = "variance";
  bool force = false;
};

enum class Weighting { mean, relations, alignment, alignf };
const Strings weighting_names = {"mean", "relations", "alignment", "alignf"};

bool uses_labels(const std::string& weights) {
  return weights == "alignment" || weights == "alignf";
}

Vector relations_of(const io::StoredResult& result) {
  if (!result.relations)
    throw InputError(
        fmt::format("the result has no view_relations.tsv: method '{}' does not learn relations",
                    result.method),
        "complete with --method embd_ht, app, sdp, transfer or latent, or use --weights mean");
  return relation_weights(*result.relations);
}

Target read_checked_target(const LabelArguments& arguments, const Strings& samples,
                           const IdRule& ids, std::string& evidence, Terminal& terminal) {
  TypedLabels labels = read_target(arguments, samples, ids, terminal);
  if (const auto* classes = std::get_if<Labels>(&labels.target);
      classes != nullptr && classes->classes.size() < 2)
    throw InputError(fmt::format("{}: at least two classes are needed", arguments.labels));
  if (type_of(labels.target) != LabelType::classes) check_target(labels.target, samples);
  evidence = label_type_names[static_cast<std::size_t>(type_of(labels.target))];
  return labels.target;
}

Vector weights_of(const io::StoredResult& result, const CombineArguments& arguments,
                  std::string& label_type, Terminal& terminal) {
  const auto weighting =
      static_cast<Weighting>(detail::to_choice("--weights", arguments.weights, weighting_names));
  switch (weighting) {
    case Weighting::mean:
      return equal_weights(static_cast<Index>(result.views.size()));
    case Weighting::relations:
      return relations_of(result);
    case Weighting::alignment:
    case Weighting::alignf:
      break;
  }
  const Target target =
      read_checked_target(arguments.labels, result.samples, result.ids, label_type, terminal);
  return weighting == Weighting::alignment
             ? alignment_weights(result.kernels, target)
             : alignf_weights(result.kernels, target, arguments.scale == "variance");
}

/// The factors of a kernel that is too large to be whole.
CombinedKernel combine_large(const CombineArguments& arguments, io::StoredFactors result) {
  if (arguments.weights != "mean")
    throw OptionError(
        fmt::format("--weights {} needs whole kernels, those of {} samples are too large",
                    arguments.weights, result.samples.size()),
        {{"weights", "mean", "works on factors"}});
  if (!arguments.output.ends_with(".npz"))
    throw OptionError(fmt::format("the kernel of {} samples is written as factors, which a table "
                                  "does not hold",
                                  result.samples.size()),
                      "give a file that ends in .npz");
  CombinedKernel made{result.samples, result.samples, {}, {}, {}, {}, false};
  made.how.weights = equal_weights(static_cast<Index>(result.views.size()));
  CombinedFactors combined =
      combine_factors(result, made.how.weights, arguments.scale == "variance");
  made.how.views = result.views;
  made.how.factors = combined.factors;
  made.how.variances = combined.variances;
  made.how.model = result.model;
  made.factors = FactorsOut{std::move(result), std::move(combined)};
  return made;
}

CombinedKernel combine_whole(const CombineArguments& arguments, Terminal& terminal) {
  const io::StoredResult result = io::read_result(arguments.folder);
  CombinedKernel made{result.samples, result.samples, {}, {}, {}, {}};
  io::Combination& how = made.how;
  how.views = result.views;
  how.weights = weights_of(result, arguments, how.label_type, terminal);
  how.factors =
      kernel_factors(result.kernels, how.weights, result.views, arguments.scale == "variance");
  how.variances = Vector(static_cast<Index>(result.kernels.size()));
  for (std::size_t m = 0; m < result.kernels.size(); ++m)
    how.variances(static_cast<Index>(m)) = kernel_variance(result.kernels[m]);
  made.K = weighted_sum(result.kernels, how.factors);
  if (io::is_factor_result(arguments.folder)) {  // new samples need them
    io::StoredFactors factors = io::read_factor_result(arguments.folder);
    how.model = factors.model;
    CombinedFactors combined = with_factors(factors, how.factors);
    made.factors = FactorsOut{std::move(factors), std::move(combined)};
  }
  return made;
}

CombinedKernel combine_result(const CombineArguments& arguments, Terminal& terminal) {
  auto large = io::read_large_result(arguments.folder);
  CombinedKernel made =
      large ? combine_large(arguments, *std::move(large)) : combine_whole(arguments, terminal);
  made.how.weighting = arguments.weights;
  made.how.scale = arguments.scale;
  made.how.labels = arguments.labels.labels;
  made.how.n_samples = std::ssize(made.rows);
  made.how.samples = io::digest_of_samples(made.rows);
  return made;
}

std::string not_together(const CombineArguments& arguments) {
  return fmt::format("'{}' does not belong to '{}'", arguments.folder, arguments.like);
}

constexpr const char* like_hint =
    "--like names the kernel that 'mkc combine' made of the result whose model predicted the new "
    "samples";

void check_same_views(const CombineArguments& arguments, const io::Combination& how,
                      const Strings& views) {
  if (views != how.views)
    throw InputError(fmt::format("{}: the views of the prediction are {}, those of the kernel {}",
                                 not_together(arguments), shown(views), shown(how.views)),
                     like_hint);
}

void check_same_training(const CombineArguments& arguments, const io::Combination& how,
                         const io::StoredPrediction& prediction) {
  const std::string both = not_together(arguments);
  const char* hint = like_hint;
  check_same_views(arguments, how, prediction.views);
  if (io::digest_of_samples(prediction.training_samples) != how.samples)
    throw InputError(
        fmt::format("{}: the prediction has {} training samples, the kernel {}, and they are not "
                    "the same",
                    both, prediction.training_samples.size(), how.n_samples),
        hint);
  if (!prediction.variances) return;
  constexpr double rounding = 1e-9;
  for (Index m = 0; m < how.variances.size(); ++m)
    if (std::abs((*prediction.variances)(m)-how.variances(m)) > rounding * how.variances(m))
      throw InputError(
          fmt::format("{}: the training kernel of view '{}' was another when the new samples were "
                      "predicted (variance {:.6g}, not {:.6g})",
                      both, how.views[at(m)], (*prediction.variances)(m), how.variances(m)),
          hint);
}

// New samples in factor form: their factors, and the kernel against training where that is whole.
CombinedKernel combine_new_factors(const CombineArguments& arguments) {
  io::Combination how = io::read_combination(arguments.like);
  io::StoredFactors prediction = io::read_factor_result(arguments.folder);
  check_same_views(arguments, how, prediction.views);
  if (how.model.empty() || how.model != prediction.model)
    throw InputError(
        fmt::format("{}: the new samples were predicted by another model than the one that "
                    "completed the training samples",
                    not_together(arguments)),
        like_hint);
  if (!arguments.like.ends_with(".npz"))
    throw OptionError(
        fmt::format("--like '{}' is a table, which does not hold the factors that new samples in "
                    "factor form need",
                    arguments.like),
        "combine the result again, with -o K.npz");
  const io::NpzReader training(arguments.like);
  CombinedKernel made{prediction.samples, {}, {}, {}, {}, {}, training.has("K")};
  if (!made.whole && !arguments.output.ends_with(".npz"))
    throw OptionError(fmt::format("'{}' holds factors, which a table does not", arguments.like),
                      "give a file that ends in .npz");
  CombinedFactors combined = with_factors(prediction, how.factors);
  made.factors = FactorsOut{std::move(prediction), std::move(combined)};
  if (made.whole) {
    const Matrix known =
        io::take_matrix(training.read("factors"), arguments.like + ":factors").transpose();
    made.columns = io::take_ids(training.read("samples"), arguments.like + ":samples");
    made.K.resize(made.factors->rows(), known.cols());
    made.diagonal = made.factors->how.extra;
    for (Index first = 0; first < made.factors->rows();) {
      const Matrix block = made.factors->block(first);
      if (block.rows() != known.rows())
        throw InputError(fmt::format("{}: {} features, the new samples have {}", arguments.like,
                                     known.rows(), block.rows()),
                         like_hint);
      made.K.middleRows(first, block.cols()) = linalg::multiply_tn(block, known);
      made.diagonal->segment(first, block.cols()) += block.colwise().squaredNorm().transpose();
      first += block.cols();
    }
    made.factors.reset();
  }
  made.how = std::move(how);
  return made;
}

CombinedKernel combine_prediction(const CombineArguments& arguments) {
  if (io::is_factor_prediction(arguments.folder)) return combine_new_factors(arguments);
  const io::StoredPrediction prediction = io::read_prediction(arguments.folder);
  io::Combination how = io::read_combination(arguments.like);
  check_same_training(arguments, how, prediction);
  CombinedKernel made{prediction.samples, prediction.training_samples, {}, {}, {}, {}};
  if (prediction.diagonals) made.diagonal = *prediction.diagonals * how.factors;
  made.K = weighted_sum(prediction.rows, how.factors);
  made.how = std::move(how);
  return made;
}

void check_output_name(const std::string& output) {
  if (output.empty()) throw OptionError("the output file is missing", "add -o K.npz or -o K.tsv");
  if (output.ends_with(".npz") || io::is_table_name(output)) return;
  throw OptionError(fmt::format("the output '{}' does not end in .npz, .csv or .tsv", output),
                    "tables may be packed: .csv.gz, .tsv.gz");
}

// A prediction needs the training kernel, a completion none.
void check_kind(const CombineArguments& arguments) {
  const bool prediction = io::is_result_of("predict", arguments.folder);
  if (prediction && arguments.like.empty())
    throw OptionError(
        fmt::format("'{}' is a prediction: its kernel must have the weights and scales of the "
                    "training kernel",
                    arguments.folder),
        "first 'mkc combine RESULT -o K.npz', then 'mkc combine " + arguments.folder +
            " --like K.npz -o " + (arguments.output.empty() ? "new.npz" : arguments.output) + "'");
  if (!prediction && !arguments.like.empty())
    throw OptionError(fmt::format("--like is for predictions; '{}' is none", arguments.folder),
                      "'mkc predict' writes such a folder");
}

void check_arguments(const CombineArguments& arguments) {
  const bool labels = arguments.labels.given();
  if (!arguments.like.empty() &&
      (labels || arguments.weights != "mean" || arguments.scale != "variance"))
    throw OptionError("--like fixes weights and scales",
                      "leave out --weights, --labels and --scale");
  if (uses_labels(arguments.weights) != labels)
    throw OptionError(labels ? "--labels needs --weights alignment or alignf"
                             : fmt::format("--weights {} needs --labels", arguments.weights),
                      "mkc combine DIR --weights alignf --labels FILE[:COLUMN] -o K.npz");
  check_label_arguments(arguments.labels);
  if (arguments.folder.empty())
    throw OptionError("the result folder is missing", "mkc combine DIR -o K.npz");
  check_output_name(arguments.output);
  check_kind(arguments);
  refuse_to_overwrite_result(arguments.output, arguments.folder, "K.npz");
  Strings inputs;
  if (labels) inputs.push_back(arguments.labels.path());
  if (!arguments.like.empty()) inputs = {arguments.like, io::combination_path(arguments.like)};
  for (const auto& file : {arguments.output, io::combination_path(arguments.output)})
    refuse_to_overwrite_inputs(file, inputs);
}

void print_weights(const CombineArguments& arguments, const CombinedKernel& made,
                   Terminal& terminal) {
  const io::Combination& how = made.how;
  std::vector<std::vector<std::string>> rows = {{"view", "weight"}};
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (Index m = 0; m < how.weights.size(); ++m) {
    rows.push_back({how.views[at(m)], fmt::format("{:.4f}", how.weights(m))});
    json[how.views[at(m)]] = how.weights(m);
  }
  terminal.result(format_table(rows));
  terminal.message(
      arguments.like.empty() || !made.whole
          ? fmt::format("{} of {} {}samples in {}", made.whole ? "kernel" : "factors of the kernel",
                        made.rows.size(), arguments.like.empty() ? "" : "new ", arguments.output)
          : fmt::format("kernel of {} new samples against {} training samples in {}",
                        made.rows.size(), made.columns.size(), arguments.output));
  if (arguments.terminal.json)
    print_json({{"output", arguments.output},
                {"samples", made.rows.size()},
                {"training_samples", made.columns.size()},
                {"scale", how.scale},
                {"weights", json}});
}

int run_combine(const CombineArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  check_arguments(arguments);
  io::PendingFile file(arguments.output, arguments.force);
  const std::string beside = io::combination_path(arguments.output);
  io::refuse_foreign_description(beside);
  io::PendingFile description(beside, arguments.force || io::is_combination(beside));
  terminal.progress({"reading", 0, 0, 0});
  Strings inputs;
  for (const auto& path : {arguments.labels.given() ? arguments.labels.path() : "", arguments.like})
    if (!path.empty()) inputs.push_back(require_file(path, "check the name"));
  const io::InputRecord read(inputs);
  const CombinedKernel made =
      arguments.like.empty() ? combine_result(arguments, terminal) : combine_prediction(arguments);
  const io::RunRecord record{command_line(), read.confirmed(), 1, false, {}};
  finish_first("writing the result");
  write_kernel(file.path(), arguments.output, made);
  io::write_text_file(description.path(),
                      io::combination_json(made.how, record, file.path(), new_diagonal(made)));
  file.commit();
  description.commit();
  print_weights(arguments, made, terminal);
  return exit_ok;
}

}  // namespace

Runner add_combine(CommandParser& parser) {
  auto arguments = std::make_shared<CombineArguments>();
  parser.describe(
      "Combine the completed kernels into one, for an SVM, kernel PCA or clustering. Of a "
      "prediction:\nthe kernel of the new samples against the training samples, with the weights "
      "and scales of the\ntraining kernel.\n\n"
      "  mkc combine result -o K.tsv\n"
      "  mkc combine result --weights alignf --labels train.tsv:subtype -o K.npz\n"
      "  mkc combine new --like K.npz -o Knew.npz");
  parser.option("DIR", arguments->folder, "result folder of 'mkc complete' or 'mkc predict'",
                Takes::folder);
  parser.option("-o,--output", arguments->output,
                "output file: .npz (arrays K and samples), or .csv or .tsv, plain or .gz, with "
                "sample ids; FILE.json beside it describes it",
                Takes::file);
  parser.option("--like", arguments->like,
                "for a prediction: the training kernel that 'mkc combine' wrote", Takes::file);
  parser.choice("--weights", arguments->weights, weighting_names,
                "mean (equal weights)|relations (how much the other views use the view)|alignment "
                "(of each view with --labels)|alignf (of all views together with --labels)");
  add_label_arguments(parser, arguments->labels,
                      "classes, numbers or times; give training samples only");
  add_label_ids_argument(parser, arguments->labels);
  parser.choice("--scale", arguments->scale, {"variance", "none"},
                "divide each kernel by its variance before weighting, or not (variance|none)");
  parser.flag("-f,--force", arguments->force, "replace an existing file");
  add_terminal_arguments(parser, arguments->terminal);
  return [arguments] { return run_combine(*arguments); };
}

}  // namespace mkc::app
