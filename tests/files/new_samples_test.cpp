#include <cmath>

#include "mkc/base/error.hpp"
#include "mkc/files/model_file.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using namespace test;

/// Four training samples with an age and a sex, and the kernel of numbers and codes.
SavedModel model_with_words() {
  SavedModel saved;
  saved.model.samples = {"A", "B", "C", "D"};
  saved.model.views.push_back({"clin", {0, 1, 2, 3}, Matrix::Identity(4, 4)});
  ViewRecipe recipe;
  recipe.kind = ViewKind::features;
  recipe.columns = 3;
  recipe.kept_columns = {0, 2};
  recipe.feature_names = {"age", "sex"};
  recipe.categories = {{1, {"female", "male"}}};
  const Matrix X = (Matrix(4, 2) << 1, 0, 2, 1, 3, 1, 4, 0).finished();
  const KernelOptions options = kernel_option_table().parse({{"kernel", "linear"}});
  recipe.kernel = train_kernel(X, options, std::nullopt, {1});
  saved.recipes.push_back(recipe);
  return saved;
}

NewSamples matched(const SavedModel& model, const std::string& table) {
  const TempDir folder;
  ReadAllOptions options;
  options.known_columns = known_columns(model);
  ViewSpec spec = parse_view_spec("clin=" + folder.write("new.csv", table));
  spec.kind = ViewKind::features;
  spec.read_options.emplace_back("samples_in", "rows");
  std::vector<NewTable> tables;
  for (auto& view : read_all_views({spec}, options).views) tables.push_back({view, false});
  return match_new_samples(model, tables);
}

void expect_rows_of(const SavedModel& model, const NewSamples& given, const Matrix& codes) {
  const KernelOfNew expected = kernel_of_new(*model.recipes[0].kernel, codes);
  EXPECT_EQ(given.views.at(0).rows, expected.rows);
}

TEST(NewSamplesWithWords, GetTheCodesOfTraining) {
  const SavedModel model = model_with_words();
  const NewSamples given =
      matched(model, "id,name,sex,age\nX,Anna,male,7\nY,Ben,female,8\nZ,Carl,male,9\n");
  expect_rows_of(model, given, (Matrix(3, 2) << 7, 1, 8, 0, 9, 1).finished());
  EXPECT_TRUE(given.notices.empty());
}

TEST(NewSamplesWithWords, OneSampleIsEnough) {
  const SavedModel model = model_with_words();
  const NewSamples given = matched(model, "id,age,note,sex\nX,7,see file,male\n");
  expect_rows_of(model, given, (Matrix(1, 2) << 7, 1).finished());
}

TEST(NewSamplesWithWords, UnknownWordsEqualNone) {
  const SavedModel model = model_with_words();
  const NewSamples given = matched(model, "id,age,sex\nX,7,divers\nY,8,male\nZ,9,?\n");
  expect_rows_of(model, given, (Matrix(3, 2) << 7, 3, 8, 1, 9, 2).finished());
  ASSERT_EQ(given.notices.size(), 1u);
  expect_contains(given.notices[0],
                  "2 samples have a word in column 'sex' that no training sample has, such as "
                  "'divers' of sample 'X'");
}

TEST(NewSamplesWithWords, NumbersForWordsAreWords) {
  const SavedModel model = model_with_words();
  const NewSamples given = matched(model, "id,age,sex\nX,7,1\nY,8,0\n");
  EXPECT_EQ(given.notices.size(), 1u);  // '1' is no word of training
  expect_contains(
      message([&] { matched(model, "id,age,sex\nX,old,male\nY,old,male\nZ,old,male\n"); }),
      "column 'age': 'old' is not a number");
}

TEST(NewSamplesWithWords, ArraysHoldNone) {
  const SavedModel model = model_with_words();
  NewTable table;
  table.view.name = "clin";
  table.view.ids = table.view.all_ids = {"X"};
  table.view.values = Matrix::Ones(1, 3);
  expect_contains(message([&] { match_new_samples(model, {table}); }),
                  "column 'sex' holds numbers, but words in training");
}

TEST(NewSamplesWithWords, TheModelFileKeepsThem) {
  const TempDir folder;
  SavedModel model = model_with_words();
  write_model(folder.file("m.npz"), model);
  const SavedModel read = read_model(folder.file("m.npz"));
  ASSERT_EQ(read.recipes[0].categories.size(), 1u);
  EXPECT_EQ(read.recipes[0].categories[0].column, 1);
  EXPECT_EQ(read.recipes[0].categories[0].levels, (Strings{"female", "male"}));
  model.recipes[0].categories[0].levels = {"male", "female"};
  write_model(folder.file("wrong.npz"), model);
  expect_contains(message([&] { read_model(folder.file("wrong.npz")); }), "words out of order");
}

}  // namespace
}  // namespace mkc::io
