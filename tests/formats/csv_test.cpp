#include "formats/csv.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <random>

#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using test::contains;
using test::expect_contains;
using test::gzip;
using test::input_error;
using test::message;
using test::TempDir;

Table table_of(const std::string& text, const TableOptions& options = {}) {
  const TempDir folder;
  return read_table(folder.write("t.csv", text), options);
}

/// The message without the folder in front of the file name.
std::string error_in(const std::string& text) {
  const std::string what = message([&] { table_of(text); });
  const std::size_t name = what.find("t.csv");
  return name == std::string::npos ? what : what.substr(name);
}

void expect_two_by_two(const Table& table) {
  EXPECT_EQ(table.row_names, (Strings{"P1", "P2"}));
  EXPECT_EQ(table.column_names, (Strings{"a", "b"}));
  EXPECT_EQ(table.values, (Matrix(2, 2) << 1, 2.5, -3, 4e-3).finished());
}

TEST(ReadTable, EveryDelimiterIsRecognised) {
  expect_two_by_two(table_of("id,a,b\nP1,1,2.5\nP2,-3,4e-3\n"));
  expect_two_by_two(table_of("id\ta\tb\nP1\t1\t2.5\nP2\t-3\t4e-3\n"));
  expect_two_by_two(table_of("id;a;b\nP1;1;2.5\nP2;-3;4e-3\n"));
  expect_two_by_two(table_of("id a  b\nP1   1 2.5\n  P2 -3  4e-3  \n"));
}

// Random decimals of every length, most of which take the short way past from_chars.
TEST(ReadTable, NumbersEqualThoseOfFromChars) {
  std::mt19937_64 engine(5);
  Strings words = {"0",
                   "-0",
                   "0.0",
                   "-0.0",
                   "00.5",
                   "5.",
                   ".5",
                   "-.5",
                   "1e5",
                   "1E-3",
                   "1.e2",
                   "9007199254740993",
                   "999999999999999",
                   "9999999999999999",
                   "0.000000000000001",
                   "0.0000000000000001",
                   "123456789.123456",
                   "-123456789.1234567",
                   "99999999999999999999999",
                   "1.7976931348623157e308"};
  for (int i = 0; i < 3000; ++i) {
    std::string word = i % 3 == 0 ? "-" : "";
    for (std::uint64_t k = engine() % 12 + 1; k > 0; --k) word += char('0' + engine() % 10);
    if (i % 4 > 0) word += '.';
    if (i % 4 > 0)
      for (std::uint64_t k = engine() % 12 + 1; k > 0; --k) word += char('0' + engine() % 10);
    words.push_back(word);
  }
  std::string text = "id,x\n";
  for (std::size_t i = 0; i < words.size(); ++i) text += fmt::format("r{},{}\n", i, words[i]);
  const Table table = table_of(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    double expected = 0;
    std::from_chars(words[i].data(), words[i].data() + words[i].size(), expected);
    const double found = table.values(static_cast<Index>(i), 0);
    EXPECT_EQ(found, expected) << words[i];
    EXPECT_EQ(std::signbit(found), std::signbit(expected)) << words[i];
  }
}

TEST(ReadTable, TheHeaderOfRIsOneCellShorter) {
  expect_two_by_two(table_of("a,b\nP1,1,2.5\nP2,-3,4e-3\n"));
  expect_two_by_two(table_of("\"a\" \"b\"\n\"P1\" 1 2.5\n\"P2\" -3 4e-3\n"));
  expect_two_by_two(table_of("\"\",\"a\",\"b\"\n\"P1\",1,2.5\n\"P2\",-3,4e-3\n"));
  const Table one = table_of("a\nP1,1\nP2,2\n");
  EXPECT_EQ(one.column_names, Strings{"a"});
  EXPECT_EQ(one.values, (Matrix(2, 1) << 1, 2).finished());
}

TEST(ReadTable, CommentsBlankLinesCrlfMarkAndGzip) {
  const std::string text =
      "\xEF\xBB\xBF# made by hand\r\n\r\nid,a,b\r\nP1,1,2.5\r\n#x\r\n \r\nP2,-3,4e-3\r\n";
  const Table table = table_of(text);
  expect_two_by_two(table);
  EXPECT_EQ(table.lines, (Indices{4, 7}));
  const TempDir folder;
  expect_two_by_two(read_table(folder.write("t.csv.gz", gzip(text))));
}

