#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "factor/cost.hpp"
#include "factor/plan_data.hpp"
#include "mkc/base/error.hpp"
#include "numeric/blocks.hpp"
#include "select/stacking.hpp"

namespace mkc::factor {

namespace {

constexpr Index most_judged = 1000;      // samples whose kernels are computed exactly
constexpr double hidden_for_good = 0.3;  // of their rows, where the others are many
constexpr Index fewest_of_view = 512;    // samples of a view on which its map is learnt
constexpr double most_moments = 8e6;     // numbers in the moments of all patterns
constexpr Index most_width = 100;

// Which rows each view has (N, M), and the patterns among them.
struct Presences {
  Mask has;
  std::vector<Pattern> patterns;
};

Presences read_presence(const Source& source) {
  constexpr Index step = 65536;
  const Index N = source.n_samples(), M = source.n_views();
  Presences all{Mask(N, M), {}};
  for (Index m = 0; m < M; ++m)
    for (Index first = 0; first < N; first += step) {
      Presence has;
      source.presence(m, first, std::min(step, N - first), has);
      all.has.col(m).segment(first, has.size()) = has;
    }
  std::set<Pattern> seen;
  Pattern pattern(at(M));
  for (Index i = 0; i < N; ++i) {
    for (Index m = 0; m < M; ++m) pattern[at(m)] = all.has(i, m);
    seen.insert(pattern);
  }
  all.patterns.assign(seen.begin(), seen.end());
  return all;
}

// Rows of the sample by the hash of their names; views that would keep few rows get more.
Indices choose_sample(const Source& source, const Presences& presence, const FactorOptions& options,
                      std::uint64_t seed) {
  std::vector<std::pair<std::uint64_t, Index>> keyed;
  for (Index i = 0; i < source.n_samples(); ++i)
    if (presence.has.row(i).any())
      keyed.emplace_back(Random(seed, source.sample(i), "sample").next(), i);
  std::sort(keyed.begin(), keyed.end());
  Indices chosen;
  if (std::ssize(keyed) <= 2 * options.sample) {
    for (const auto& [hash, row] : keyed) chosen.push_back(row);
    return chosen;
  }
  Vector count = Vector::Zero(source.n_views());
  for (const auto& [hash, row] : keyed) {
    bool wanted = std::ssize(chosen) < options.sample;
    for (Index m = 0; m < count.size(); ++m)
      wanted = wanted || (presence.has(row, m) && count(m) < fewest_of_view);
    if (!wanted) continue;
    chosen.push_back(row);
    for (Index m = 0; m < count.size(); ++m)
      if (presence.has(row, m)) ++count(m);
  }
  return chosen;
}

// The most anchors for which the sums of a round take at most 90 MB, where they are sent.
Index anchors_that_travel(Index views, Index rank) {
  constexpr double most_bytes = 9e7;
  const auto regressions = static_cast<double>(stage_kinds().size() - 1);  // of the last round
  const auto M = static_cast<double>(views), r = static_cast<double>(rank);
  Index anchors = 1000;
  const auto bytes = [&](double A) { return 8 * regressions * M * A * (A + r); };
  while (anchors > 50 && bytes(static_cast<double>(anchors)) > most_bytes) anchors -= 10;
  return anchors;
}

FactorOptions settled_for(FactorOptions options, Index n_samples, Index n_views, PlanRows rows) {
  if (rows != PlanRows::own) {  // how many samples there will be is not known
    if (!options.rank) options.rank = 100;
    if (!options.landmarks) options.landmarks = 400;
    if (!options.anchors)
      options.anchors = std::min<Index>(600, anchors_that_travel(n_views, *options.rank));
  }
  return settled(options, n_samples);
}

// Leading features of each view in the Gaussian: what the moments of all patterns have room for.
std::vector<Pattern> all_patterns(Index views) {
  constexpr Index most_views = 12;
  if (views > most_views)
    throw InputError(fmt::format("{} views: a shared plan has at most {}", views, most_views),
                     "combine some of them");
  std::vector<Pattern> patterns;
  for (Index bits = 1; bits < Index{1} << views; ++bits) {
    Pattern pattern(at(views));
    for (Index m = 0; m < views; ++m) pattern[at(m)] = (bits >> m) % 2 == 1;
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

Index width_of(const std::vector<Pattern>& patterns, Index rank) {
  Index width = std::min(rank, most_width);
  const auto numbers = [&](Index w) {
    double sum = 0;
    for (const Pattern& pattern : patterns)
      sum += std::pow(static_cast<double>(w * std::count(pattern.begin(), pattern.end(), true)), 2);
    return sum;
  };
  while (width > 5 && numbers(width) > most_moments) --width;
  return width;
}

// One view of the sample: its map, features, and its kernel on the rows of the trial.
struct SampledView {
  LearntMap learnt;
  Indices places;  // in the sample
  Matrix truth;    // exact kernel of the first rows, those of the trial
  double open = 0, scale = 1;
};

std::string described(const FeatureMap& map) {
  if (map.of_kernel()) return kernel_name(map.options.kernel);
  Strings words;
  if (map.transform.kind != Transform::none) words.push_back(transform_name(map.transform.kind));
  if (map.scaling) words.emplace_back("zscore");
  words.push_back(kernel_name(map.options.kernel));
  if (map.options.gamma.rule == Gamma::Rule::number)
    words.push_back(fmt::format("gamma {:.4g}", map.options.gamma.value));
  return fmt::format("{}", fmt::join(words, ", "));
}

// Rows of the input in the order of the sample, read ascending.
Matrix gathered(const Source& source, Index m, const Indices& rows, const Indices& columns) {
  constexpr Index step = 64;  // a row of a kernel has N columns
  Indices order(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return rows[at(a)] < rows[at(b)]; });
  Matrix all(std::ssize(rows),
             columns.empty() ? source.views()[at(m)].columns : std::ssize(columns));
  const auto total = std::ssize(rows);
  for (Index first = 0; first < total; first += columns.empty() ? total : step) {
    const Index count = columns.empty() ? total : std::min(step, total - first);
    Indices places(order.begin() + first, order.begin() + first + count), wanted;
    for (const Index place : places) wanted.push_back(rows[at(place)]);
    Matrix X;
    Presence has;
    source.gather(m, wanted, X, has);
    if (columns.empty())
      all(places, Eigen::all) = X;
    else
      all(places, Eigen::all) = X(Eigen::all, columns);
  }
  return all;
}

Strings names_of(const Source& source, const Indices& rows) {
  Strings names;
  for (const Index row : rows) names.push_back(source.sample(row));
  return names;
}

SampledView sample_view(const Source& source, Index m, const Indices& sample, const Mask& has,
                        Index judged, const FactorOptions& options, std::uint64_t seed) {
  const SourceView& view = source.views()[at(m)];
  SampledView sampled;
  Indices rows;
  Index in_trial = 0;
  for (std::size_t i = 0; i < sample.size(); ++i)
    if (has(sample[i], m)) {
      sampled.places.push_back(static_cast<Index>(i));
      rows.push_back(sample[i]);
      if (static_cast<Index>(i) < judged) ++in_trial;
    }
  if (rows.size() < 2)
    throw InputError(fmt::format("view '{}': {} of {} samples have it", view.name, rows.size(),
                                 source.n_samples()),
                     "a view needs at least 2");
  const MapSize size{*options.rank, *options.landmarks};
  Vector own;
  if (view.kernel.kernel == KernelKind::precomputed) {
    const Indices candidates(rows.begin(),
                             rows.begin() + std::min(most_candidates, std::ssize(rows)));
    Matrix K = gathered(source, m, rows, candidates);
    own.resize(std::ssize(rows));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Matrix X;
      Presence there;
      source.read_columns(m, rows[i], 1, {rows[i]}, X, there);
      own(static_cast<Index>(i)) = X(0, 0);
    }
    sampled.truth = K.topLeftCorner(in_trial, in_trial);
    sampled.learnt = learn_map_of_kernel(view, K, own, candidates, size, seed);
  } else {
    const Strings names = names_of(source, rows);
    const Matrix X = gathered(source, m, rows, {});
    sampled.learnt = learn_map(view, X, size, seed, names);
    const Points points = sampled.learnt.map.points(X, names);
    own = sampled.learnt.map.diagonal(points);
    Indices first(at(in_trial));
    for (Index i = 0; i < in_trial; ++i) first[at(i)] = i;
    const Points judged_points = points.rows(first);
    sampled.truth = sampled.learnt.map.kernel(judged_points, judged_points);
  }
  sampled.truth = (sampled.truth + sampled.truth.transpose()) / 2;
  const double n = static_cast<double>(rows.size());
  sampled.open = std::max(0.0, (own.sum() - sampled.learnt.features.squaredNorm()) / n);
  sampled.scale = own.mean() > 0 ? own.mean() : 1;
  return sampled;
}

// Hides rows of complete enough samples so that they have exactly the views that incomplete ones
// have: (samples, M). A sample that has more views than a randomly drawn incomplete one loses the
// others, until `fraction` of the rows of a view are hidden.
Mask hide_like_missing(const Problem& truth, double fraction, std::uint64_t seed) {
  const Mask& has = truth.observed();
  const Index n = has.rows(), M = has.cols();
  Indices incomplete;
  for (Index i = 0; i < n; ++i)
    if (!has.row(i).all()) incomplete.push_back(i);
  Mask hidden = Mask::Constant(n, M, false);
  Vector left(M);
  for (Index m = 0; m < M; ++m) left(m) = fraction * static_cast<double>(has.col(m).count());
  for (Index i = 0; i < n; ++i) {
    constexpr int tries = 30;
    Random random(seed, "hide", truth.samples()[at(i)]);
    for (int t = 0; t < tries; ++t) {
      const Index like = incomplete[at(static_cast<Index>(random.below(incomplete.size())))];
      const Eigen::Array<bool, 1, Eigen::Dynamic> lost = has.row(i) && !has.row(like);
      const bool within = (has.row(like) <= has.row(i)).all() && has.row(like).any();
      if (!within || !lost.any()) continue;
      bool room = true;
      for (Index m = 0; m < M; ++m) room = room && (!lost(m) || left(m) >= 1);
      if (room) {
        hidden.row(i) = lost;
        left -= lost.cast<double>().matrix().transpose();
      }
      break;
    }
  }
  return hidden;
}

std::optional<Trial> trial_of(const Plan::Data& data, const std::vector<SampledView>& sampled,
                              const Strings& names, Index judged) {
  std::vector<ObservedKernel> views;
  for (std::size_t m = 0; m < sampled.size(); ++m) {
    ObservedKernel view{data.views[m].name, {}, sampled[m].truth, {}};
    for (const Index place : sampled[m].places)
      if (place < judged) view.rows.push_back(place);
    if (view.rows.size() < 3) return {};
    views.push_back(std::move(view));
  }
  ProblemChecks checks;
  checks.psd = PsdPolicy::unchecked;
  Trial trial{Problem(Strings(names.begin(), names.begin() + judged), std::move(views), checks),
              {}};
  if (trial.truth.nothing_missing() || trial.truth.n_views() < 2) return {};
  if (!data.refits) {
    trial.hidden.push_back(hide_like_missing(trial.truth, hidden_for_good, data.seed));
    if (!trial.hidden.front().any()) return {};
    return trial;
  }
  const StackPlan plan = plan_for(std::ssize(names), {});
  const double share = static_cast<double>(names.size()) / static_cast<double>(judged);
  const double fraction = std::min(hidden_for_good, plan.fraction * share);
  for (Index c = 0; c < plan.copies; ++c) {
    const HeldOut copy =
        hide_rows(trial.truth, fraction, data.seed + 7919 * static_cast<std::uint64_t>(c));
    if (!copy.hides_something()) return {};
    Mask hidden = Mask::Constant(judged, trial.truth.n_views(), false);
    for (Index m = 0; m < trial.truth.n_views(); ++m)
      for (const Index i : copy.hidden[at(m)]) hidden(i, m) = true;
    trial.hidden.push_back(std::move(hidden));
  }
  return trial;
}

void add_view(const Source& source, Index m, SampledView& sampled, const Mask& has,
              Plan::Data& data, PlanSample& sample) {
  const FeatureMap& map = sampled.learnt.map;
  ViewSummary summary;
  summary.name = source.views()[at(m)].name;
  summary.kernel = described(map);
  summary.options = map.options;
  summary.observed = has.col(m).count();
  summary.rank = map.rank();
  summary.landmarks = map.of_kernel() ? std::ssize(map.columns) : map.landmarks.size();
  summary.trace_error = sampled.learnt.trace_error;
  data.views.push_back(std::move(summary));
  Matrix features = Matrix::Zero(std::ssize(data.sample_rows), map.rank());
  features(sampled.places, Eigen::all) = sampled.learnt.features;
  sample.rows.features.push_back(std::move(features));
  data.open(m) = sampled.open;
  data.maps.push_back(std::move(sampled.learnt.map));
}

}  // namespace

Rows PlanSample::training(bool refits) const {
  if (refits || !trial) return rows;
  Mask hidden = Mask::Constant(rows.size(), rows.n_views(), false);
  hidden.topRows(trial->hidden.front().rows()) = trial->hidden.front();
  return rows.hiding(hidden);
}

const PlanSample& Plan::Data::sample() const {
  if (!known_sample) throw std::logic_error("the sample of the plan was not read");
  return *known_sample;
}

Plan named(std::shared_ptr<Plan::Data> data) {
  data->id = Plan(data).arrays().word("id");
  return Plan(std::move(data));
}

Plan make_plan(const Source& source, const FactorOptions& given, const RunOptions& run,
               PlanRows rows) {
  const Index M = source.n_views();
  if (M == 0 || source.n_samples() < 2)
    throw InputError(
        fmt::format("{} views of {} samples cannot be completed", M, source.n_samples()));
  auto data = std::make_shared<Plan::Data>();
  data->rows = rows;
  data->options = settled_for(given, source.n_samples(), M, rows);
  data->seed = run.seed;
  data->n_samples = source.n_samples();
  const Presences presence = read_presence(source);
  data->settings.patterns = presence.patterns;
  data->sample_rows = choose_sample(source, presence, data->options, run.seed);
  data->whole = rows == PlanRows::own &&
                std::ssize(data->sample_rows) == (presence.has.rowwise().any()).count();
  data->refits = data->whole && std::ssize(data->sample_rows) <= most_refitted;
  data->settings.skipped = data->sample_rows;
  std::sort(data->settings.skipped.begin(), data->settings.skipped.end());
  const Index judged = std::min(most_judged, std::ssize(data->sample_rows));

  std::vector<SampledView> sampled(at(M));
  parallel_for(M, run.threads, [&](Index m) {
    sampled[at(m)] =
        sample_view(source, m, data->sample_rows, presence.has, judged, data->options, run.seed);
  });
  data->open.resize(M);
  auto sample = std::make_shared<PlanSample>();
  sample->rows.has = presence.has(data->sample_rows, Eigen::all);
  Vector scales(M);
  Index rank = 1;
  for (Index m = 0; m < M; ++m) {
    add_view(source, m, sampled[at(m)], presence.has, *data, *sample);
    scales(m) = sampled[at(m)].scale;
    rank = std::max(rank, data->maps.back().rank());
  }
  const Index width = width_of(rows == PlanRows::own ? presence.patterns : all_patterns(M), rank);
  for (const FeatureMap& map : data->maps)
    data->settings.widths.push_back(std::min(width, map.rank()));
  for (Index i = 0; i < std::min(*data->options.anchors, std::ssize(data->sample_rows)); ++i)
    data->settings.anchors.push_back(i);
  sample->trial = trial_of(*data, sampled, names_of(source, data->sample_rows), judged);
  if (sample->trial) data->judged = judged;
  constexpr double gamma = 0.5, ridge = 0.02;  // as in dense `transfer`
  data->settings.weights =
      source_weights(sample->training(data->refits), scales, gamma, ridge, run.threads) *
      scales.cwiseInverse().asDiagonal();
  data->sample_id = arrays_of(*sample).word("id");
  data->known_sample = std::move(sample);
  return named(std::move(data));
}

const std::string& Plan::id() const { return data_->id; }
Index Plan::n_samples() const { return data_->n_samples; }
Index Plan::n_views() const { return std::ssize(data_->views); }
Index Plan::n_blocks() const {
  return (data_->n_samples + data_->options.block - 1) / data_->options.block;
}
Index Plan::rounds() const { return n_views() < 2 ? 1 : all_rounds; }
Index Plan::first_row(Index block) const { return block * data_->options.block; }
Index Plan::rows_of(Index block) const {
  return std::min(data_->options.block, data_->n_samples - first_row(block));
}
const FactorOptions& Plan::options() const { return data_->options; }
const std::vector<ViewSummary>& Plan::views() const { return data_->views; }
const Strings& Plan::notices() const { return data_->notices; }

}  // namespace mkc::factor
