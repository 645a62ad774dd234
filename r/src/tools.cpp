// Combining kernels, their clusters and axes, the list of methods, simulated data.
#include "functions.hpp"
#include "mkc/analyse/cluster.hpp"
#include "mkc/analyse/embed.hpp"
#include "mkc/combine.hpp"
#include "mkc/problem/synthetic.hpp"
#include "mkc/registry.hpp"
#include "mkc/version.hpp"
#include "numeric/linalg/blas.hpp"
#include "values.hpp"
#include "watch.hpp"

namespace mkc::r {

namespace {

std::vector<Matrix> matrices_of(SEXP list) {
  std::vector<Matrix> matrices;
  for (const SEXP values : cpp11::list(list)) matrices.push_back(matrix_of(values));
  return matrices;
}

Target target_of(const cpp11::list& given, const Strings& samples) {
  LabelTexts texts{"labels", strings_of(given["names"]), {}};
  for (const SEXP text : cpp11::list(given["columns"])) texts.columns.push_back(strings_of(text));
  return typed_labels(texts, samples, text_of(given["type"])).target;
}

cpp11::sexp described(const std::vector<OptionInfo>& options) {
  List list;
  list.add("option", column(options, [](const auto& o) { return o.name; }))
      .add("default", column(options, [](const auto& o) { return o.default_value; }))
      .add("range", column(options, [](const auto& o) { return o.range; }))
      .add("meaning", column(options, [](const auto& o) { return o.meaning; }));
  return static_cast<SEXP>(list);
}

}  // namespace

SEXP combine_kernels(SEXP kernels, SEXP weights, SEXP views, SEXP scale) {
  const std::vector<Matrix> given = matrices_of(kernels);
  const Vector mixed = vector_of(weights);
  const Strings names = strings_of(views);
  const bool scaled = flag_of(scale);
  return to_r(watched_result([&] { return mkc::combine_kernels(given, mixed, names, scaled); }));
}

SEXP label_weights(SEXP kernels, SEXP labels, SEXP samples, SEXP rule, SEXP scale) {
  const std::vector<Matrix> given = matrices_of(kernels);
  const Target target = target_of(cpp11::list(labels), strings_of(samples));
  const bool joint = text_of(rule) == "alignf", scaled = flag_of(scale);
  return to_r(watched_result([&] {
    return joint ? alignf_weights(given, target, scaled) : alignment_weights(given, target);
  }));
}

SEXP cluster_kernels(SEXP kernels, SEXP views, SEXP samples, SEXP given, SEXP callback) {
  const cpp11::list options(given);
  const std::vector<Matrix> matrices = matrices_of(kernels);
  const Strings view_names = strings_of(views), sample_names = strings_of(samples);
  ClusterOptions how;
  how.clusters = cpp11::as_cpp<int>(options["clusters"]);
  how.max_clusters = cpp11::as_cpp<int>(options["max_clusters"]);
  how.resamples = cpp11::as_cpp<int>(options["resamples"]);
  how.seed = seed_of(options["seed"]);
  how.threads = cpp11::as_cpp<int>(options["threads"]);
  Clustering found;
  watched(callback, [&](const ProgressCallback& progress) {
    how.progress = progress;
    found = cluster(matrices, view_names, sample_names, how);
  });
  List list;
  list.add("found", found.found)
      .add("clusters", found.clusters)
      .add("stability", found.stability)
      .add("reference", found.reference)
      .add("of_sample", found.of_sample)
      .add("strength", found.strength)
      .add("notices", found.notices);
  return list;
}

SEXP embed_kernels(SEXP kernels, SEXP views, SEXP samples, SEXP method, SEXP dimensions) {
  const std::vector<Matrix> matrices = matrices_of(kernels);
  const Strings view_names = strings_of(views), sample_names = strings_of(samples);
  EmbedOptions options;
  options.method =
      static_cast<EmbedMethod>(detail::to_choice("method", text_of(method), embed_method_names()));
  options.dimensions = cpp11::as_cpp<int>(dimensions);
  return to_r(watched_result(
      [&] { return embed(matrices, view_names, sample_names, options).coordinates; }));
}

SEXP all_methods() {
  cpp11::writable::list list;
  for (const auto& method : methods()) {
    List entry;
    entry.add("name", method.name)
        .add("summary", method.summary)
        .add("cost", method.cost)
        .add("options", described(method.options));
    list.push_back(static_cast<SEXP>(entry));
  }
  return list;
}

SEXP check_method(SEXP text) {
  const Spec spec = parse_spec(text_of(text));
  find_method(spec.name).effective_options(spec.options);
  return to_r(spec.name);
}

SEXP make_example(SEXP samples, SEXP missing, SEXP seed) {
  Example made =
      mkc::make_example(cpp11::as_cpp<int>(samples), cpp11::as_cpp<double>(missing), seed_of(seed));
  cpp11::writable::list views;
  for (const auto& view : made.views) {
    List entry;
    entry.add("name", view.name).add("features", view.features).add("kernel", view.kernel);
    views.push_back(static_cast<SEXP>(entry));
  }
  List list;
  list.add("samples", made.samples).add("views", views).add("observed", made.observed);
  return list;
}

SEXP about() {
  List list;
  list.add("version", version)
      .add("blas", linalg::blas_name())
      .add("threads", static_cast<Index>(available_threads()));
  return list;
}

}  // namespace mkc::r
