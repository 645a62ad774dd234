#include <cmath>

#include "files/read_views.hpp"
#include "mkc/files/read_all.hpp"
#include "mkc/files/text_columns.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using namespace test;

View words_view(const std::string& table, const std::string& options = "") {
  const TempDir folder;
  return read_all_views({parse_view_spec(folder.write("clin.csv", table) + options)}, {}).views[0];
}

InputError words_error(const std::string& table, const std::string& options = "") {
  try {
    words_view(table, options);
  } catch (const InputError& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return InputError("");
}

/// One row per cell of each column, ids P1, P2, ...
std::string table_of(const std::vector<Strings>& columns, const Strings& names) {
  std::string text = "patient";
  for (const auto& name : names) text += "," + name;
  text += "\n";
  for (std::size_t i = 0; i < columns[0].size(); ++i) {
    text += fmt::format("P{}", i + 1);
    for (const auto& column : columns) text += "," + column[i];
    text += "\n";
  }
  return text;
}

/// The words of a category column, "" where missing.
Strings words_of(const View& view, std::size_t category) {
  Strings words;
  for (const double code : view.values.col(view.categories.at(category).column))
    words.push_back(std::isnan(code)
                        ? ""
                        : view.categories[category].levels.at(static_cast<std::size_t>(code)));
  return words;
}

std::string all_notices(const View& view) {
  std::string text;
  for (const auto& notice : view.notices) text += notice + "\n";
  return text;
}

const Strings ages = {"50", "61", "47", "70", "55", "39"};

TEST(Words, ColumnsOfWordsAreCategories) {
  const Strings sex = {"male", "female", "female", "NA", "male", "female"},
                stage = {"III", "I", "II", "I", "III", "I"};
  const View view = words_view(table_of({sex, ages, stage}, {"sex", "age", "stage"}));
  EXPECT_EQ(view.kind, ViewKind::features);
  EXPECT_EQ(view.feature_names, (Strings{"sex", "age", "stage"}));
  ASSERT_EQ(view.categories.size(), 2u);
  EXPECT_EQ(view.categories[0].column, 0);
  EXPECT_EQ(view.categories[0].levels, (Strings{"female", "male"}));  // sorted
  EXPECT_EQ(view.categories[1].column, 2);
  EXPECT_EQ(view.categories[1].levels, (Strings{"I", "II", "III"}));
  EXPECT_EQ(words_of(view, 0), (Strings{"male", "female", "female", "", "male", "female"}));
  EXPECT_EQ(words_of(view, 1), stage);
  EXPECT_EQ(view.values(1, 1), 61);
  expect_contains(all_notices(view),
                  "2 of 3 columns hold words and are used as categories: sex (2 words), stage (3)");
}

TEST(Words, TwoWordsAreACategoryInSmallTablesToo) {
  const View view = words_view("id,a,smoker\nP1,1,yes\nP2,2,no\nP3,3,yes\n");
  ASSERT_EQ(view.categories.size(), 1u);
  EXPECT_EQ(words_of(view, 0), (Strings{"yes", "no", "yes"}));
}

TEST(Words, NamesAndFreeTextAreLeftOut) {
  const Strings names = {"Anna", "Ben", "Carl", "Dora", "Emil", "Fay"};
  const View view = words_view(table_of({names, ages}, {"name", "age"}));
  EXPECT_EQ(view.feature_names, Strings{"age"});
  EXPECT_TRUE(view.categories.empty());
  EXPECT_EQ(view.values.cols(), 1);
  EXPECT_EQ(view.values(0, 0), 50);
  expect_contains(all_notices(view),
                  "1 of 2 columns is left out, because nearly every cell has a word of its own: "
                  "name ('Anna'); categories=name uses it");
  const View forced = words_view(table_of({names, ages}, {"name", "age"}), ",categories=name");
  EXPECT_EQ(words_of(forced, 0), names);
  expect_contains(words_error(table_of({names}, {"name"})).what(),
                  "no column holds numbers or words that repeat: name ('Anna')");
}

TEST(Words, CategoriesAreCountedAmongTheColumnsThatStay) {
  const Strings names = {"Anna", "Ben", "Carl", "Dora", "Emil", "Fay"},
                sex = {"m", "f", "f", "m", "m", "f"};
  const View view = words_view(table_of({names, ages, sex}, {"name", "age", "sex"}));
  EXPECT_EQ(view.feature_names, (Strings{"age", "sex"}));
  ASSERT_EQ(view.categories.size(), 1u);
  EXPECT_EQ(view.categories[0].column, 1);
  EXPECT_EQ(words_of(view, 0), sex);
}

TEST(Words, CodesAreNumbersUnlessTheOptionNamesThem) {
  const Strings site = {"10", "2", "2", "10", "", "3"};
  EXPECT_TRUE(words_view(table_of({site, ages}, {"site", "age"})).categories.empty());
  const View view = words_view(table_of({site, ages}, {"site", "age"}), ",categories=site");
  EXPECT_EQ(words_of(view, 0), site);
  EXPECT_EQ(view.categories[0].levels, (Strings{"10", "2", "3"}));  // by name
  const View both = words_view(table_of({site, ages}, {"site", "age"}), ",categories=site+age");
  EXPECT_EQ(both.categories.size(), 2u);
  expect_contains(words_error(table_of({site, ages}, {"site", "age"}), ",categories=sote").what(),
                  "there is no column 'sote' (did you mean 'site'?)");
}

TEST(Words, AFewOfThemAmongNumbersAreAnError) {
  Strings values(20, "1.5");
  values[3] = "n.d.";
  values[7] = "<0.1";
  values[8] = "n.d.";
  const InputError error = words_error(table_of({values}, {"crp"}));
  expect_contains(error.what(),
                  "clin.csv, line 5, column 'crp': 'n.d.' is not a number; 3 of the 20 values of "
                  "'crp' are not numbers: 'n.d.', '<0.1'");
  expect_contains(error.hint().text(), "na_values");
  // 8 of 10 are words: neither numbers nor words
  const Strings mixed = {"a", "a", "b", "b", "a", "b", "a", "b", "1", "2"};
  expect_contains(words_error(table_of({mixed}, {"x"})).what(), "8 of the 10 values");
  // 9 of 10 are: words, and the number is one of them
  const Strings words = {"a", "a", "b", "b", "a", "b", "a", "b", "b", "2"};
  EXPECT_EQ(words_of(words_view(table_of({words}, {"x"})), 0), words);
}

TEST(Words, NumbersThatCannotBeReadAreNoWords) {
  std::string commas = "id;a;b\n", percent = "id,a\n", errors = "id,a\n";
  for (int i = 0; i < 20; ++i) {
    commas += fmt::format("P{};{};1,{}\n", i, i, i % 3);
    percent += fmt::format("P{},{} %\n", i, i % 4);
    errors += fmt::format("P{},#DIV/0!\n", i);
  }
  expect_contains(words_error(commas).what(), "column 'b': '1,0' is not a number");
  expect_contains(words_error(commas).hint().text(), "decimals with a point");
  expect_contains(words_error(percent).what(), "'0 %' is not a number");
  expect_contains(words_error(errors).what(), "'#DIV/0!' is not a number");
}

TEST(Words, SeveralWrongColumnsAreNamed) {
  Strings a(12, "1"), b(12, "2");
  a[5] = b[4] = b[6] = "?";
  const std::string what = words_error(table_of({a, b}, {"a", "b"})).what();
  expect_contains(what, "line 6, column 'b': '?' is not a number; 2 of the 12 values of 'b'");
  expect_contains(what, "the same in 1 more: 'a'");
}

TEST(Words, DatesAreDaysSince1970) {
  const Strings iso = {"2021-03-05", "2021-03-06", "", "1969-12-31", "2021-03-05", "2000-01-01"},
                dots = {"05.03.2021", "6.3.2021", "", "31.12.1969", "5.3.2021", "1.1.2000"},
                slashes = {"3/5/2021", "3/6/2021", "", "12/31/1969", "3/5/2021", "1/1/2000"};
  const View view = words_view(table_of({iso, dots, slashes, ages}, {"a", "b", "c", "age"}));
  EXPECT_TRUE(view.categories.empty());
  for (Index j = 0; j < 3; ++j) {
    EXPECT_EQ(view.values(0, j), 18691) << j;
    EXPECT_EQ(view.values(1, j), 18692) << j;
    EXPECT_TRUE(std::isnan(view.values(2, j))) << j;
    EXPECT_EQ(view.values(3, j), -1) << j;
  }
  expect_contains(all_notices(view),
                  "3 of 4 columns hold dates, read as days since 1970-01-01: a ('2021-03-05' is "
                  "18691), b");
}

TEST(Words, DatesThatMayBeginWithDayOrMonthAreAQuestion) {
  const Strings open = {"3/5/2021", "1/2/2021", "11/12/2020", "1/1/2021", "2/2/2021", "3/3/2021"};
  const InputError error = words_error(table_of({open, ages}, {"visit", "age"}));
  expect_contains(error.what(),
                  "line 2, column 'visit': '3/5/2021' may begin with the day or with "
                  "the month, and so may every other date of the column");
  expect_contains(error.hint().text(), "dates=dmy or mdy decides");
  const std::string table = table_of({open, ages}, {"visit", "age"});
  EXPECT_EQ(words_view(table, ",dates=mdy").values(0, 0), 18691);
  EXPECT_EQ(words_view(table, ",dates=dmy").values(0, 0), 18750);
  Strings both = open;
  both[1] = "13/2/2021";
  both[2] = "2/13/2021";
  expect_contains(words_error(table_of({both}, {"visit"})).what(),
                  "'2/13/2021' may begin with the day or with the month; '13/2/2021' begins with");
  expect_contains(words_error(table_of({both}, {"visit"}), ",dates=dmy").what(),
                  "there is no day '2/13/2021' with the day first");
}

TEST(Words, AmongDatesEveryCellIsOne) {
  Strings dates(20, "2021-03-05");
  dates[4] = "unknown";
  expect_contains(words_error(table_of({dates}, {"visit"})).what(),
                  "line 6, column 'visit': 'unknown' is not a date");
  dates[4] = "7";
  expect_contains(words_error(table_of({dates}, {"visit"})).what(),
                  "'2021-03-05' is a date, but 1 cells of 'visit' are numbers");
  dates[4] = "2021-02-30";
  expect_contains(words_error(table_of({dates}, {"visit"})).what(), "there is no day '2021-02-30'");
  expect_contains(words_error(table_of({Strings(4, "3/5/21")}, {"visit"})).what(),
                  "'3/5/21' is a date whose year has two digits");
}

TEST(Words, ATurnedTableHasThemInItsRows) {
  const std::string text =
      "feature,P1,P2,P3,P4,P5,P6\nsex,m,f,f,m,m,f\nage,50,61,47,70,55,39\nstage,I,I,II,I,II,II\n";
  for (const char* options : {"", ",samples_in=columns"}) {
    const View view = words_view(text, options);
    EXPECT_EQ(view.samples_in, SamplesIn::columns);
    EXPECT_EQ(view.ids, (Strings{"P1", "P2", "P3", "P4", "P5", "P6"}));
    ASSERT_EQ(view.categories.size(), 2u);
    EXPECT_EQ(view.categories[1].column, 2);
    EXPECT_EQ(words_of(view, 0), (Strings{"m", "f", "f", "m", "m", "f"}));
    EXPECT_EQ(words_of(view, 1), (Strings{"I", "I", "II", "I", "II", "II"}));
  }
  expect_contains(
      words_error("feature,P1,P2,P3\nage,50,x,47\nbmi,1,2,3\n", ",samples_in=columns").what(),
      "clin.csv, line 2, column 'P2': 'x' is not a number");
}

TEST(Words, ColumnsThatDescribeGenesAreNoSamples) {
  const View view = words_view(
      "gene_id,symbol,strand,P1,P2,P3\nENSG00000141510,TP53,+,1,2,3\nENSG00000012048,BRCA1,-,4,5,"
      "6\n"
      "ENSG00000139618,BRCA2,+,7,8,9\n");
  EXPECT_EQ(view.samples_in, SamplesIn::columns);
  EXPECT_EQ(view.ids, (Strings{"P1", "P2", "P3"}));
  EXPECT_EQ(view.values, (Matrix(3, 3) << 1, 4, 7, 2, 5, 8, 3, 6, 9).finished());
  expect_contains(all_notices(view),
                  "2 of 5 columns are left out, because they hold words, not numbers: 'symbol', "
                  "'strand'");
}

TEST(Words, ASecondHeaderIsAnError) {
  const InputError error = words_error("id,a,b,c\nunit,kg,cm,mm\nP1,1,2,3\nP2,2,3,4\nP3,3,4,5\n");
  expect_contains(error.what(),
                  "line 2, column 'a': 'kg' is not a number; row 'unit' holds words in 3 cells");
  expect_contains(error.hint().text(), "remove the row");
}

TEST(Words, OfOneOrTwoRowsAreAnError) {
  expect_contains(words_error("id,a,sex\nP1,1,male\nP2,2,male\n").what(),
                  "line 2, column 'sex': 'male' is not a number");
  EXPECT_EQ(words_view("id,a,sex\nP1,1,male\n", ",categories=sex").categories.size(), 1u);
}

TEST(Words, IdsBehindNumbersOfRowsAreAQuestion) {
  const std::string table = ",patient,age\n0,Anna,50\n1,Ben,61\n2,Carl,47\n3,Dora,70\n";
  expect_contains(words_error(table).what(),
                  "the first column holds numbers of rows, and column 'patient' seems to hold the "
                  "sample ids: 'Anna'");
}

TEST(Words, OfATableInMemoryAreReadAlike) {
  View view;
  view.name = "clin";
  view.source = "DataFrame";
  view.ids = {"A", "B", "C", "D"};
  view.feature_names = {"seen", "name", "age", "site", "sex"};
  view.values = Matrix::Constant(4, 5, 7);
  const Indices kept = read_text_columns(view,
                                         {{0, {"2021-03-05", "1970-01-01", "", "1970-01-02"}},
                                          {1, {"Anna", "Ben", "Carl", "Dora"}},
                                          {3, {"3", "10", "10", "NA"}, true},
                                          {4, {"m", "f", "f", "m"}}},
                                         {});
  EXPECT_EQ(kept, (Indices{0, 2, 3, 4}));
  EXPECT_EQ(view.feature_names, (Strings{"seen", "age", "site", "sex"}));
  EXPECT_EQ(view.values(0, 0), 18691);
  EXPECT_EQ(view.values(3, 0), 1);
  EXPECT_TRUE(std::isnan(view.values(2, 0)));
  EXPECT_EQ(view.values(2, 1), 7);
  EXPECT_EQ(words_of(view, 0), (Strings{"3", "10", "10", ""}));
  EXPECT_EQ(words_of(view, 1), (Strings{"m", "f", "f", "m"}));
  view.values = Matrix::Zero(4, 1);
  view.feature_names = {"crp"};
  expect_contains(message([&] { read_text_columns(view, {{0, {"1", "2", "12x", "3"}}}, {}); }),
                  "view 'clin' (DataFrame), sample 'C', column 'crp': '12x' is not a number");
}

TEST(Words, KernelsHoldNone) {
  const std::string kernel = "id,A,B,C\nA,1,x,0\nB,x,1,y\nC,0,y,1\n";
  expect_contains(words_error(kernel).what(), "line 2, column 'B': 'x' is not a number");
  expect_contains(words_error(kernel, ",kind=kernel").what(), "'x' is not a number");
}

TEST(Words, OfSeveralRowsOfASampleTheMostFrequent) {
  const View view = words_view(
      "id,x,sex\nP1,1,m\nP1,2,f\nP1,6,f\nP2,1,m\nP2,3,f\nP3,5,NA\nP3,7,m\n", ",replicates=mean");
  EXPECT_EQ(words_of(view, 0), (Strings{"f", "m", "m"}));
  EXPECT_EQ(Vector(view.values.col(0)), (Vector(3) << 3, 2, 6).finished());
}

TEST(Words, AreNotZeros) {
  std::string text = "id,a,b,c,sex\n";
  for (int i = 0; i < 20; ++i)
    text += fmt::format("P{},{},{},{},{}\n", i, i + 1.5, i + 2.5, i + 3.5, i % 2 ? "m" : "f");
  const View view = words_view(text + "Z1,0,0,0,f\nZ2,0,0,0,NA\n");
  EXPECT_EQ(view.ids.size(), 21u);  // Z2 has neither numbers nor a word
  EXPECT_EQ(view.ids.back(), "Z1");
}

TEST(Words, ThatAreNotUtf8AreRefused) {
  expect_contains(words_error("id,a\nP1,m\xe4nnlich\nP2,m\xe4nnlich\n").what(),
                  "is not UTF-8 text");
}

}  // namespace
}  // namespace mkc::io
