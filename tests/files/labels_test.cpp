#include "files/labels.hpp"

#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using test::input_error;
using test::TempDir;

const Strings samples = {"s0", "s1", "s2", "s3"};

Labels read(const std::string& text, Strings& notices, const std::string& column = "") {
  const TempDir folder;
  return read_labels({folder.write("y.tsv", text), column}, samples, notices);
}

Labels read(const std::string& text, const std::string& column = "") {
  Strings notices;
  return read(text, notices, column);
}

std::string error_in(const std::string& text, const std::string& column = "") {
  const InputError error = input_error([&] { read(text, column); });
  const std::string what = error.what();
  return what.substr(what.find("y.tsv"));
}

TEST(ReadLabels, InTheOrderOfTheSamples) {
  const Labels labels = read("sample\tclass\ns2\tb\ns0\ta\ns1\tNA\n");
  EXPECT_EQ(labels.classes, (Strings{"a", "b"}));
  EXPECT_EQ(labels.of_sample, (Indices{0, -1, 1, -1}));
}

TEST(ReadLabels, OneColumnOfSeveral) {
  const std::string table = "id,age,\"sub,type\"\n# a comment\ns0,50,\"A, B\"\ns1,60,C\n";
  const Labels labels = read(table, "sub,type");
  EXPECT_EQ(labels.classes, (Strings{"A, B", "C"}));
  EXPECT_EQ(error_in(table), "y.tsv has 2 columns: age, sub,type");
  EXPECT_EQ(error_in(table, "agee"),
            "y.tsv has no column 'agee' (did you mean 'age'?); its columns are age, sub,type");
}

TEST(ReadLabels, HeaderAsRWritesIt) {
  EXPECT_EQ(read("class\ts\ns0\ta\t1\ns1\tb\t1\n", "class").of_sample, (Indices{0, 1, -1, -1}));
}

TEST(ReadLabels, ErrorsNameTheLine) {
  EXPECT_EQ(error_in("sample\tclass\ns9\tb\n"),
            "y.tsv, line 2: no view has the sample 's9' (did you mean 's0'?), nor any other sample "
            "of this file");
  EXPECT_EQ(error_in("sample\tclass\ns0\ta\n\ns0\tb\n"),
            "y.tsv, line 4: sample 's0' already has a label in line 2");
  EXPECT_EQ(error_in("sample\tclass\ns0\ta\ns1\n"), "y.tsv, line 3: 1 cells instead of 2");
  EXPECT_EQ(error_in("sample\tclass\ns0\t\"a\n"), "y.tsv, line 2, cell 2: the quotes do not match");
  EXPECT_EQ(error_in("sample\tclass\n"), "y.tsv: a header, but no rows follow it");
  EXPECT_EQ(error_in("sample\ns0\ns1\n"),
            "y.tsv: no labels beside the sample ids, its only column");
}

TEST(ReadLabels, LabelsOfOtherSamplesAreLeftOutAndCounted) {
  Strings notices;
  const Labels labels = read("sample\tclass\ns0\ta\nx1\tb\ns2\tc\nx2\ta\n", notices);
  EXPECT_EQ(labels.of_sample, (Indices{0, -1, 1, -1}));
  EXPECT_EQ(labels.classes, (Strings{"a", "c"}));
  ASSERT_EQ(notices.size(), 1u);
  test::expect_contains(notices[0],
                        "2 of 4 rows are left out because no view has their samples, "
                        "the first in line 3: 'x1'");
}

TEST(ReadLabels, UnknownSamplesWithoutLabelAreIgnored) {
  EXPECT_EQ(read("sample\tclass\ns0\ta\nelse\tNA\n").of_sample, (Indices{0, -1, -1, -1}));
}

LabelTexts texts_of(const std::string& table, const std::string& column) {
  const TempDir folder;
  Strings notices;
  return read_label_texts({folder.write("y.tsv", table), column}, samples, notices);
}

TEST(ReadLabels, TwoColumnsForSurvival) {
  const LabelTexts texts = texts_of("id\tdays\tdead\ts\ns1\t5\t1\tx\ns0\t7\tNA\ty\n", "days,dead");
  EXPECT_EQ(texts.names, (Strings{"days", "dead"}));
  EXPECT_EQ(texts.columns[0], (Strings{"7", "5", "", ""}));
  EXPECT_EQ(texts.columns[1], (Strings{"", "1", "", ""}));
  test::expect_contains(error_in("id\ta\tb\tc\ns0\t1\t2\t3\n", "a,b,c"), "3 columns of labels");
}

TEST(ReadLabels, TheFirstOfTwoColumnsThatIsThere) {
  const LabelTexts texts =
      texts_of("id\tdied\tseen\tdead\ns0\t5\t4\t1\ns1\tNA\t9\t0\ns2\t\t\t0\n", "died+seen,dead");
  EXPECT_EQ(texts.names, (Strings{"died+seen", "dead"}));
  EXPECT_EQ(texts.columns[0], (Strings{"5", "9", "", ""}));
}

TEST(ReadLabels, AColumnOfThatVeryNameComesFirst) {
  EXPECT_EQ(texts_of("id\ta,b\ta\tb\ns0\tx\t1\t2\n", "a,b").names, (Strings{"a,b"}));
  EXPECT_EQ(texts_of("id\ta+b\ta\tb\ns0\tx\t1\t2\n", "a+b").columns[0][0], "x");
}

TEST(ReadLabels, SourceNamesAColumn) {
  const TempDir folder;
  const std::string odd = folder.write("a:b", "x");
  EXPECT_EQ(parse_label_source("y.tsv:class").path, "y.tsv");
  EXPECT_EQ(parse_label_source("y.tsv:class").column, "class");
  EXPECT_EQ(parse_label_source("y.tsv").column, "");
  EXPECT_EQ(parse_label_source(odd).path, odd);
}

}  // namespace
}  // namespace mkc::io
