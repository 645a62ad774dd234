#include "mkc/files/model_file.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "base/names.hpp"
#include "formats/npz.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr const char* format_name = "mkc model";
constexpr int format_version = 1;

// The lower triangle of a symmetric matrix, column by column.
Matrix packed(const Matrix& K) {
  const Index n = K.rows();
  Matrix values(n * (n + 1) / 2, 1);
  Index next = 0;
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) values(next++, 0) = K(i, j);
  return values;
}

Matrix unpacked(const Vector& values, Index n) {
  Matrix K(n, n);
  Index next = 0;
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) K(i, j) = K(j, i) = values(next++);
  return K;
}

Matrix column_of(const Indices& values) {
  Matrix column(static_cast<Index>(values.size()), 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    column(static_cast<Index>(i), 0) = static_cast<double>(values[i]);
  return column;
}

std::string array_name(std::size_t view, const char* what) {
  return fmt::format("view{}_{}", view, what);
}

void write_transform(NpzWriter& npz, std::size_t m, const FeatureTransform& transform) {
  if (transform.changes_nothing()) return;
  npz.add(array_name(m, "transform"), Strings{transform_name(transform.kind)});
  npz.add(array_name(m, "library_size"), Matrix::Constant(1, 1, transform.library));
  if (transform.learnt.size() > 0) npz.add(array_name(m, "transform_learnt"), transform.learnt);
}

std::string levels_name(std::size_t view, std::size_t category) {
  return fmt::format("view{}_levels{}", view, category);
}

void write_recipe(NpzWriter& npz, std::size_t m, const ViewRecipe& recipe) {
  const auto name = [&](const char* what) { return array_name(m, what); };
  Strings words = {view_kind_name(recipe.kind), samples_in_name(recipe.samples_in)};
  if (!recipe.kernel) return npz.add(name("recipe"), words);
  for (const auto& [option, value] : kernel_option_table().values(recipe.kernel->options))
    words.push_back(option + "=" + value);
  npz.add(name("recipe"), words);
  npz.add(name("columns"), Matrix::Constant(1, 1, static_cast<double>(recipe.columns)));
  npz.add(name("kept_columns"), column_of(recipe.kept_columns));
  if (!recipe.feature_names.empty()) npz.add(name("feature_names"), recipe.feature_names);
  if (recipe.fill.size() > 0) npz.add(name("fill"), Matrix(recipe.fill));
  if (recipe.kernel->scaling) {
    npz.add(name("mean"), Matrix(recipe.kernel->scaling->mean));
    npz.add(name("deviation"), Matrix(recipe.kernel->scaling->deviation));
  }
  if (recipe.kernel->directions.size() > 0) npz.add(name("directions"), recipe.kernel->directions);
  if (recipe.kernel->points.size() > 0) npz.add(name("points"), recipe.kernel->points);
  write_transform(npz, m, recipe.kernel->transform);
  if (recipe.kernel->categories.empty()) return;
  npz.add(name("category_columns"), column_of(recipe.kernel->categories));
  npz.add(name("words"), recipe.kernel->words);
  for (std::size_t k = 0; k < recipe.categories.size(); ++k)
    npz.add(levels_name(m, k), recipe.categories[k].levels);
}

/// The arrays of a model file, taken by name; what is missing or of another size is an InputError.
class Arrays {
 public:
  explicit Arrays(const std::string& path) : path_(path) {
    for (auto& [name, array] : read_npz(path)) arrays_.emplace(name, std::move(array));
  }

  bool has(const std::string& name) const { return arrays_.contains(name); }
  Strings words(const std::string& name) { return take_strings(take(name), where(name)); }
  Vector vector(const std::string& name) {  // stored as a matrix of one column
    const Matrix values = matrix(name);
    require(values.cols() == 1, name + " has more than one column");
    return values;
  }
  Matrix matrix(const std::string& name) { return take_matrix(take(name), where(name)); }

  // Ascending whole numbers from 0 to below `end`.
  Indices positions(const std::string& name, Index end) {
    Indices result;
    double least = 0;
    for (const double value : vector(name)) {
      require(value >= least && value < static_cast<double>(end) &&
                  value == static_cast<double>(static_cast<Index>(value)),
              name + ": positions out of order or out of range");
      result.push_back(static_cast<Index>(value));
      least = value + 1;
    }
    return result;
  }

  void require(bool holds, const std::string& what) const {
    if (!holds)
      throw InputError(fmt::format("'{}' is a damaged mkc model: {}", path_, what),
                       {{"command", "complete", "makes the model again"}});
  }

 private:
  std::string where(const std::string& name) const { return path_ + ":" + name; }

  Array take(const std::string& name) {
    require(has(name), fmt::format("array '{}' is missing", name));
    return std::move(arrays_.at(name));
  }

  std::string path_;
  std::map<std::string, Array> arrays_;
};

void check_format(Arrays& arrays, const std::string& path) {
  const Strings format = arrays.has("format") ? arrays.words("format") : Strings{};
  if (format.size() != 2 || format[0] != format_name)
    throw InputError(fmt::format("'{}' is not an mkc model", path),
                     "give a file that mkc saved as a model");
  if (format[1] != std::to_string(format_version))
    throw InputError(fmt::format("'{}' is a model of format version {}; this mkc reads version {}",
                                 path, format[1], format_version),
                     "use the mkc that wrote it, or a newer one");
}

KernelOptions kernel_options(const Arrays& arrays, const std::string& name, const Strings& words) {
  OptionValues values;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    if (equals != std::string::npos)
      values.emplace_back(words[i].substr(0, equals), words[i].substr(equals + 1));
  }
  try {
    return kernel_option_table().parse(values);
  } catch (const OptionError& error) {
    arrays.require(false, name + ": " + error.what());
    throw;
  }
}

