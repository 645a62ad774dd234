#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "experiments/experiment.hpp"
#include "formats/files.hpp"
#include "formats/mat.hpp"
#include "formats/sha256.hpp"
#include "mkc/base/error.hpp"
#include "mkc/evaluate/evaluation.hpp"
#include "mkc/files/read_all.hpp"
#include "mkc/problem/assemble.hpp"

namespace mkc::io {

namespace {

using Type = MatArray::Type;

const MatArray& variable(const MatVariables& variables, const std::string& name,
                         const std::string& path) {
  for (const auto& [own, array] : variables)
    if (own == name && array.type == Type::numbers) return array;
  throw InputError(fmt::format("{}: there is no variable {}", path, name),
                   "a file with splits contains K, IDtr, IDval, IDts, IDmisCv and IDmisTest");
}

// Row `row` of a table of samples, numbered from 1.
Indices samples_of(const MatArray& table, Index row, Index n_samples, const std::string& where) {
  Indices samples;
  for (const double number : table.values.row(row)) {
    const auto i = static_cast<Index>(number) - 1;
    if (i < 0 || i >= n_samples || static_cast<double>(i + 1) != number)
      throw InputError(fmt::format("{}: {} is not one of {} samples", where, number, n_samples));
    samples.push_back(i);
  }
  return samples;
}

// Applies a stored mask (1 = observed) to `samples`: (samples, M, levels), or with the split as
// first dimension.
void hide_stored(const MatArray& masks, Index split, Index level, const Indices& samples,
                 const std::string& where, Mask& hidden) {
  const bool per_split = masks.shape.size() == 4;
  const Index first = per_split ? 1 : 0, M = hidden.cols();
  const auto count = static_cast<Index>(samples.size());
  if (masks.shape.size() != static_cast<std::size_t>(first + 3) ||
      masks.shape[at(first)] != count || masks.shape[static_cast<std::size_t>(first) + 1] != M)
    throw InputError(fmt::format("{}: {} values do not match {} samples and {} views", where,
                                 format_mat_shape(masks.shape), count, M));
  if (level >= masks.shape.back() || (per_split && split >= masks.shape[0]))
    throw InputError(fmt::format("{}: {} values have no split {} or no level {}", where,
                                 format_mat_shape(masks.shape), split + 1, level + 1));
  // values is (shape[0], rest), column by column
  const double* data = masks.values.data();
  const Index splits = per_split ? masks.shape[0] : 1, s = per_split ? split : 0;
  for (Index i = 0; i < count; ++i)
    for (Index m = 0; m < M; ++m)
      hidden(samples[at(i)], m) = data[s + splits * (i + count * (m + M * level))] == 0;
}

void load_splits(const std::string& path, Index n_samples, Index n_views, LoadedData& loaded) {
  const std::string bytes = read_whole_file(path);
  const MatVariables variables = parse_mat5(bytes, path);
  const MatArray& whole = variable(variables, "IDtr", path);
  const MatArray& tuning = variable(variables, "IDval", path);
  const MatArray& test = variable(variables, "IDts", path);
  const MatArray& tuning_masks = variable(variables, "IDmisCv", path);
  const MatArray& test_masks = variable(variables, "IDmisTest", path);
  const Index levels = test_masks.shape.back();
  if (tuning.values.rows() != whole.values.rows() || test.values.rows() != whole.values.rows())
    throw InputError(fmt::format("{}: IDtr has {} splits, IDval {} and IDts {}", path,
                                 whole.values.rows(), tuning.values.rows(), test.values.rows()));
  for (Index s = 0; s < whole.values.rows(); ++s) {
    const auto set = [&](const MatArray& table) { return samples_of(table, s, n_samples, path); };
    const Indices tuning_samples = set(tuning), test_samples = set(test);
    StoredSplit split;
    split.partition = {set(whole), tuning_samples, test_samples};
    for (Indices* part : {&split.partition.whole, &split.partition.tuning, &split.partition.test})
      std::sort(part->begin(), part->end());
    for (Index level = 0; level < levels; ++level) {
      Mask hidden = Mask::Constant(n_samples, n_views, false);
      hide_stored(tuning_masks, s, level, tuning_samples, path + ":IDmisCv", hidden);
      hide_stored(test_masks, s, level, test_samples, path + ":IDmisTest", hidden);
      split.hidden.push_back(std::move(hidden));
    }
    loaded.splits.push_back(std::move(split));
  }
  loaded.digest = sha256_of_bytes(bytes);
}

std::vector<ViewSpec> view_specs(const DataSource& source, const std::filesystem::path& folder) {
  std::vector<ViewSpec> specs;
  if (!source.splits.empty())
    return {make_view_spec("", (folder / source.splits).string(), "K", {})};
  for (const auto& view : source.views)
    specs.push_back(
        make_view_spec(view.name, (folder / view.file).string(), view.array, view.options));
  return specs;
}

Problem problem_of_files(const DataSource& source, const std::filesystem::path& folder) {
  const auto specs = view_specs(source, folder);
  for (const auto& spec : specs) require_file(spec.path);
  ReadAllOptions reading;
  reading.read.zero_rows = ZeroRows::values;
  reading.ids = {IdRule::Kind::exact};
  reading.match_rows = true;  // the paper's files have no ids
  if (!source.sample_map.empty())
    reading.map = read_sample_map((folder / source.sample_map).string());
  ReadViews read = read_all_views(specs, reading);
  for (auto& view : read.views) {
    Indices kept;
    for (std::size_t i = 0; i < view.ids.size(); ++i)
      if (std::find(source.leave_out.begin(), source.leave_out.end(), view.ids[i]) ==
          source.leave_out.end())
        kept.push_back(static_cast<Index>(i));
    keep_samples(view, kept);
  }
  AssembleOptions options;
  options.samples.kind = SampleChoice::Kind::in_every_view;
  options.checks.psd = PsdPolicy::clip;
  return assemble(std::move(read.views), options).problem;
}

}  // namespace

LoadedData load_data(const DataSource& source, const std::string& folder, std::uint64_t seed) {
  if (!source.toy.empty()) {
    LoadedData loaded{toy_problem(source.toy, source.recipe, seed), {}, ""};
    loaded.digest = problem_digest(loaded.problem, {});
    return loaded;
  }
  if (folder.empty())
    throw InputError("its files are missing",
                     {{"data", "FOLDER", "or MKC_DATA names the folder of the data"}});
  Problem problem = problem_of_files(source, folder);
  if (source.most_samples > 0) problem = subsample(problem, source.most_samples, seed);
  LoadedData loaded{std::move(problem), {}, ""};
  if (!source.splits.empty())
    load_splits((std::filesystem::path(folder) / source.splits).string(),
                loaded.problem.n_samples(), loaded.problem.n_views(), loaded);
  loaded.digest = sha256_of_bytes(loaded.digest + problem_digest(loaded.problem, {}));
  return loaded;
}

}  // namespace mkc::io
