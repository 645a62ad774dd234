#include "mkc/factor/completed_factors.hpp"

#include <numeric>

#include "factor/matrix_source.hpp"
#include "factor/plan_data.hpp"
#include "kernels/cross_kernel.hpp"
#include "mkc/base/error.hpp"
#include "mkc/problem/metrics.hpp"

namespace mkc::factor {
namespace {

struct Example {
  std::vector<Matrix> tables;
  Mask has;
  std::vector<SourceView> views;
  Strings samples;

  MatrixSource source() const { return {tables, views, has, samples}; }
};

// M views of one latent space; about 30 % of the pairs are missing, never a whole sample.
Example example(Index N, Index M, unsigned seed = 1) {
  std::srand(seed);
  Example data;
  const Matrix Z = Matrix::Random(N, 4);
  for (Index m = 0; m < M; ++m)
    data.tables.push_back((1.5 * Z * Matrix::Random(4, 6)).array().sin().matrix() +
                          0.1 * Matrix::Random(N, 6));
  data.has = Mask::Constant(N, M, true);
  for (Index i = 0; i < N; ++i)
    for (Index m = 1; m < M; ++m) data.has(i, (i + m) % M) = std::rand() % 10 >= 4;
  KernelOptions rbf;
  rbf.kernel = KernelKind::rbf;
  data.views = source_views(at(M), rbf);
  for (Index i = 0; i < N; ++i) data.samples.push_back("P" + std::to_string(i));
  return data;
}

FactorOptions small_options() {
  FactorOptions options;
  options.rank = 20;
  options.landmarks = 60;
  options.anchors = 80;
  options.sample = 100;
  options.block = 100;
  return options;
}

void expect_same(const Arrays& a, const Arrays& b) {
  EXPECT_EQ(a.words, b.words);
  ASSERT_EQ(a.matrices.size(), b.matrices.size());
  for (std::size_t k = 0; k < a.matrices.size(); ++k) {
    EXPECT_EQ(a.matrices[k].first, b.matrices[k].first);
    EXPECT_EQ(a.matrices[k].second, b.matrices[k].second);
  }
}

void expect_same(const CompletedBlock& a, const CompletedBlock& b) {
  for (std::size_t m = 0; m < a.features.size(); ++m) EXPECT_EQ(a.features[m], b.features[m]);
  EXPECT_EQ(a.variance, b.variance);
  EXPECT_TRUE(
      ((a.error.array() == b.error.array()) || (a.error.array().isNaN() && b.error.array().isNaN()))
          .all());
}

std::vector<Matrix> all_features(const Plan& plan, const Model& model, const Source& source,
                                 Matrix* extra = nullptr) {
  std::vector<Matrix> all;
  for (const auto& view : plan.views()) all.emplace_back(plan.n_samples(), view.rank);
  if (extra != nullptr) extra->resize(plan.n_samples(), plan.n_views());
  for (Index b = 0; b < plan.n_blocks(); ++b) {
    const CompletedBlock block = apply(plan, model, source, b);
    for (std::size_t m = 0; m < all.size(); ++m)
      all[m].middleRows(block.first, block.count()) = block.features[m];
    if (extra != nullptr) extra->middleRows(block.first, block.count()) = block.extra;
  }
  return all;
}

TEST(FactorSteps, ShardsThreadsAndOrderDoNotChangeABit) {
  const Example data = example(1500, 3);
  const MatrixSource source = data.source();
  RunOptions one, two;
  two.threads = 2;
  const Plan plan = make_plan(source, small_options(), one);
  EXPECT_EQ(plan.id(), make_plan(source, small_options(), two).id());
  ASSERT_EQ(plan.n_blocks(), 15);
  const Model whole = fit(plan, source, one);
  Model sharded = start_model(plan);
  while (!sharded.finished()) {
    std::vector<Moments> parts;
    for (const auto& [first, last] :
         std::vector<std::pair<Index, Index>>{{9, 15}, {0, 1}, {4, 9}, {1, 4}})
      parts.push_back(moments(plan, sharded, source, first, last, two));
    const Moments some = merge({parts[0], parts[3]});
    EXPECT_EQ(some.missing_blocks(), (std::vector<std::pair<Index, Index>>{{0, 1}, {4, 9}}));
    EXPECT_THROW(advance(plan, sharded, some, one), InputError);
    EXPECT_THROW(merge({parts[0], some}), InputError);
    sharded = advance(plan, sharded, merge({parts[2], some, parts[1]}), two);
  }
  EXPECT_EQ(whole.id(), sharded.id());
  expect_same(apply(plan, whole, source, 3), apply(plan, sharded, source, 3));
}

TEST(FactorSteps, AllAtOnceIsEveryStepAfterTheOther) {
  const Example data = example(450, 3);
  const MatrixSource source = data.source();
  RunOptions run;
  run.seed = 3;
  run.threads = 2;
  const CompletedFactors all = complete(source, small_options(), run);
  const Plan plan = make_plan(source, small_options(), run);
  const Model model = fit(plan, source, run);
  EXPECT_EQ(all.samples, data.samples);
  for (Index b = 0; b < plan.n_blocks(); ++b) {
    const CompletedBlock block = apply(plan, model, source, b);
    CompletedBlock part;
    for (const Matrix& F : all.rows.features)
      part.features.emplace_back(F.middleRows(block.first, block.count()));
    part.variance = all.rows.variance.middleRows(block.first, block.count());
    part.error = all.rows.error.middleRows(block.first, block.count());
    expect_same(part, block);
    EXPECT_EQ(all.rows.extra.middleRows(block.first, block.count()), block.extra);
    EXPECT_TRUE((all.rows.observed.middleRows(block.first, block.count()) == block.observed).all());
  }
  run.progress = [](const Progress&) { return false; };
  EXPECT_THROW(complete(source, small_options(), run), InterruptedError);
}

TEST(FactorSteps, WhatIsStoredReadsBackBitForBit) {
  const Example data = example(1300, 3);
  const MatrixSource source = data.source();
  const Plan plan = make_plan(source, small_options(), {});
  const Plan plan_again = Plan::from(plan.arrays()).with_sample(plan.sample_arrays());
  expect_same(plan.arrays(), plan_again.arrays());
  Model model = start_model(plan), again = model;
  while (!model.finished()) {
    const Moments part = moments(plan, model, source, 0, plan.n_blocks(), {});
    const Moments part_again =
        Moments::from(moments(plan_again, again, source, 0, plan.n_blocks(), {}).arrays());
    expect_same(part.arrays(), part_again.arrays());
    model = advance(plan, model, part, {});
    again = Model::from(plan_again, advance(plan_again, again, part_again, {}).arrays());
    EXPECT_EQ(model.id(), again.id());
  }
  expect_same(apply(plan, model, source, 2), apply(plan_again, again, source, 2));
  Arrays damaged = model.arrays();
  damaged.matrices.back().second(0) += 1e-15;
  EXPECT_THROW(Model::from(plan, damaged), InputError);
  EXPECT_THROW(Plan::from(damaged), InputError);
}

TEST(FactorSteps, PermutedSamplesGivePermutedRows) {
  for (const Index N : {150, 1200}) {  // all samples in memory, and not
    Example data = example(N, 3);
    const MatrixSource source = data.source();
    const Plan plan = make_plan(source, small_options(), {});
    const auto features = all_features(plan, fit(plan, source, {}), source);
    Indices order(at(N));
    std::iota(order.begin(), order.end(), Index{0});
    for (std::size_t i = 0; i < order.size(); ++i)
      std::swap(order[i], order[(i * 7919) % order.size()]);
    Example shuffled = data;
    for (auto& X : shuffled.tables) X = Matrix(X(order, Eigen::all));
    shuffled.has = Mask(data.has(order, Eigen::all));
    for (std::size_t i = 0; i < order.size(); ++i) shuffled.samples[i] = data.samples[at(order[i])];
    const MatrixSource other = shuffled.source();
    const Plan other_plan = make_plan(other, small_options(), {});
    const auto permuted = all_features(other_plan, fit(other_plan, other, {}), other);
    for (std::size_t m = 0; m < 3; ++m) {
      const Matrix expected = features[m](order, Eigen::all);
      EXPECT_LT((permuted[m] - expected).cwiseAbs().maxCoeff(), 1e-6) << N;
    }
  }
}

TEST(FactorSteps, ObservedRowsKeepTheirFeaturesAndTheirDiagonal) {
  const Example data = example(300, 3);
  const MatrixSource source = data.source();
  FactorOptions options = small_options();
  options.sample = 150;
  const Plan plan = make_plan(source, options, {});
  Matrix extra;
  const auto features = all_features(plan, fit(plan, source, {}), source, &extra);
  for (Index m = 0; m < 3; ++m) {
    const FeatureMap& map = plan.data().maps[at(m)];
    for (Index i = 0; i < 300; ++i) {
      if (!data.has(i, m)) continue;
      const Matrix own = map.features(map.points(data.tables[at(m)].row(i), {}));
      EXPECT_LT((features[at(m)].row(i) - own).cwiseAbs().maxCoeff(), 1e-10);
      EXPECT_NEAR(features[at(m)].row(i).squaredNorm() + extra(i, m), 1, 1e-8);  // rbf
    }
  }
}

TEST(FactorSteps, NothingMissingGivesTheKernelUpToTheTraceError) {
  Example data = example(120, 3);
  data.has.setConstant(true);
  const MatrixSource source = data.source();
  FactorOptions options = small_options();
  options.rank = options.landmarks = 120;
  const Plan plan = make_plan(source, options, {});
  const Model model = fit(plan, source, {});
  EXPECT_EQ(model.quality(), nullptr);
  const auto features = all_features(plan, model, source);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_LT(plan.views()[m].trace_error, 1e-8);
    const FeatureMap& map = plan.data().maps[m];
    const Points points = map.points(data.tables[m], {});
    EXPECT_LT(
        (kernel_block(features[m], features[m]) - map.kernel(points, points)).cwiseAbs().maxCoeff(),
        1e-6);
  }
}

TEST(FactorSteps, TraceErrorIsItsDefinition) {
  const Example data = example(200, 2);
  const MatrixSource source = data.source();
  const Plan plan = make_plan(source, small_options(), {});
  const auto features = all_features(plan, fit(plan, source, {}), source);
  for (Index m = 0; m < 2; ++m) {
    double kept = 0, all = 0;
    for (Index i = 0; i < 200; ++i)
      if (data.has(i, m)) {
        kept += features[at(m)].row(i).squaredNorm();
        all += 1;  // k(x, x) of rbf
      }
    EXPECT_NEAR(plan.views()[at(m)].trace_error, 1 - kept / all, 1e-8);
  }
}

// The model knows more rows than the sample, recovers smooth relations, and its intervals hold.
TEST(FactorSteps, CompletesFromTheOtherViewsAndSaysHowWell) {
  const Example data = example(3000, 4);
  const MatrixSource source = data.source();
  FactorOptions options = small_options();
  options.rank = 60;
  options.landmarks = 150;
  options.anchors = 150;
  options.sample = 1000;
  options.block = 1000;
  RunOptions run;
  run.threads = 2;
  const Plan plan = make_plan(source, options, run);
  const Model model = fit(plan, source, run);
  ASSERT_NE(model.quality(), nullptr);
  Index covered = 0, counted = 0;
  double error = 0, estimated = 0, average = 0;
  const auto features = all_features(plan, model, source);
  Indices columns;
  for (Index i = 0; i < 3000; i += 5) columns.push_back(i);
  std::vector<Matrix> F;
  for (Index b = 0; b < plan.n_blocks(); ++b) {
    const CompletedBlock block = apply(plan, model, source, b);
    for (Index m = 0; m < 4; ++m) {
      const FeatureMap& map = plan.data().maps[at(m)];
      const Points all = map.points(data.tables[at(m)], {});
      Indices T;
      for (Index i = 0; i < block.count(); ++i)
        if (!block.observed(i, m)) T.push_back(block.first + i);
      const Matrix truth = map.kernel(all.rows(T), all.rows(columns));
      const Matrix found =
          kernel_block(features[at(m)](T, Eigen::all), features[at(m)](columns, Eigen::all));
      const Vector mean = truth.colwise().mean();
      for (std::size_t t = 0; t < T.size(); ++t) {
        const auto k = static_cast<Index>(t);
        const double e = (found.row(k) - truth.row(k)).norm() / truth.row(k).norm();
        const Index row = T[t] - block.first;
        error += e;
        average += (mean.transpose() - truth.row(k)).norm() / truth.row(k).norm();
        estimated += block.error(row, m);
        covered += block.low(row, m) <= e && e <= block.high(row, m);
        ++counted;
      }
    }
  }
  EXPECT_LT(error, 0.6 * average);
  EXPECT_NEAR(estimated / error, 1, 0.15);
  EXPECT_NEAR(double(covered) / double(counted), 0.9, 0.06);
  EXPECT_GT(model.quality()->quality.recovered.minCoeff(), 0.5);
}

}  // namespace
}  // namespace mkc::factor
