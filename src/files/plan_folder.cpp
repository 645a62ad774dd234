#include "files/plan_folder.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/parallel.hpp"
#include "factor/archive.hpp"
#include "factor/plan_data.hpp"
#include "files/shard_part.hpp"
#include "mkc/base/error.hpp"
#include "mkc/version.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* plan_name = "plan.npz";
constexpr const char* sample_name = "sample.npz";
constexpr const char* index_name = "index.npy";
constexpr const char* samples_name = "samples.txt";
constexpr const char* kind = "tables";

/// A view of the plan: where its rows are, and what a result says of it.
struct StoredView {
  std::string name, file, source, zero_rows, columns_id;
  Index columns = 0, samples_in = 0, observed = 0;
  bool is_kernel = false, fills_cells = false;
  KernelOptions kernel;
  Indices categories, used;
  Strings examples;
};

struct StoredInput {
  std::string path, sha256;
};

struct StoredTables {
  std::string version, plan, ids;
  std::uint64_t seed = 0;
  std::vector<StoredView> views;
  std::vector<StoredInput> inputs;
  Strings notices;
  Strings blocks;  // id of the values of each
  Indices names;   // place in the list of samples where each begins
};

template <class Archive>
void fields(Archive& archive, StoredView& view) {
  archive("name", view.name);
  archive("file", view.file);
  archive("source", view.source);
  archive("zero_rows", view.zero_rows);
  archive("columns", view.columns);
  archive("columns_id", view.columns_id);
  archive("samples_in", view.samples_in);
  archive("observed", view.observed);
  archive("is_kernel", view.is_kernel);
  archive("fills_cells", view.fills_cells);
  archive("kernel", view.kernel);
  archive("categories", view.categories);
  archive("used", view.used);
  archive("examples", view.examples);
}

template <class Archive>
void fields(Archive& archive, StoredInput& input) {
  archive("path", input.path);
  archive("sha256", input.sha256);
}

template <class Archive>
void all_fields(Archive& archive, StoredTables& tables) {
  archive("mkc", tables.version);
  archive("plan", tables.plan);
  archive("ids", tables.ids);
  archive("seed", tables.seed);
  archive("views", tables.views);
  archive("inputs", tables.inputs);
  archive("notices", tables.notices);
  archive("blocks", tables.blocks);
  archive("names", tables.names);
}

/// The file that the rows of a view are read from: where it lies, or a copy in the folder.
std::string table_file(OutputFolder& folder, const ViewRows& view, Index m) {
  const auto* rows = dynamic_cast<const NpyRows*>(view.source.get());
  const fs::path copies = fs::absolute(folder.path("tables/x")).parent_path();
  if (rows != nullptr && !rows->by_columns()) {
    const fs::path file = fs::absolute(rows->file());
    return file.parent_path() == copies ? (fs::path("tables") / file.filename()).string()
                                        : file.string();
  }
  const std::string name = fmt::format("tables/{}.npy", m);
  copy_rows(*view.source, folder.path(name));
  return name;
}

StoredView stored(OutputFolder& folder, const FactorRecord& record, const JointSource& source,
                  Index m) {
  const factor::SourceView& view = source.views()[at(m)];
  const ViewRows& rows = source.tables().rows[at(m)];
  const ViewSummary& summary = record.views[at(m)];
  StoredView stored;
  stored.name = view.name;
  stored.file = table_file(folder, rows, m);
  stored.source = summary.source;
  stored.zero_rows = summary.zero_rows;
  stored.columns = view.columns;
  stored.columns_id = rows.columns_id;
  stored.samples_in = static_cast<Index>(summary.samples_in);
  stored.observed = record.observed[at(m)];
  stored.is_kernel = rows.kind == ViewKind::kernel;
  stored.fills_cells = view.na == NaPolicy::mean;
  stored.kernel = view.kernel;
  stored.categories = view.categories;
  stored.used = rows.columns;
  stored.examples = summary.examples;
  return stored;
}

/// A line for each sample; where those of each block begin.
Indices write_names(const std::string& path, const factor::Plan& plan, const JointSource& source) {
  OutputFile file(path);
  Indices starts;
  Index written = 0;
  for (Index i = 0; i < source.n_samples(); ++i) {
    if (i % plan.options().block == 0) starts.push_back(written);
    const std::string line = source.sample(i) + "\n";
    file.write(line);
    written += std::ssize(line);
  }
  file.close();
  return starts;
}

Strings read_names(const std::string& path, Index start, Index count) {
  require_file(path);
  std::ifstream file(path, std::ios::binary);
  file.seekg(start);
  Strings names;
  std::string line;
  while (std::ssize(names) < count) {
    if (!std::getline(file, line))
      throw InputError(fmt::format("{}: it is cut off", path), damaged);
    names.push_back(line);
  }
  return names;
}

}  // namespace

std::string id_of_block(const factor::Plan& plan, const JointSource& source, Index block) {
  constexpr Index tile = 2048;  // rows in memory at a time
  factor::Arrays all{"block", {}, {}};
  const Index end = plan.first_row(block) + plan.rows_of(block);
  for (Index first = plan.first_row(block); first < end; first += tile) {
    const Index count = std::min(tile, end - first);
    factor::Arrays part{"rows", {}, {}};
    for (Index i = 0; i < count; ++i) part.words.emplace_back("", source.sample(first + i));
    for (Index m = 0; m < source.n_views(); ++m) {
      const factor::FeatureMap& map = plan.data().maps[at(m)];
      Matrix X;
      factor::Presence has;
      if (map.of_kernel())
        source.read_columns(m, first, count, map.columns, X, has);
      else
        source.read(m, first, count, X, has);
      part.matrices.emplace_back("places", source.places(m, first, count));
      part.matrices.emplace_back("values", std::move(X));
    }
    all.words.emplace_back("", factor::content_id(part));
  }
  return factor::content_id(all);
}

