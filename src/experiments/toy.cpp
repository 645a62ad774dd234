#include "experiments/toy.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/text.hpp"
#include "mkc/base/error.hpp"
#include "mkc/kernels/kernel_options.hpp"

namespace mkc {

namespace {

constexpr Index n_views = 5;

struct Shape {
  Index samples, basis;
  double low;                // basis points are uniform in [low, 1]
  Index dimension[n_views];  // of the points of a view
  Index group[n_views];      // views of one group share their weights
};

constexpr Shape shape_of(ToyRecipe recipe) {
  if (recipe == ToyRecipe::paper) return {100, 10, -1, {5, 5, 10, 10, 10}, {0, 0, 1, 1, 1}};
  return {50, 5, 0, {10, 10, 10, 10, 10}, {0, 1, 0, 1, 1}};
}

// Row i: `cols` numbers, uniform in [low, 1], keyed by the sample.
Matrix uniform_rows(const Strings& samples, Index cols, double low, std::uint64_t seed,
                    const std::string& key) {
  Matrix X(static_cast<Index>(samples.size()), cols);
  for (Index i = 0; i < X.rows(); ++i) {
    Random random(seed, samples[at(i)], key);
    for (Index j = 0; j < cols; ++j) X(i, j) = random.uniform(low, 1);
  }
  return X;
}

OptionValues kernel_of(const std::string& name, Index view) {
  const bool linear = name == "TOYL" || (name == "TOYLG1" && view < 3);
  if (linear) return {{"kernel", "cosine"}};
  return {{"kernel", "rbf"}, {"gamma", name == "TOYG0.1" ? "10" : "1"}, {"scale", "none"}};
}

}  // namespace

const Strings& toy_names() {
  static const Strings names = {"TOYL", "TOYG1", "TOYG0.1", "TOYLG1"};
  return names;
}

Example make_toy(const std::string& name, ToyRecipe recipe, std::uint64_t seed) {
  if (std::find(toy_names().begin(), toy_names().end(), name) == toy_names().end())
    throw OptionError(
        fmt::format("there is no synthetic set '{}'{}", name, suggestion(name, toy_names())),
        "the sets are " + join(toy_names()));
  const Shape shape = shape_of(recipe);
  Example example;
  for (Index i = 0; i < shape.samples; ++i) example.samples.push_back(fmt::format("s{:03}", i + 1));
  const auto split_at = example.samples.begin() + shape.basis;
  const Strings basis(example.samples.begin(), split_at), others(split_at, example.samples.end());
  for (Index m = 0; m < n_views; ++m) {
    const std::string view = fmt::format("view{}", m + 1);
    const Matrix A = uniform_rows(others, shape.basis, 0, seed,
                                  fmt::format("weights of group {}", shape.group[m]));
    const Matrix B = uniform_rows(basis, shape.dimension[m], shape.low, seed, view);
    Matrix X(shape.samples, shape.dimension[m]);
    X << B, A * B;
    example.views.push_back({view, X, kernel_of(name, m)});
  }
  example.observed = Mask::Constant(shape.samples, n_views, true);
  return example;
}

Problem toy_problem(const std::string& name, ToyRecipe recipe, std::uint64_t seed) {
  const Example example = make_toy(name, recipe, seed);
  Indices all;
  for (Index i = 0; i < example.observed.rows(); ++i) all.push_back(i);
  std::vector<ObservedKernel> views;
  for (const auto& view : example.views) {
    const KernelOptions options = kernel_option_table().parse(view.kernel);
    views.push_back(
        {view.name, all, compute_kernel(view.features, options, example.samples).kernel, name});
  }
  return Problem(example.samples, std::move(views));
}

}  // namespace mkc
