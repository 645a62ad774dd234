#include "formats/mtx.hpp"

#include "files/read_views.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using test::expect_contains;
using test::message;
using test::TempDir;

const std::string real_banner = "%%MatrixMarket matrix coordinate real general\n";

Matrix read_text(const std::string& text) {
  const TempDir folder;
  return read_mtx(folder.write("a.mtx", text));
}

std::string error_in(const std::string& text) {
  const TempDir folder;
  const std::string path = folder.write("a.mtx", text);
  std::string what = message([&] { read_mtx(path); });
  const std::size_t at = what.find(path);
  if (at != std::string::npos) what.replace(at, path.size(), "a.mtx");
  return what;
}

TEST(Mtx, CoordinatesAndArrays) {
  const Matrix expected = (Matrix(2, 3) << 0, 2.5, 0, -1, 0, 3).finished();
  EXPECT_EQ(read_text(real_banner + "% comment\n2 3 3\n1 2 2.5\n\n2 1 -1\n2 3 3\n"), expected);
  EXPECT_EQ(read_text("%%MatrixMarket matrix array real general\n2 3\n0\n-1\n2.5\n0\n0\n3\n"),
            expected);
  EXPECT_EQ(read_text("%%matrixmarket MATRIX coordinate pattern general\r\n2 2 1\r\n2 1\r\n"),
            (Matrix(2, 2) << 0, 0, 1, 0).finished());
  EXPECT_EQ(read_text(real_banner + "1 1 2\n1 1 1\n1 1 2\n")(0, 0), 3);  // entries add up
}

TEST(Mtx, SymmetricMatricesStoreOneHalf) {
  const Matrix expected = (Matrix(2, 2) << 1, 2, 2, 3).finished();
  EXPECT_EQ(
      read_text("%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 2\n2 2 3\n"),
      expected);
  EXPECT_EQ(read_text("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n"), expected);
  EXPECT_EQ(read_text("%%MatrixMarket matrix array real skew-symmetric\n2 2\n5\n"),
            (Matrix(2, 2) << 0, -5, 5, 0).finished());
}

TEST(Mtx, ErrorsNameTheLine) {
  expect_contains(error_in("id,a\nP,1\n"), "a.mtx, line 1: '%%MatrixMarket matrix ...' is missing");
  expect_contains(error_in(""), "is missing");
  EXPECT_EQ(error_in("%%MatrixMarket matrix coordinate complex general\n1 1 0\n"),
            "a.mtx, line 1: 'complex' is not supported; supported are real, integer, double");
  EXPECT_EQ(error_in(real_banner + "2 3\n"),
            "a.mtx, line 2: 2 sizes found, 3 needed: rows columns entries");
  EXPECT_EQ(error_in(real_banner + "2 3 2\n1 1 1\n"),
            "a.mtx: cut off after line 3: entry 2 of 2 is missing");
  EXPECT_EQ(error_in(real_banner + "2 3 1\n3 1 1\n"),
            "a.mtx, line 3: '3' is not a row from 1 to 2");
  EXPECT_EQ(error_in(real_banner + "2 3 1\n1 0 1\n"),
            "a.mtx, line 3: '0' is not a column from 1 to 3");
  EXPECT_EQ(error_in(real_banner + "2 3 1\n1 1 x\n"), "a.mtx, line 3: 'x' is not a number");
  EXPECT_EQ(error_in(real_banner + "2 3 1\n1 1\n"),
            "a.mtx, line 3: an entry of 2 numbers, 3 needed");
  EXPECT_EQ(error_in(real_banner + "2 3 1\n1 1 1\n1 2 1\n"),
            "a.mtx, line 4: more follows after the 1 entries that the sizes give");
  expect_contains(error_in("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n"),
                  "a symmetric matrix of 2 rows and 3 columns");
}

TEST(Mtx, ImpossibleSizesTakeNoMemory) {
  expect_contains(error_in(real_banner + "1000000000 1000000000 1\n1 1 1\n"),
                  "with 1 entries only");
  expect_contains(error_in(real_banner + "100000 10000 1\n1 1 1\n"), "with 1 entries only");
  expect_contains(error_in(real_banner + "2 2 1000000000000\n1 1 1\n"), "entry 2 of 1000000000000");
  expect_contains(error_in("%%MatrixMarket matrix array real general\n1000000000 1000000000\n1\n"),
                  "value 2 of");
  expect_contains(error_in(real_banner + "1e999 2 1\n"), "is not a number of rows");
}

View view_of(const TempDir& folder, const std::string& options = "") {
  return read_views(parse_view_spec(folder.file("bbc.mtx") + options)).at(0);
}

TEST(MtxViews, IdFilesDecideWhereTheSamplesAre) {
  const TempDir folder;  // terms x documents, as 3sources has them
  folder.write("bbc.mtx", real_banner + "3 2 2\n1 1 4\n3 2 5\n");
  EXPECT_EQ(view_of(folder).values.rows(), 3);  // no ids: rows are samples
  EXPECT_EQ(view_of(folder).ids, (Strings{"0", "1", "2"}));
  folder.write("bbc.docs", "001\n 007 \n");
  folder.write("bbc.terms", "unemploy\npass\nvote\n\n");
  const View view = view_of(folder);
  EXPECT_EQ(view.name, "bbc");
  EXPECT_EQ(view.ids, (Strings{"001", "007"}));
  EXPECT_EQ(view.feature_names, (Strings{"unemploy", "pass", "vote"}));
  EXPECT_EQ(view.values, (Matrix(2, 3) << 4, 0, 0, 0, 0, 5).finished());
  expect_contains(view.notices.at(0), "samples are in the columns, according to ");
  std::filesystem::remove(folder.file("bbc.docs"));
  EXPECT_EQ(view_of(folder).ids, (Strings{"0", "1"}));  // the features alone are enough
  folder.write("bbc.samples", "a\nb\nc\nd\n");
  expect_contains(message([&] { view_of(folder); }), "4 ids for");
  folder.write("bbc.samples", "a\na\n");
  expect_contains(message([&] { view_of(folder); }), "id 'a' appears twice: at positions 1 and 2");
}

TEST(MtxViews, ASymmetricMatrixIsAKernelUnlessItsColumnsAreFeatures) {
  const TempDir folder;
  folder.write("bbc.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n");
  folder.write("bbc.samples", "a\nb\n");
  EXPECT_EQ(view_of(folder).kind, ViewKind::kernel);
  EXPECT_EQ(view_of(folder).ids, (Strings{"a", "b"}));
  folder.write("bbc.features", "x\ny\n");
  EXPECT_EQ(view_of(folder).kind, ViewKind::features);
  EXPECT_EQ(view_of(folder).feature_names, (Strings{"x", "y"}));
}

}  // namespace
}  // namespace mkc::io