void write_plan(OutputFolder& folder, const factor::Plan& plan, const FactorRecord& record,
                const JointSource& source, int threads) {
  StoredTables tables{version, plan.id(), record.run.ids, record.seed, {}, {}, record.notices,
                      {},      {}};
  for (Index m = 0; m < source.n_views(); ++m)
    tables.views.push_back(stored(folder, record, source, m));
  for (const auto& input : record.run.inputs) tables.inputs.push_back({input.path, input.sha256});
  tables.blocks.resize(at(plan.n_blocks()));
  parallel_for(plan.n_blocks(), threads,
               [&](Index block) { tables.blocks[at(block)] = id_of_block(plan, source, block); });
  tables.names = write_names(folder.path(samples_name), plan, source);
  factor::Arrays arrays{kind, {}, {}};
  factor::Writer writer(arrays);
  all_fields(writer, tables);
  arrays.words.emplace_back("id", factor::content_id(arrays));
  copy_rows(*source.tables().index, folder.path(index_name));
  write_arrays(folder.path(sample_name), {plan.sample_arrays()});
  write_arrays(folder.path(plan_name), {plan.arrays(), arrays});
}

PlanFolder::PlanFolder(const std::string& path) : path_(path) {
  const std::string file = (fs::path(path) / plan_name).string();
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    throw InputError(fmt::format("'{}' is not a plan: there is no {} in it", path, plan_name),
                     "give the folder that 'mkc plan' wrote");
  factor::Arrays whole, described;
  for (auto& object : read_arrays(file))
    (object.kind == kind ? described : whole) = std::move(object);
  if (described.kind != kind) throw InputError(file + ": there are no tables in it", damaged);
  if (const std::string& made_by = described.word("mkc"); made_by != version)
    throw InputError(fmt::format("{}: made by mkc {}, this is mkc {}", file, made_by, version),
                     "use one version for all steps of a plan");
  factor::check_content(described, kind);
  plan_ = factor::Plan::from(std::move(whole));
  id_ = described.word("id");
  StoredTables tables;
  factor::Reader reader(std::move(described));
  all_fields(reader, tables);
  const auto blocks = static_cast<std::size_t>(plan_->n_blocks());
  if (tables.blocks.size() != blocks || tables.names.size() != blocks)
    throw InputError(fmt::format("{}: {} blocks are described, the plan has {}", file,
                                 tables.blocks.size(), blocks),
                     damaged);
  block_ids_ = std::move(tables.blocks);
  name_places_ = std::move(tables.names);
  record_.run.ids = tables.ids;
  record_.seed = tables.seed;
  record_.notices = tables.notices;
  record_.parameters = factor::factor_options().values(plan_->options());
  record_.features = plan_->views();
  for (const auto& input : tables.inputs) record_.run.inputs.push_back({input.path, input.sha256});
  for (const auto& view : tables.views) {
    ViewSummary summary{};
    summary.name = view.name;
    summary.source = view.source;
    summary.zero_rows = view.zero_rows;
    summary.samples_in = static_cast<SamplesIn>(view.samples_in);
    summary.examples = view.examples;
    record_.views.push_back(std::move(summary));
    const ViewKind of = view.is_kernel ? ViewKind::kernel : ViewKind::features;
    record_.kinds.push_back(view_kind_name(of));
    record_.columns.push_back(view.columns);
    record_.observed.push_back(view.observed);
    columns_ids_.push_back(view.columns_id);
    const NaPolicy na = view.fills_cells ? NaPolicy::mean : NaPolicy::error;
    tables_.push_back({{view.name, view.columns, view.kernel, view.categories, na},
                       of,
                       (fs::path(path) / view.file).string(),
                       view.used});
  }
}

factor::Plan PlanFolder::plan_with_sample() const {
  const std::string file = (fs::path(path_) / sample_name).string();
  require_file(file);
  factor::Arrays sample = read_object(file, "sample");
  try {
    return plan_->with_sample(std::move(sample));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()), error.hint());
  }
}

JointSource PlanFolder::source(Index first_block, Index last_block, int threads) const {
  JointTables tables;
  for (const auto& table : tables_) {
    tables.views.push_back(table.view);
    tables.rows.push_back({std::make_shared<const NpyRows>(table.file), table.kind, table.columns,
                           columns_ids_[tables.rows.size()]});
  }
  tables.index = std::make_shared<const NpyRows>((fs::path(path_) / index_name).string());
  if (tables.index->columns() != plan_->n_samples() || tables.index->rows() != plan_->n_views())
    throw InputError(fmt::format("{}: {} of another plan", path_, index_name), damaged);
  const bool any = first_block < last_block;
  const Index first = any ? plan_->first_row(first_block) : plan_->n_samples();
  const Index end = any ? plan_->first_row(last_block - 1) + plan_->rows_of(last_block - 1) : first;
  if (any)
    tables.samples = read_names((fs::path(path_) / samples_name).string(),
                                name_places_[at(first_block)], end - first);
  tables.first_named = first;
  JointSource source(std::move(tables));
  parallel_for(last_block - first_block, threads, [&](Index k) {
    const Index block = first_block + k;
    if (id_of_block(*plan_, source, block) == block_ids_[at(block)]) return;
    const Index row = plan_->first_row(block);
    throw InputError(
        fmt::format("samples {} to {} are not those that '{}' was made for: a table has changed",
                    row + 1, row + plan_->rows_of(block), path_),
        "make a new plan, or restore the tables");
  });
  return source;
}

}  // namespace mkc::io
