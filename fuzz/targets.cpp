#include "targets.hpp"

#include <functional>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "blocks.hpp"
#include "experiments/experiment.hpp"
#include "files/labels.hpp"
#include "files/manifest.hpp"
#include "files/mask.hpp"
#include "files/read_views.hpp"
#include "folders.hpp"
#include "formats/text_table.hpp"
#include "formats/xlsx_sheet.hpp"
#include "mkc/base/error.hpp"
#include "mkc/evaluate/evaluation.hpp"
#include "mkc/files/model_file.hpp"
#include "mkc/files/sample_map.hpp"
#include "mkc/problem/id_spelling.hpp"
#include "mkc/problem/name_look.hpp"
#include "mkc/problem/replicates.hpp"
#include "mkc/problem/sample_ids.hpp"
#include "scratch.hpp"
#include "zip_sums.hpp"

namespace mkc::fuzz {

namespace {

/// One kind of input: bytes become a file (or several) at a path, which the reader gets.
struct Target {
  std::function<std::string(Scratch&, std::string_view bytes)> write;
  std::function<void(const std::string& path)> read;
};

std::function<std::string(Scratch&, std::string_view)> file(const std::string& extension) {
  return [extension](Scratch& scratch, std::string_view bytes) {
    return scratch.write("x" + extension, bytes);
  };
}

std::function<std::string(Scratch&, std::string_view)> archive(const std::string& extension) {
  return [extension](Scratch& scratch, std::string_view bytes) {
    return scratch.write("x" + extension, with_right_sums(bytes));
  };
}

/// Files that MATLAB 7.3 wrote are recognised by their first bytes.
std::function<std::string(Scratch&, std::string_view)> mat_or(const std::string& extension) {
  return [extension](Scratch& scratch, std::string_view bytes) {
    return scratch.write(bytes.starts_with("MATLAB") ? "x.mat" : "x" + extension, bytes);
  };
}

void read_view(const std::string& path) {
  io::ViewSpec spec;
  spec.path = path;
  io::read_views(spec);
}

/// Words and dates are read by columns: with samples in rows, and with samples in columns.
void read_both_sides(const std::string& path) {
  Strings refused;
  for (const char* side : {"rows", "columns"}) try {
      io::ViewSpec spec;
      spec.path = path;
      spec.read_options = {{"samples_in", side}};
      io::read_views(spec);
    } catch (const InputError& error) {
      refused.emplace_back(error.what());
    }
  if (refused.size() == 2) throw InputError(refused.front());
}

void read_labels(const std::string& path) {
  Strings notices;
  io::read_labels({path, ""}, {"P-1", "P-2", "P-3"}, notices);
}

/// A file of R, as a view and, where it holds several tables, with labels in one of them.
void read_r_file(const std::string& path) {
  read_view(path);
  Strings notices;
  try {
    io::read_labels({path, ""}, {"P-1", "P-2", "P-3"}, notices);
  } catch (const InputError&) {  // most seeds hold views alone
  }
}

/// A workbook, as a view and as labels.
void read_workbook(const std::string& path) {
  read_view(path);
  Strings notices;
  io::read_labels({path, "g1"}, {"P-1", "P-2", "P-3"}, notices);
}

/// The part of a workbook that holds a sheet, without its archive.
void read_sheet(const std::string& path) {
  const std::string bytes = read_file(path);
  const Strings texts = {"x", "P-1"};
  const std::vector<bool> is_date = {false, true};
  io::SheetReader reader({path, texts, is_date, false, io::CellsAs::words});
  const io::XmlEvents events = reader.events();
  io::XmlParser(path, events).feed(bytes.data(), bytes.size(), true);
  io::SheetText sheet;
  reader.finish(sheet);
  io::read_text_table(io::TextLines(path, std::move(sheet.text)));
}

/// Trials are texts: read, or not taken for a trial.
void read_trial(const std::string& path) {
  const std::string text = read_file(path);
  if (!io::parse_trial(text) && !io::parse_tuned_result(text))
    throw InputError(path + ": not a trial");
}

void read_experiment(const std::string& path) {
  // Short forms of those of experiments/methods.toml, whose grids would take most of the time.
  static const std::string methods = [] {
    std::string list =
        "[[method]]\nname = \"app\"\nmkc = true\ngrid = { c2 = [1e-3, 1] }\n"
        "short = { c2 = [1] }\n[[method]]\nname = \"em\"\n"
        "first_view_complete = true\n";
    for (const char* name :
         {"embd_ht", "embd_hm", "sdp", "knn", "wknn", "transfer", "latent", "auto"})
      list += fmt::format("[[method]]\nname = \"{}\"\n", name);
    return list;
  }();
  io::parse_experiment(read_file(path), path, methods, false);
}

/// Two views, whose ids are the lines before and after the first empty one. A first line that
/// begins with "ids=" is the rule for them.
void compare_ids(const std::string& path) try {
  std::vector<View> views(2);
  std::size_t view = 0;
  std::string rule = "auto";
  for (const auto& line : lines_of(read_file(path)))
    if (line.starts_with("ids="))
      rule = line.substr(4);
    else if (line.empty())
      view = 1;
    else
      views[view].ids.push_back(line);
  for (auto& one : views) {
    one.name = path;
    one.all_ids = one.ids;
    common_suffix(one.ids);
  }
  propose_id_rule(views);
  side_evidence(views[0].ids, views[1].ids, rule);
  for (auto& one : views) one.values = Matrix(static_cast<Index>(one.ids.size()), 0);
  std::vector<View> named = views;
  apply_id_rule(named, parse_id_rule(rule));
  for (auto& one : named) merge_replicates(one, Replicates::mean);
  as_samples(views[1].ids, views[0].ids, parse_id_rule(rule));
  normalize_ids(views);
} catch (const OptionError& error) {  // the rule is an option of the user
  throw InputError(path + ": " + error.what());
}

const std::map<std::string_view, Target>& targets() {
  static const std::map<std::string_view, Target> all = {
      {"csv", {file(".csv"), read_both_sides}},
      {"npy", {file(".npy"), read_view}},
      {"npz", {archive(".npz"), read_view}},
      {"mat", {file(".mat"), read_view}},
      {"mtx", {file(".mtx"), read_view}},
      {"rds", {file(".rds"), read_r_file}},
      {"xlsx", {archive(".xlsx"), read_workbook}},
      {"sheet", {file(".xml"), read_sheet}},
      {"hdf5", {mat_or(".h5"), read_view}},
      {"blocks", {write_table, read_in_blocks}},
      {"toml", {file(".toml"), [](const std::string& path) { io::read_manifest(path); }}},
      {"config", {file(".toml"), [](const std::string& path) { io::read_configuration(path); }}},
      {"mask", {mat_or(".csv"), [](const std::string& path) { io::read_mask(path); }}},
      {"map", {file(".csv"), [](const std::string& path) { io::read_sample_map(path); }}},
      {"labels", {file(".csv"), read_labels}},
      {"model", {archive(".npz"), [](const std::string& path) { io::read_model(path); }}},
      {"cells", {file(".json"), read_trial}},
      {"experiment", {file(".toml"), read_experiment}},
      {"ids", {file(".txt"), compare_ids}},
      {"result", {write_into_result, read_result_folder}},
      {"factors", {write_into_factors, read_result_folder}},
      {"evaluation", {write_into_evaluation, read_evaluation_folder}},
  };
  return all;
}

}  // namespace

namespace {

Scratch& scratch() {
  static Scratch one;
  return one;
}

}  // namespace

void prepare() { scratch(); }

bool reaches_hdf5(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  return bytes.find("\x89HDF\r\n\x1a\n") != std::string_view::npos;
}

bool read_as(std::string_view format, const std::uint8_t* data, std::size_t size) {
  const Target& target = targets().at(format);
  const std::string path = target.write(scratch(), {reinterpret_cast<const char*>(data), size});
  try {
    target.read(path);
    return true;
  } catch (const InputError& error) {
    const std::string_view what = error.what();
    // A message must name the file. A crash of the HDF5 library is expected, but where its process
    // exits by itself, a sanitizer has found something.
    if (what.find(path) == std::string_view::npos ||
        what.starts_with(path + ": the HDF5 library ended"))
      throw std::logic_error("not a message to show: " + std::string(what));
    return false;
  }
}

}  // namespace mkc::fuzz