/// Rows and columns of what a transform learnt from `numbers` columns of `n` samples; 0: any.
std::pair<Index, Index> learnt_size(Transform kind, Index numbers, Index n) {
  switch (kind) {
    case Transform::clr:
      return {1, 1};
    case Transform::log:
    case Transform::tfidf:
      return {1, numbers};
    case Transform::minmax:
    case Transform::zscore:
      return {2, numbers};
    case Transform::rank:
      return {n, numbers};
    default:
      return {0, 0};
  }
}

/// Models of 0.1 and 0.2 have none.
FeatureTransform read_transform(Arrays& arrays, std::size_t m, Index numbers, Index n) {
  const auto name = [&](const char* what) { return array_name(m, what); };
  FeatureTransform transform;
  if (!arrays.has(name("transform"))) return transform;
  const Strings words = arrays.words(name("transform"));
  const auto found = words.empty()
                         ? transform_names().end()
                         : std::find(transform_names().begin(), transform_names().end(), words[0]);
  arrays.require(found != transform_names().end(), name("transform"));
  transform.kind = static_cast<Transform>(found - transform_names().begin());
  const Vector library = arrays.vector(name("library_size"));
  arrays.require(library.size() == 1 && library(0) >= 0 && std::isfinite(library(0)),
                 name("library_size"));
  transform.library = library(0);
  if (arrays.has(name("transform_learnt")))
    transform.learnt = arrays.matrix(name("transform_learnt"));
  const auto [rows, columns] = learnt_size(transform.kind, numbers, n);
  arrays.require(transform.learnt.rows() == rows && transform.learnt.cols() == columns &&
                     transform.learnt.allFinite(),
                 name("transform_learnt"));
  return transform;
}

/// Whether this is what the options ask for. Models of 0.1 and 0.2, and of words alone, leave them
/// automatic and have no transform.
bool fits(const FeatureTransform& transform, const KernelOptions& options) {
  const bool divides = options.library_size.rule == LibrarySize::Rule::median ||
                       options.library_size.rule == LibrarySize::Rule::number;
  const Transform asked =
      options.transform == Transform::automatic ? Transform::none : options.transform;
  return transform.kind == asked && (transform.library > 0) == divides;
}

/// The kernel of `used` features on `n_observed` training samples.
TrainedKernel read_kernel(Arrays& arrays, std::size_t m, Index used, Index n_observed) {
  const auto name = [&](const char* what) { return array_name(m, what); };
  TrainedKernel kernel;
  if (arrays.has(name("category_columns"))) {
    kernel.categories = arrays.positions(name("category_columns"), used);
    kernel.words = arrays.matrix(name("words"));
    arrays.require(kernel.words.rows() == n_observed &&
                       kernel.words.cols() == std::ssize(kernel.categories) &&
                       kernel.words.allFinite(),
                   name("words"));
  }
  const Index numbers = used - std::ssize(kernel.categories);
  if (numbers == 0) return kernel;
  if (arrays.has(name("mean")))
    kernel.scaling = {arrays.vector(name("mean")), arrays.vector(name("deviation"))};
  if (arrays.has(name("directions"))) kernel.directions = arrays.matrix(name("directions"));
  kernel.points = arrays.matrix(name("points"));
  kernel.transform = read_transform(arrays, m, numbers, n_observed);
  arrays.require(!kernel.scaling || (kernel.scaling->mean.size() == numbers &&
                                     kernel.scaling->deviation.size() == numbers),
                 name("mean"));
  const bool latent = kernel.directions.size() > 0;
  arrays.require(!latent || kernel.directions.rows() == numbers, name("directions"));
  arrays.require(kernel.points.rows() == n_observed &&
                     kernel.points.cols() == (latent ? kernel.directions.cols() : numbers),
                 name("points"));
  return kernel;
}

