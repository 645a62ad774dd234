#include "files/mask.hpp"

#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using namespace test;

std::string error_in(const std::string& text) {
  const TempDir folder;
  const std::string what = message([&] { read_mask(folder.write("m.tsv", text)); });
  return what.substr(what.find("m.tsv"));
}

TEST(ReadMask, ZerosAndOnes) {
  const TempDir folder;
  const MaskTable mask = read_mask(folder.write("m.tsv", "id\trna\tprot\nA\t1\t0\nB\t1\t1\n"));
  EXPECT_EQ(mask.samples, (Strings{"A", "B"}));
  EXPECT_EQ(mask.views, (Strings{"rna", "prot"}));
  EXPECT_TRUE(mask.observed(0, 0) && mask.observed(1, 0) && mask.observed(1, 1));
  EXPECT_FALSE(mask.observed(0, 1));
}

TEST(ReadMask, OtherCellsAreRefused) {
  EXPECT_EQ(error_in("id\trna\tprot\nA\t1\t0\nB\t1\t2\n"),
            "m.tsv, line 3, column 'prot': 2 is not 0 or 1");
  EXPECT_EQ(error_in("id\trna\tprot\nA\t\t0\n"),
            "m.tsv, line 2, column 'rna': a missing value is not 0 or 1");
  EXPECT_EQ(error_in("id\trna\nA\tyes\n"), "m.tsv, line 2, column 'rna': 'yes' is not a number");
}

}  // namespace
}  // namespace mkc::io