TEST(ReadTable, QuotesBlanksAndSigns) {
  const Table table = table_of("id,\"a,b\",\" c\"\n\"P \"\"1\"\"\", +1 ,\"2.5\"\nP2 ,\t-3,+.5e1\n");
  EXPECT_EQ(table.row_names, (Strings{"P \"1\"", "P2"}));
  EXPECT_EQ(table.column_names, (Strings{"a,b", " c"}));
  EXPECT_EQ(table.values, (Matrix(2, 2) << 1, 2.5, -3, 5).finished());
}

TEST(ReadTable, MissingValuesAndInfinities) {
  for (const char* word :
       {"", " ", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "\"\"", "\"NA\""}) {
    const Table table = table_of(std::string("id,a,b\nP1,") + word + ",2\nP2,3," + word + "\n");
    EXPECT_TRUE(std::isnan(table.values(0, 0))) << word;
    EXPECT_TRUE(std::isnan(table.values(1, 1))) << word;
    EXPECT_EQ(table.values(0, 1), 2);
  }
  const Table table = table_of("id,a,b,c,d\nP1,inf,-Inf,+1e400,-1e-400\n");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(table.values, (Matrix(1, 4) << infinity, -infinity, infinity, 0).finished());
  EXPECT_TRUE(std::isnan(table_of("id,a\nP1,-99x\n", {{"-99x"}}).values(0, 0)));
}

