#include "mkc/files/model_file.hpp"

#include "base/random.hpp"
#include "kernels/made_up_features.hpp"
#include "mkc/problem/assemble.hpp"
#include "support/view_files.hpp"

/// What a model stores of kernels of features: written, read and used for new samples.
namespace mkc::io {
namespace {

using namespace test;
using mkc::test::bulk_counts;

constexpr Index n_training = 20, n_features = 12;

// Counts; the last columns hold words where `words` > 0.
View training_view(const OptionValues& options, Index words) {
  View view;
  view.name = "a";
  view.values = bulk_counts(n_training, 1, n_features);
  view.kernel_options = options;
  for (Index i = 0; i < n_training; ++i) view.ids.push_back("s" + std::to_string(i));
  view.all_ids = view.ids;
  for (Index j = 0; j < n_features; ++j) view.feature_names.push_back("f" + std::to_string(j));
  Random random(2);
  for (Index j = n_features - words; j < n_features; ++j) {
    for (double& code : view.values.col(j)) code = static_cast<double>(random.below(3));
    view.categories.push_back({j, {"high", "low", "middle"}});
  }
  return view;
}

SavedModel model_of(const View& view) {
  AssembleOptions options;
  options.keep_recipes = true;
  const Assembled assembled = assemble({view}, options);
  SavedModel saved;
  saved.model.samples = view.ids;
  saved.model.views.push_back(
      {"a", assembled.problem.view(0).rows, Matrix(assembled.problem.view(0).block)});
  saved.recipes = assembled.recipes;
  return saved;
}

SavedModel written_and_read(const SavedModel& saved) {
  const TempDir folder;
  write_model(folder.file("model.npz"), saved);
  return read_model(folder.file("model.npz"));
}

void expect_same_use(const View& view, const std::string& what) {
  const SavedModel saved = model_of(view), again = written_and_read(saved);
  const TrainedKernel &before = *saved.recipes[0].kernel, &after = *again.recipes[0].kernel;
  EXPECT_EQ(kernel_option_table().values(after.options),
            kernel_option_table().values(before.options))
      << what;
  EXPECT_EQ(after.transform.kind, before.transform.kind) << what;
  EXPECT_EQ(after.transform.library, before.transform.library) << what;
  EXPECT_EQ(after.transform.learnt, before.transform.learnt) << what;
  EXPECT_EQ(after.categories, before.categories) << what;
  ASSERT_EQ(again.recipes[0].categories.size(), saved.recipes[0].categories.size()) << what;
  for (std::size_t k = 0; k < saved.recipes[0].categories.size(); ++k)
    EXPECT_EQ(again.recipes[0].categories[k].levels, saved.recipes[0].categories[k].levels);
  Matrix New = view.values.bottomRows(4);
  New.leftCols(n_features - std::ssize(view.categories)) *= 2;
  const KernelOfNew one = kernel_of_new(before, New), two = kernel_of_new(after, New);
  EXPECT_EQ(two.rows, one.rows) << what;
  EXPECT_EQ(two.diagonal, one.diagonal) << what;
}

TEST(ModelFile, KeepsEveryTransform) {
  for (const auto& transform : transform_names())
    for (const char* library : {"auto", "none", "median", "1000"})
      expect_same_use(training_view({{"transform", transform}, {"library_size", library}}, 0),
                      transform + " " + library);
}

TEST(ModelFile, KeepsEveryKernel) {
  for (const char* kernel :
       {"auto", "linear", "rbf", "poly", "laplacian", "cosine", "jaccard", "lsk", "chi2",
        "braycurtis", "ruzicka", "tanimoto", "spectral_angle", "ordinal", "categorical"})
    expect_same_use(training_view({{"kernel", kernel}}, 0), kernel);
}

TEST(ModelFile, KeepsWordsBesideNumbersAndAlone) {
  for (const Index words : {Index{1}, Index{5}, n_features})
    expect_same_use(training_view({}, words), std::to_string(words));
  for (const char* transform : {"log1p", "rank", "clr", "tfidf"})
    expect_same_use(training_view({{"transform", transform}, {"library_size", "median"}}, 3),
                    transform);
}

TEST(ModelFile, RefusesATransformThatIsNotThatOfTheOptions) {
  const SavedModel saved =
      model_of(training_view({{"transform", "log"}, {"library_size", "median"}}, 0));
  const auto refused = [&](auto change) {
    SavedModel damaged = saved;
    change(*damaged.recipes[0].kernel);
    expect_contains(message([&] { written_and_read(damaged); }), "is a damaged mkc model: view0_");
  };
  refused([](TrainedKernel& kernel) { kernel.transform = {}; });
  refused([](TrainedKernel& kernel) { kernel.transform.kind = Transform::sqrt; });
  refused([](TrainedKernel& kernel) { kernel.transform.library = 0; });
  refused([](TrainedKernel& kernel) { kernel.transform.library = -2; });
  refused([](TrainedKernel& kernel) { kernel.transform.learnt(0, 3) = std::nan(""); });
  refused([](TrainedKernel& kernel) { kernel.transform.learnt.conservativeResize(1, 4); });
  refused([](TrainedKernel& kernel) { kernel.transform.learnt.resize(0, 0); });
  refused([](TrainedKernel& kernel) { kernel.options.transform = Transform::none; });
  refused(
      [](TrainedKernel& kernel) { kernel.options.library_size.rule = LibrarySize::Rule::none; });
}

TEST(ModelFile, RefusesDamagedWords) {
  const SavedModel saved = model_of(training_view({}, 3));
  const auto refused = [&](auto change) {
    SavedModel damaged = saved;
    change(*damaged.recipes[0].kernel);
    expect_contains(message([&] { written_and_read(damaged); }), "is a damaged mkc model: view0_");
  };
  refused([](TrainedKernel& kernel) { kernel.words(2, 1) = std::nan(""); });
  refused([](TrainedKernel& kernel) { kernel.words.conservativeResize(n_training, 2); });
  refused([](TrainedKernel& kernel) { kernel.categories = {9, 10, 12}; });
  refused([](TrainedKernel& kernel) { kernel.categories = {11, 10, 9}; });
}

TEST(ModelFile, ReadsTheModelOfVersion01) {
  const SavedModel old = read_model(test::source_file("tests/fixtures/0.1/model.npz"));
  ASSERT_FALSE(old.recipes.empty());
  for (const auto& recipe : old.recipes)
    if (recipe.kernel) {
      EXPECT_TRUE(recipe.kernel->transform.changes_nothing());
      EXPECT_NE(recipe.kernel->options.kernel, KernelKind::automatic);
      EXPECT_TRUE(recipe.kernel->categories.empty());
    }
}

}  // namespace
}  // namespace mkc::io
