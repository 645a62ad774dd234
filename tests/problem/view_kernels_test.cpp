#include <algorithm>
#include <limits>

#include "base/random.hpp"
#include "kernels/distances.hpp"
#include "kernels/functions.hpp"
#include "kernels/made_up_features.hpp"
#include "mkc/kernels/feature_type.hpp"
#include "mkc/problem/assemble.hpp"
#include "problem/kernel_width.hpp"
#include "problem/kernel_width_cohorts.hpp"
#include "support/expect_message.hpp"

/// Feature tables to kernels in assemble(): types, words, gaps, widths.
namespace mkc {
namespace {

using namespace test;  // NOLINT: made-up features and helpers

View table_view(const std::string& name, const Matrix& values, const OptionValues& options = {}) {
  View view;
  view.name = name;
  view.source = name + ".csv";
  view.values = values;
  view.kernel_options = options;
  for (Index i = 0; i < values.rows(); ++i) view.ids.push_back(fmt::format("s{:03}", i));
  view.all_ids = view.ids;
  for (Index j = 0; j < values.cols(); ++j) view.feature_names.push_back(fmt::format("f{}", j));
  return view;
}

// The last columns hold words: their values are numbers of words.
View with_words(View view, Index columns) {
  for (Index j = view.values.cols() - columns; j < view.values.cols(); ++j)
    view.categories.push_back({j, {"a", "b", "c", "d", "e", "f", "g", "h"}});
  return view;
}

Matrix codes(Index n, Index columns, std::uint64_t seed) {
  Random random(seed);
  return made_up(n, columns, [&](Index, Index) { return static_cast<double>(random.below(3)); });
}

Matrix beside(const Matrix& left, const Matrix& right) {
  Matrix both(left.rows(), left.cols() + right.cols());
  both << left, right;
  return both;
}

Matrix kernel_of(const Assembled& assembled, std::size_t m = 0) {
  return Matrix(assembled.problem.view(static_cast<Index>(m)).block);
}

// The options a summary names, without those of the finished kernel, as a view takes them.
OptionValues options_of(const ViewSummary& summary) {
  OptionValues options = summary.kernel_options;
  std::erase_if(options, [](const auto& option) {
    return option.first == "normalize" || option.first == "center";
  });
  return options;
}

std::string refused(const View& view) {
  try {
    assemble({view}, {});
  } catch (const InputError& error) {
    return std::string(error.what()) + " | " + error.hint().text();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(ViewKernels, AViewAloneHasTheKernelOfItsTypeAndTheMedianWidth) {
  for (const Matrix& X : {bulk_counts(40, 1), word_counts(40, 2), species_counts(40, 3),
                          of_many_units(40, 4), heavy_tailed(40, 5)}) {
    const Assembled assembled = assemble({table_view("a", X)}, {});
    EXPECT_EQ(kernel_of(assembled), compute_kernel(X, {}).kernel);
    const RecognisedFeatures found = recognise_features(X);
    EXPECT_EQ(assembled.views[0].feature_type, feature_type_name(found.type));
    EXPECT_EQ(assembled.views[0].feature_evidence, found.evidence);
    EXPECT_EQ(assembled.views[0].width_evidence, "");
  }
}

TEST(ViewKernels, OptionsInUseGiveTheSameBitsAgain) {
  const Matrix counts = bulk_counts(60, 6), words = word_counts(60, 7);
  std::vector<View> views{
      table_view("rna", counts), table_view("text", words),
      with_words(table_view("mixed", beside(of_many_units(60, 8, 4), codes(60, 3, 9))), 3),
      with_words(table_view("words", codes(60, 4, 10)), 4),
      table_view("steps", steps(60, 11, 1, 5), {{"kernel", "ordinal"}})};
  const Assembled first = assemble(views, {});
  for (std::size_t m = 0; m < views.size(); ++m)
    views[m].kernel_options = options_of(first.views[m]);
  const Assembled again = assemble(views, {});
  for (std::size_t m = 0; m < views.size(); ++m) {
    EXPECT_EQ(kernel_of(again, m), kernel_of(first, m)) << views[m].name;
    EXPECT_EQ(options_of(again.views[m]), options_of(first.views[m]));
    EXPECT_EQ(again.views[m].kernel, first.views[m].kernel);
  }
}

TEST(ViewKernels, FilledCellsDoNotChangeTheType) {
  for (const Matrix& X : {bulk_counts(50, 12), steps(50, 13, 1, 5), species_counts(50, 14)}) {
    Matrix gaps = X;
    gaps(3, 4) = gaps(10, 7) = std::numeric_limits<double>::quiet_NaN();
    AssembleOptions options;
    options.na_features = NaPolicy::mean;
    const Assembled assembled = assemble({table_view("a", gaps)}, options);
    EXPECT_EQ(assembled.views[0].feature_type, feature_type_name(recognise_features(X).type));
    options.na_features = NaPolicy::drop;
    EXPECT_EQ(assemble({table_view("a", gaps)}, options).views[0].feature_type,
              feature_type_name(recognise_features(X).type));
  }
}

TEST(ViewKernels, NumbersOfAMixedTableAreRecognisedWithoutItsWords) {
  const Matrix counts = bulk_counts(50, 15);
  const Assembled assembled =
      assemble({with_words(table_view("a", beside(counts, codes(50, 2, 16))), 2)}, {});
  EXPECT_EQ(assembled.views[0].feature_type, "counts");
  EXPECT_EQ(assembled.views[0].feature_evidence, recognise_features(counts).evidence);
  const double d = static_cast<double>(counts.cols());
  const Matrix numbers = compute_kernel(counts, {}).kernel, words = codes(50, 2, 16);
  const Matrix K = kernel_of(assembled);
  for (Index i = 0; i < 50; ++i)
    for (Index j = 0; j < 50; ++j) {
      const double equal = (words(i, 0) == words(j, 0)) + (words(i, 1) == words(j, 1));
      EXPECT_NEAR(K(i, j), (d * numbers(i, j) + equal) / (d + 2), 1e-14);
    }
  EXPECT_NE(assembled.views[0].kernel.find("share of equal words of 2"), std::string::npos);
}

TEST(ViewKernels, OptionsWithoutEffectNameTheView) {
  const Matrix X = of_many_units(30, 17);
  EXPECT_NE(refused(table_view("rna", X, {{"kernel", "linear"}, {"gamma", "0.1"}}))
                .find("view 'rna' (rna.csv): option 'gamma' has no effect with kernel=linear"),
            std::string::npos);
  EXPECT_NE(refused(table_view("rna", X, {{"kernel", "rbf"}, {"degree", "2"}}))
                .find("option 'degree' has no effect with kernel=rbf"),
            std::string::npos);
  // What kernel=auto takes decides.
  EXPECT_NE(refused(table_view("news", word_counts(30, 18), {{"gamma", "0.1"}}))
                .find("option 'gamma' has no effect with kernel=cosine"),
            std::string::npos);
  const View words = with_words(table_view("clin", codes(30, 3, 19)), 3);
  for (const OptionValues& options :
       {OptionValues{{"gamma", "0.1"}}, OptionValues{{"kernel", "rbf"}},
        OptionValues{{"transform", "log1p"}}, OptionValues{{"library_size", "median"}}}) {
    View view = words;
    view.kernel_options = options;
    EXPECT_NE(refused(view).find("view 'clin' (clin.csv): "), std::string::npos);
  }
}

TEST(ViewKernels, ValuesOutsideTheDomainNameViewAndSample) {
  Matrix X = bulk_counts(30, 20);
  X(4, 2) = -1;
  const std::string error = refused(table_view("rna", X, {{"transform", "log1p"}}));
  EXPECT_NE(error.find("view 'rna' (rna.csv): transform=log1p: sample 's004', column"),
            std::string::npos)
      << error;
}

// ---- widths ----

struct WindingViews {
  std::vector<View> views;
  std::vector<Matrix> features;
};

// Closed curves that return near themselves: narrow kernels recover the other views better.
WindingViews winding_views(Index n, const OptionValues& options) {
  WindingViews result;
  const std::vector<Matrix> features = winding_features(n, 3);
  for (std::size_t m = 0; m < features.size(); ++m) {
    result.features.push_back(features[m]);
    result.views.push_back(table_view(fmt::format("v{}", m), features[m], options));
  }
  return result;
}

TEST(ViewKernels, AutomaticWidthsAreThoseThatOtherViewsChoose) {
  const auto [views, features] = winding_views(120, {{"kernel", "rbf"}, {"scale", "none"}});
  const Assembled assembled = assemble(views, {});
  std::vector<Matrix> distances;
  std::vector<WidthView> open;
  Indices all(120);
  for (Index i = 0; i < 120; ++i) all[at(i)] = i;
  for (const auto& X : features) distances.push_back(squared_distances(X));
  for (std::size_t m = 0; m < 3; ++m) open.push_back({all, &distances[m], {}, views[m].name});
  const auto choices = choose_widths(open, views[0].ids);
  ASSERT_TRUE(std::any_of(choices.begin(), choices.end(), [](const auto& c) { return c.chosen; }));
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(kernel_of(assembled, m), exponential_of_distances(distances[m], choices[m].gamma));
    const ViewSummary& summary = assembled.views[m];
    EXPECT_NE(summary.kernel.find(fmt::format("gamma {:.4g}", choices[m].gamma)),
              std::string::npos);
    EXPECT_EQ(summary.width_evidence.empty(), !choices[m].chosen);
    if (!choices[m].chosen) continue;
    EXPECT_EQ(
        summary.width_evidence.find(fmt::format("gamma is {:.4g} times 1/median distance, as "
                                                "this recovers {:.0f} % of the other views",
                                                choices[m].factor(), 100 * choices[m].agreement)),
        0u)
        << summary.width_evidence;
  }
}

TEST(ViewKernels, TheMedianCanBeAskedFor) {
  const auto [views, features] =
      winding_views(120, {{"kernel", "rbf"}, {"scale", "none"}, {"gamma", "median"}});
  const Assembled assembled = assemble(views, {});
  for (std::size_t m = 0; m < 3; ++m) {
    const Matrix D = squared_distances(features[m]);
    EXPECT_EQ(kernel_of(assembled, m), exponential_of_distances(D, median_gamma(D)));
    EXPECT_EQ(assembled.views[m].width_evidence, "");
  }
}

TEST(ViewKernels, AModelKeepsTheWidthThatWasChosen) {
  const auto [views, features] = winding_views(120, {{"kernel", "rbf"}, {"scale", "none"}});
  AssembleOptions options;
  options.keep_recipes = true;
  const Assembled assembled = assemble(views, options);
  for (std::size_t m = 0; m < 3; ++m) {
    const KernelOfNew rows = kernel_of_new(*assembled.recipes[m].kernel, features[m].topRows(5));
    EXPECT_LT((rows.rows - kernel_of(assembled, m).topRows(5)).cwiseAbs().maxCoeff(), 1e-12);
  }
}

}  // namespace
}  // namespace mkc