TEST(ReadTable, TablesOfManyRows) {
  std::string text = "id";
  for (int j = 0; j < 7; ++j) text += fmt::format(",c{}", j);
  for (int i = 0; i < 200'000; ++i) {
    text += fmt::format("\nr{}", i);
    for (int j = 0; j < 7; ++j) text += fmt::format(",{}", i * 7 + j);
  }
  const Table table = table_of(text);
  ASSERT_EQ(table.values.rows(), 200'000);
  bool good = true;
  for (Index i = 0; i < table.values.rows(); ++i)
    for (Index j = 0; j < 7; ++j)
      good = good && table.values(i, j) == static_cast<double>(i * 7 + j);
  EXPECT_TRUE(good);
}

TEST(ReadTable, BadCellsAreShownWithLineAndColumn) {
  EXPECT_EQ(error_in("id,a,b\nP1,1,2\nP2,3,x7\n"),
            "t.csv, line 3, column 'b': 'x7' is not a number");
  EXPECT_EQ(error_in("id,a\nP1,1e5x\n"), "t.csv, line 2, column 'a': '1e5x' is not a number");
  EXPECT_EQ(error_in("id,a\nP1,0x10\n"), "t.csv, line 2, column 'a': '0x10' is not a number");
  EXPECT_EQ(error_in("id;a\nP1;0,5\n"), "t.csv, line 2, column 'a': '0,5' is not a number");
  expect_contains(input_error([] { table_of("id;a\nP1;0,5\n"); }).hint().text(), "0.5, not 0,5");
  EXPECT_EQ(error_in("id,a\nP1,--1\n"), "t.csv, line 2, column 'a': '--1' is not a number");
  const std::string shortened = error_in(fmt::format("id,a\nP1,{}\n", std::string(500, 'x')));
  EXPECT_LT(shortened.size(), 130u);
}

TEST(ReadTable, WrongRowLengthsGiveBothSizes) {
  EXPECT_EQ(error_in("id,a,b\nP1,1,2\n\nP2,3\n"),
            "t.csv, line 4: row 'P2' has 1 values, the header has 2");
  EXPECT_EQ(error_in("id,a,b\nP1,1,2\nP2,3,4,5\n"),
            "t.csv, line 3: row 'P2' has 3 values, the header has 2");
  EXPECT_EQ(error_in("id,a,b\nP1,1,2\nP2\n"),
            "t.csv, line 3: row 'P2' has 0 values, the header has 2");
  EXPECT_EQ(error_in("id,a,b\nP1\n"), "t.csv, line 2: row 'P1' has 0 values, the header has 2");
  EXPECT_EQ(error_in("id,a,b\nP1,1,2,\n"),
            "t.csv, line 2: row 'P1' has 3 values, the header has 2");
}

TEST(ReadTable, IdsAndColumnNamesAreUniqueAndNotEmpty) {
  EXPECT_EQ(error_in("id,a\nP1,1\nP2,2\n#\nP1,3\n"),
            "t.csv, line 5: sample id 'P1' is already in line 2");
  EXPECT_EQ(error_in("id,a\nP1,1\n,2\n"), "t.csv, line 3: the sample id is empty");
  EXPECT_EQ(error_in("id,a,b,a\nP1,1,2,3\n"), "t.csv, line 1: two columns are named 'a'");
  EXPECT_EQ(error_in("id,a,\nP1,1,\n"), "t.csv, line 1: value column 2 of 2 has no name");
  EXPECT_EQ(error_in("id,a\nP\xE9,1\n"), "t.csv, line 2: the sample id is not UTF-8 text");
}

TEST(ReadTable, EmptyFilesAndFilesWithoutValues) {
  EXPECT_EQ(error_in(""), "t.csv: the file is empty");
  EXPECT_EQ(error_in("# only\n\n"), "t.csv: the file is empty");
  EXPECT_EQ(error_in("#\nid,a\n"), "t.csv, line 2: a header, but no rows follow it");
  expect_contains(error_in("id\nP1\nP2\n"), "t.csv, line 1: one column only");
}

TEST(ReadTable, QuotesMustMatch) {
  EXPECT_EQ(error_in("id,a\nP1,1\nP2,\"2\n"), "t.csv, line 3, column 'a': the quotes do not match");
  EXPECT_EQ(error_in("id,a\nP1,1\n\"P2,2\n"), "t.csv, line 3, sample id: the quotes do not match");
  EXPECT_EQ(error_in("id,a\nP1,1\n\"P2\"x,2\n"),
            "t.csv, line 3, sample id: the quotes do not match");
}

TEST(ReadTable, AMissingHeaderIsDetected) {
  const std::string needed =
      "t.csv, line 1: a header line is needed, but the first line holds numbers";
  EXPECT_EQ(error_in("P1,0.5,0.7\nP2,0.1,0.2\n"), needed);
  EXPECT_EQ(error_in("0.3,0.5,0.5\n0.4,0.1,0.2\n"), needed);
  EXPECT_EQ(error_in("P1,0.5,NA\nP2,0.1,0.2\n"), needed);
  // Columns may be named by whole numbers, and kernels by ids that look like numbers.
  EXPECT_EQ(table_of("id,1,2\nP1,5,6\n").column_names, (Strings{"1", "2"}));
  EXPECT_EQ(table_of("id,0.1,0.2\n0.1,5,6\n0.2,6,5\n").row_names, (Strings{"0.1", "0.2"}));
}

// 10^5 x 10^5 cells would take 80 GB; the file has 10^5 short lines.
TEST(ReadTable, ShortRowsTakeNoMemory) {
  std::string text = "id";
  for (int j = 0; j < 100000; ++j) text += ",c";
  text += "\nP0";
  for (int j = 0; j < 100000; ++j) text += ",1";
  for (int i = 1; i < 100000; ++i) text += "\nP";
  expect_contains(error_in(text + "\n"), "line 3: row 'P' has 0 values, the header has 100000");
}

TEST(ReadTable, ManyBlocksPlainAndGzip) {
  std::string text = "# c\nid";
  for (int j = 0; j < 1000; ++j) text += fmt::format(",c{}", j);
  for (int i = 0; i < 1300; ++i) {
    text += fmt::format("\nP{}", i);
    for (int j = 0; j < 1000; ++j) text += fmt::format(",{}", i - j);
    if (i % 100 == 0) text += "\n\n# note";
  }
  const TempDir folder;
  for (const auto& path : {folder.write("t.csv", text), folder.write("t.csv.gz", gzip(text))}) {
    const Table table = read_table(path);
    ASSERT_EQ(table.values.rows(), 1300);
    ASSERT_EQ(table.values.cols(), 1000);
    for (Index i = 0; i < 1300; i += 7)
      for (Index j = 0; j < 1000; j += 11)
        ASSERT_EQ(table.values(i, j), static_cast<double>(i - j));
  }
}

}  // namespace
}  // namespace mkc::io