/// The words of training, of the columns whose codes the kernel compares.
std::vector<CategoryColumn> read_levels(Arrays& arrays, std::size_t m,
                                        const TrainedKernel& kernel) {
  std::vector<CategoryColumn> categories;
  for (const Index column : kernel.categories) {
    const std::string name = levels_name(m, categories.size());
    categories.push_back({column, arrays.words(name)});
    const Strings& levels = categories.back().levels;
    arrays.require(
        std::adjacent_find(levels.begin(), levels.end(), std::greater_equal<>()) == levels.end(),
        name + ": words out of order");
  }
  return categories;
}

ViewRecipe read_recipe(Arrays& arrays, std::size_t m, Index n_observed) {
  const auto name = [&](const char* what) { return array_name(m, what); };
  const Strings words = arrays.words(name("recipe"));
  arrays.require(words.size() >= 2, name("recipe") + " is too short");
  ViewRecipe recipe;
  recipe.kind =
      words[0] == view_kind_name(ViewKind::kernel) ? ViewKind::kernel : ViewKind::features;
  recipe.samples_in =
      words[1] == samples_in_name(SamplesIn::columns) ? SamplesIn::columns : SamplesIn::rows;
  if (recipe.kind == ViewKind::kernel) return recipe;
  const Vector columns = arrays.vector(name("columns"));
  arrays.require(columns.size() == 1 && columns(0) >= 1 && columns(0) < 1e15, name("columns"));
  recipe.columns = static_cast<Index>(columns(0));
  recipe.kept_columns = arrays.positions(name("kept_columns"), recipe.columns);
  const auto used = static_cast<Index>(recipe.kept_columns.size());
  if (arrays.has(name("feature_names"))) recipe.feature_names = arrays.words(name("feature_names"));
  if (arrays.has(name("fill"))) recipe.fill = arrays.vector(name("fill"));
  arrays.require(
      recipe.feature_names.empty() || static_cast<Index>(recipe.feature_names.size()) == used,
      name("feature_names"));
  arrays.require(recipe.fill.size() == 0 || recipe.fill.size() == used, name("fill"));
  recipe.kernel = read_kernel(arrays, m, used, n_observed);
  recipe.categories = read_levels(arrays, m, *recipe.kernel);
  recipe.kernel->options = kernel_options(arrays, name("recipe"), words);
  arrays.require(fits(recipe.kernel->transform, recipe.kernel->options),
                 name("transform") + " is not that of the options");
  return recipe;
}

/// A completed kernel has k_ii >= 0 and |k_ij| <= sqrt(k_ii k_jj), and is not 0 throughout. A file
/// in which this does not hold is not what mkc wrote, and predictions from it mean nothing.
bool may_be_kernel(const Matrix& K) {
  constexpr double rounding = 1e-6;  // of the largest entry: completed kernels are PSD up to it
  const Vector lengths = K.diagonal().cwiseMax(0).cwiseSqrt();
  const double largest = K.diagonal().maxCoeff();
  if (!(largest > 0) || K.diagonal().minCoeff() < -rounding * largest) return false;
  for (Index j = 0; j < K.cols(); ++j)
    if ((K.col(j).array().abs() > lengths.array() * lengths(j) + rounding * largest).any())
      return false;
  return true;
}

}  // namespace

void write_model(const std::string& path, const SavedModel& saved) {
  NpzWriter npz(path);
  npz.add("format", Strings{format_name, std::to_string(format_version)});
  npz.add("about", Strings{saved.about});
  npz.add("samples", saved.model.samples);
  const Strings names = names_of(saved.model.views);
  npz.add("views", names);
  for (std::size_t m = 0; m < names.size(); ++m) {
    npz.add(array_name(m, "rows"), column_of(saved.model.views[m].rows));
    npz.add(array_name(m, "kernel"), packed(saved.model.views[m].kernel));
    write_recipe(npz, m, saved.recipes[m]);
  }
  npz.close();
}

SavedModel read_model(const std::string& path) {
  Arrays arrays(path);
  check_format(arrays, path);
  SavedModel saved;
  const Strings about = arrays.words("about");
  saved.about = about.empty() ? "" : about[0];
  saved.model.samples = arrays.words("samples");
  const Index N = saved.model.n_samples();
  for (const auto& name : arrays.words("views")) {
    const std::size_t m = saved.model.views.size();
    TrainedView view{name, arrays.positions(array_name(m, "rows"), N), {}};
    const Vector values = arrays.vector(array_name(m, "kernel"));
    arrays.require(values.size() == N * (N + 1) / 2 && values.allFinite() && !view.rows.empty(),
                   array_name(m, "kernel"));
    view.kernel = unpacked(values, N);
    arrays.require(may_be_kernel(view.kernel),
                   array_name(m, "kernel") + " is not positive semi-definite");
    saved.recipes.push_back(read_recipe(arrays, m, static_cast<Index>(view.rows.size())));
    saved.model.views.push_back(std::move(view));
  }
  arrays.require(!saved.model.views.empty(), "it has no views");
  return saved;
}

}  // namespace mkc::io
