#include "mkc/files/sample_map.hpp"

#include "mkc/problem/id_spelling.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using test::expect_contains;
using test::input_error;
using test::message;
using test::TempDir;

SampleMap map_of(const std::string& text) {
  const TempDir folder;
  return read_sample_map(folder.write("map.csv", text));
}

Strings list_of(const std::string& text) {
  const TempDir folder;
  return read_sample_list(folder.write("list.txt", text));
}

TEST(SampleMap, ColumnsInAnyOrderAndRowNamesOfR) {
  for (const char* text :
       {"assay,primary,colname\nrna,P1,x-1\n", "colname\tassay\tsex\tprimary\nx-1\trna\tm\tP1\n",
        "\"assay\" \"primary\" \"colname\"\n\"1\" \"rna\" \"P1\" \"x-1\"\n",
        "\"\",\"assay\",\"primary\",\"colname\"\n\"1\",\"rna\",\"P1\",\"x-1\"\n"}) {
    const SampleMap map = map_of(text);
    ASSERT_EQ(map.rows.size(), 1u) << text;
    EXPECT_EQ(map.rows[0].assay, "rna");
    EXPECT_EQ(map.rows[0].primary, "P1");
    EXPECT_EQ(map.rows[0].colname, "x-1");
    EXPECT_EQ(map.rows[0].line, 2);
  }
}

TEST(SampleMap, ErrorsNameTheLine) {
  const auto expect = [](const std::string& text, const std::string& part) {
    expect_contains(message([&] { map_of(text); }), part);
  };
  expect("assay,primary,colnames\nrna,P1,x\n", "no column 'colname' (did you mean 'colnames'?)");
  expect("assay,primary,colname\n", "no rows follow");
  expect("assay,primary,colname\nrna,,x\n", "line 2: the cell 'primary' is empty");
  expect("assay,primary,colname\nrna,P1\n", "line 2: 2 cells instead of 3");
  expect("assay,primary,colname\nrna,P1,x\nrna,P2,x\n",
         "line 3: 'x' of assay 'rna' is already in line 2, as sample 'P1'");
  expect("assay,primary,colname\nrna,P1,\"x\n", "line 2, cell 3: the quotes do not match");
  expect("", "the file is empty");
}

TEST(SampleList, OneIdPerLine) {
  EXPECT_EQ(list_of("P2\nP 1\n\n# no\nP3\n"), (Strings{"P2", "P 1", "P3"}));
  EXPECT_EQ(list_of("sample\tage\nP2\t3\n\"P,1\"\t4\n"), (Strings{"P2", "P,1"}));
  expect_contains(message([] { list_of("P1\nP2\nP1\n"); }),
                  "line 3: sample 'P1' is already in line 1");
  expect_contains(message([] { list_of("# only\n"); }), "no sample ids found");
  expect_contains(message([] { list_of("P1\n\xff\n"); }), "line 2: this is not a sample id");
}

TEST(IdSpelling, KeysIgnoreCaseBlanksAndSeparators) {
  EXPECT_EQ(spelling_key("TCGA-02.0001"), "tcga-02-0001");
  EXPECT_EQ(spelling_key(" tcga 02_0001 "), "tcga-02-0001");
  EXPECT_EQ(spelling_key("TCGA--02-0001."), "tcga-02-0001");
  EXPECT_NE(spelling_key("P1"), spelling_key("P2"));
  EXPECT_EQ(spelling_key("..."), "");
}

TEST(IdSpelling, CommonSuffixesBeginWithASeparator) {
  EXPECT_EQ(common_suffix({"P1_rna", "P22_rna"}), "_rna");
  EXPECT_EQ(common_suffix({"P1-01A-x", "P2-01A-x"}), "-01A-x");
  EXPECT_EQ(common_suffix({"P10", "P20"}), "");
  EXPECT_EQ(common_suffix({"P1_rna", "_rna"}), "");
  EXPECT_EQ(common_suffix({"P1_rna"}), "");
  EXPECT_EQ(common_suffix({}), "");
}

}  // namespace
}  // namespace mkc::io
