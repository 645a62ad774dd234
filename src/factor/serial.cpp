#include "factor/archive.hpp"
#include "factor/plan_data.hpp"
#include "mkc/base/error.hpp"

// What plans, moments and models hold, for writing and reading alike.
namespace mkc::factor {

namespace {

// An enumeration as its number.
template <class Archive, class Enum>
void number_of(Archive& archive, const std::string& name, Enum& value) {
  auto number = static_cast<Index>(value);
  archive(name, number);
  value = static_cast<Enum>(number);
}

struct StoredNode {
  Index level = 0, first = 0;
  std::shared_ptr<RoundSums> sums = nullptr;
};

struct StoredPattern {
  Pattern has;
  PatternSums sums;
};

// Symmetric matrices by their lower triangles.
template <class Archive>
void triangles_of(Archive& archive, const std::string& name, std::vector<Matrix>& all) {
  auto count = static_cast<Index>(all.size());
  archive(name + "/count", count);
  for (Index i = 0; i < count; ++i) {
    if (i == std::ssize(all)) all.emplace_back();
    LowerTriangle one{all[at(i)], false};
    archive(name + "/" + std::to_string(i), one);
  }
}

}  // namespace

template <class Archive>
void fields(Archive& archive, FactorOptions& o) {
  archive("rank", o.rank);
  archive("landmarks", o.landmarks);
  archive("anchors", o.anchors);
  archive("sample", o.sample);
  archive("block", o.block);
  archive("coverage", o.coverage);
}

template <class Archive>
void fields(Archive& archive, ViewSummary& view) {
  archive("name", view.name);
  archive("kernel", view.kernel);
  archive("options", view.options);
  archive("observed", view.observed);
  archive("rank", view.rank);
  archive("landmarks", view.landmarks);
  archive("trace_error", view.trace_error);
}

template <class Archive>
void fields(Archive& archive, ColumnScaling& scaling) {
  archive("mean", scaling.mean);
  archive("deviation", scaling.deviation);
}

template <class Archive>
void fields(Archive& archive, FeatureTransform& transform) {
  number_of(archive, "kind", transform.kind);
  archive("library", transform.library);
  archive("learnt", transform.learnt);
}

template <class Archive>
void fields(Archive& archive, Points& points) {
  archive("numbers", points.numbers);
  archive("words", points.words);
}

template <class Archive>
void fields(Archive& archive, FeatureMap& map) {
  archive("options", map.options);
  archive("transform", map.transform);
  archive("scaling", map.scaling);
  archive("directions", map.directions);
  archive("fill", map.fill);
  archive("categories", map.categories);
  archive("landmarks", map.landmarks);
  archive("columns", map.columns);
  archive("projection", map.projection);
}

template <class Archive>
void fields(Archive& archive, StageSettings& settings) {
  archive("ridge", settings.ridge);
  archive("widths", settings.widths);
  archive("anchors", settings.anchors);
  archive("weights", settings.weights);
  archive("patterns", settings.patterns);
  archive("skipped", settings.skipped);
}

template <class Archive>
void fields(Archive& archive, PatternSums& sums) {
  archive("count", sums.count);
  archive("sum", sums.sum);
  LowerTriangle second{sums.second, true};
  archive("second", second);
}

template <class Archive>
void fields(Archive& archive, StoredPattern& pattern) {
  archive("has", pattern.has);
  archive("sums", pattern.sums);
}

template <class Archive>
void fields(Archive& archive, GaussianMoments& moments) {
  std::vector<StoredPattern> patterns;
  for (auto& [has, sums] : moments.patterns) patterns.push_back({has, std::move(sums)});
  archive("patterns", patterns);
  moments.patterns.clear();
  for (auto& [has, sums] : patterns) moments.patterns.emplace(has, std::move(sums));
  archive("totals", moments.totals);
  archive("counts", moments.counts);
  archive("squares", moments.squares);
}

template <class Archive>
void fields(Archive& archive, RegressionSums& sums) {
  triangles_of(archive, "gg", sums.gg);
  archive("gy", sums.gy);
  archive("counts", sums.counts);
  archive("squares", sums.squares);
}

template <class Archive>
void fields(Archive& archive, RoundSums& sums) {
  archive("gaussian", sums.gaussian);
  archive("regressions", sums.regressions);
}

template <class Archive>
void fields(Archive& archive, StoredNode& node) {
  archive("level", node.level);
  archive("first", node.first);
  if (!node.sums) node.sums = std::make_shared<RoundSums>();
  archive("sums", *node.sums);
}

template <class Archive>
void fields(Archive& archive, Gaussian& gaussian) {
  archive("widths", gaussian.widths);
  archive("means", gaussian.means);
  archive("scales", gaussian.scales);
  archive("rest", gaussian.rest);
  archive("mean", gaussian.mean);
  archive("sigma", gaussian.sigma);
  archive("iterations", gaussian.iterations);
}

template <class Archive>
void fields(Archive& archive, ViewRegression& view) {
  archive("mean_distance", view.mean_distance);
  archive("ridge", view.ridge);
  archive("coefficients", view.coefficients);
  LowerTriangle explained{view.explained, true};
  archive("explained", explained);
  archive("residual", view.residual);
}

template <class Archive>
void fields(Archive& archive, Regressions& regressions) {
  archive("anchors", regressions.anchors.features);
  archive("weights", regressions.anchors.weights);
  archive("gamma", regressions.shape.gamma);
  archive("ridges", regressions.shape.ridges);
  archive("mean_distances", regressions.mean_distances);
  archive("views", regressions.views);
}

template <class Archive>
void fields(Archive& archive, Verdict& verdict) {
  number_of(archive, "verdict", verdict);
}

template <class Archive>
void fields(Archive& archive, Quality& quality) {
  archive("coverage", quality.coverage);
  archive("hidden_rows", quality.hidden_rows);
  archive("hidden_samples", quality.hidden_samples);
  archive("held_out_errors", quality.held_out_errors);
  archive("mean_of_others_errors", quality.mean_of_others_errors);
  archive("average_row_errors", quality.average_row_errors);
  archive("recovered", quality.recovered);
  archive("recovered_deviations", quality.recovered_deviations);
  archive("hidden_samples_of_view", quality.hidden_samples_of_view);
  archive("verdicts", quality.verdicts);
}

template <class Archive>
void fields(Archive& archive, Expert& expert) {
  archive("name", expert.name);
  archive("held_out_errors", expert.held_out_errors);
  archive("weights", expert.weights);
}

template <class Archive>
void fields(Archive& archive, RowSignals& row) {
  archive("view", row.view);
  archive("sample", row.sample);
  archive("observed_views", row.observed_views);
  archive("spread", row.spread);
  archive("variance", row.variance);
}

namespace {

// Rows of signals as one matrix: a plan may have thousands.
Matrix as_matrix(const std::vector<RowSignals>& rows) {
  Matrix all(std::ssize(rows), 5);
  for (std::size_t t = 0; t < rows.size(); ++t)
    all.row(static_cast<Index>(t)) << static_cast<double>(rows[t].view),
        static_cast<double>(rows[t].sample), static_cast<double>(rows[t].observed_views),
        rows[t].spread, rows[t].variance;
  return all;
}

std::vector<RowSignals> as_signals(const Matrix& all) {
  std::vector<RowSignals> rows;
  for (Index t = 0; t < all.rows(); ++t)
    rows.push_back({static_cast<Index>(all(t, 0)), static_cast<Index>(all(t, 1)),
                    static_cast<Index>(all(t, 2)), all(t, 3), all(t, 4)});
  return rows;
}

}  // namespace

namespace {

template <class Archive>
void plan_fields(Archive& archive, Plan::Data& plan) {
  archive("options", plan.options);
  archive("seed", plan.seed);
  archive("n_samples", plan.n_samples);
  number_of(archive, "rows", plan.rows);
  archive("whole", plan.whole);
  archive("refits", plan.refits);
  archive("views", plan.views);
  archive("maps", plan.maps);
  archive("sample_rows", plan.sample_rows);
  archive("sample_id", plan.sample_id);
  archive("judged", plan.judged);
  archive("open", plan.open);
  archive("settings", plan.settings);
  archive("notices", plan.notices);
}

template <class Archive>
void model_fields(Archive& archive, Model::Data& model) {
  archive("plan_id", model.plan_id);
  archive("rounds_done", model.rounds_done);
  archive("regressions", model.stages.regressions);
  archive("prepared", model.prepared);
  archive("weights", model.weights);
  archive("second", model.second);
  archive("known", model.known);
  archive("errors", model.errors);
  archive("quality", model.quality.quality);
  archive("experts", model.quality.experts);
  archive("notices", model.notices);
}

template <class Archive>
void moments_fields(Archive& archive, Moments::Data& moments) {
  archive("plan_id", moments.plan_id);
  archive("model_id", moments.model_id);
  archive("round", moments.round);
  archive("n_blocks", moments.n_blocks);
}

}  // namespace

Arrays Plan::arrays() const {
  Arrays arrays{"plan", {}, {}};
  Writer writer(arrays);
  plan_fields(writer, const_cast<Data&>(*data_));  // a Writer only reads
  return closed(std::move(arrays));
}

Plan Plan::from(Arrays arrays) {
  check_content(arrays, "plan");
  auto data = std::make_shared<Data>();
  data->id = arrays.word("id");
  Reader reader(std::move(arrays));
  plan_fields(reader, *data);
  return Plan(std::move(data));
}

Arrays Model::arrays() const {
  Arrays arrays{"model", {}, {}};
  Writer writer(arrays);
  model_fields(writer, const_cast<Data&>(*data_));  // a Writer only reads
  writer("signals", as_matrix(data_->signals));
  writer("gaussian", data_->stages.gaussian.gaussian());
  return closed(std::move(arrays));
}

Model Model::from(const Plan& plan, Arrays arrays) {
  check_content(arrays, "model");
  auto data = std::make_shared<Data>();
  data->id = arrays.word("id");
  Reader reader(std::move(arrays));
  model_fields(reader, *data);
  Matrix signals;
  reader("signals", signals);
  data->signals = as_signals(signals);
  Gaussian gaussian;
  reader("gaussian", gaussian);
  if (data->plan_id != plan.id())
    throw InputError("model: it belongs to another plan", "give the plan that it was made with");
  if (data->rounds_done > 0)
    data->stages.gaussian = GaussianCompletion(std::move(gaussian), plan.data().settings.patterns);
  return Model(std::move(data));
}

Arrays Moments::arrays() const {
  Arrays arrays{"moments", {}, {}};
  Writer writer(arrays);
  moments_fields(writer, const_cast<Data&>(*data_));  // a Writer only reads
  std::vector<StoredNode> nodes;
  for (const auto& [node, sums] : data_->nodes)
    nodes.push_back({node.first, node.second, std::const_pointer_cast<RoundSums>(sums)});
  writer("nodes", nodes);
  return closed(std::move(arrays));
}

Moments Moments::from(Arrays arrays) {
  check_content(arrays, "moments");
  auto data = std::make_shared<Data>();
  Reader reader(std::move(arrays));
  moments_fields(reader, *data);
  std::vector<StoredNode> nodes;
  reader("nodes", nodes);
  for (auto& node : nodes) data->nodes.emplace(Node{node.level, node.first}, std::move(node.sums));
  return Moments(std::move(data));
}

}  // namespace mkc::factor
