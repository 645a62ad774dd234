#include "formats/tables_out.hpp"

#include <cmath>
#include <cstring>

#include "formats/csv.hpp"
#include "mkc/files/output_folder.hpp"
#include "support/random_matrices.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using mkc::test::random_matrix;
using test::FileSizeLimit;
using test::read_file;
using test::TempDir;

TEST(TablesOut, TheTextIsPlain) {
  const TempDir folder;
  const Matrix values = (Matrix(2, 2) << 1, 0.1, std::nan(""), -1e-300).finished();
  write_matrix_tsv(folder.file("a.tsv"), {"A", "B c"}, {"x", "y\tz"}, values);
  EXPECT_EQ(read_file(folder.file("a.tsv")), "sample\tx\t\"y\tz\"\nA\t1\t0.1\nB c\tNA\t-1e-300\n");
}

TEST(TablesOut, TablesReadBackToTheLastBit) {
  const TempDir folder;
  Matrix values = random_matrix(40, 7, 1) / 3;
  values(3, 4) = std::numeric_limits<double>::infinity();
  values(5, 6) = 5e-324;
  Strings rows, columns{"a", "b,c", "d;e", "\"q\"", "#f", " g", "\xC3\xA9"};
  for (int i = 0; i < 40; ++i) rows.push_back("#" + std::to_string(i));
  for (const char* name : {"a.tsv", "a.tsv.gz", "a.csv", "a.CSV.gz"}) {
    EXPECT_TRUE(is_table_name(name));
    write_matrix_table(folder.file(name), name, rows, columns, values);
    const Table table = read_table(folder.file(name));
    EXPECT_EQ(table.row_names, rows);
    EXPECT_EQ(table.column_names, columns);
    EXPECT_EQ(table.values, values);
  }
}

TEST(TablesOut, NamesInCsvAreQuotedWhereTheyHoldADelimiter) {
  const TempDir folder;
  const Matrix values = (Matrix(1, 4) << 1, 0.5, std::nan(""), -2).finished();
  write_matrix_csv(folder.file("a.csv"), {"A, 1"}, {"x", "y;z", "say \"x\"", "t\tu"}, values, "id");
  EXPECT_EQ(read_file(folder.file("a.csv")),
            "id,x,\"y;z\",\"say \"\"x\"\"\",\"t\tu\"\n\"A, 1\",1,0.5,NA,-2\n");
  EXPECT_FALSE(is_table_name("a.npz"));
}

TEST(TablesOut, GzipBytesDependOnTheTableOnly) {
  const TempDir folder;
  const Matrix values = random_matrix(5, 2, 2);
  const Strings rows{"a", "b", "c", "d", "e"};
  write_matrix_tsv_gz(folder.file("a.gz"), rows, {"x", "y"}, values);
  write_matrix_tsv_gz(folder.file("b.gz"), rows, {"x", "y"}, values);
  const std::string bytes = read_file(folder.file("a.gz"));
  EXPECT_EQ(bytes, read_file(folder.file("b.gz")));
  EXPECT_EQ(bytes.substr(4, 4), std::string(4, '\0'));  // no time
}

TEST(TablesOut, FullDisksAndWrongSizesAreReported) {
  const TempDir folder;
  EXPECT_THROW(write_matrix_tsv(folder.file("a"), {"A"}, {"x"}, Matrix(2, 1)),
               std::invalid_argument);
  EXPECT_THROW(write_matrix_tsv_gz(folder.file("no/a"), {"A"}, {"x"}, Matrix::Ones(1, 1)),
               OutputError);
  Strings rows;
  for (int i = 0; i < 500; ++i) rows.push_back(std::to_string(i));
  const Matrix values = random_matrix(500, 2, 3);
  const FileSizeLimit limit(1000);
  EXPECT_THROW(write_matrix_tsv(folder.file("a"), rows, {"x", "y"}, values), OutputError);
  EXPECT_THROW(write_matrix_tsv_gz(folder.file("b"), rows, {"x", "y"}, values), OutputError);
}

TEST(FileNames, StayInTheirFolder) {
  EXPECT_EQ(file_name_for("rna"), "rna");
  EXPECT_EQ(file_name_for("gene expression"), "gene expression");
  EXPECT_EQ(file_name_for(".."), "_.");
  EXPECT_EQ(file_name_for("../../etc/passwd"), "_._.._etc_passwd");
  EXPECT_EQ(file_name_for("/abs"), "_abs");
  EXPECT_EQ(file_name_for(std::string("a\0b\n\x7f\\c", 7)), "a_b___c");
  EXPECT_EQ(file_name_for(""), "view");
  EXPECT_EQ(file_name_for("\xC3\xA9"), "\xC3\xA9");
  EXPECT_EQ(file_name_for(std::string(300, 'x')).size(), 200u);
  EXPECT_EQ(file_name_for(std::string(199, 'x') + "\xC3\xA9").size(), 199u);
}

TEST(FileNames, AreDistinct) {
  EXPECT_EQ(file_names_for({"a/b", "a_b", "a\\b", "a_b_2", "c"}),
            (Strings{"a_b", "a_b_2", "a_b_3", "a_b_2_2", "c"}));
}

}  // namespace
}  // namespace mkc::io
