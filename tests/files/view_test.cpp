#include "files/read_views.hpp"

#include <cmath>

#include "formats/npz.hpp"
#include "support/random_matrices.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using mkc::test::random_matrix;
using mkc::test::random_symmetric;
using namespace test;

const double nan_value = std::nan("");

View only_view(const std::string& spec) {
  auto views = read_views(parse_view_spec(spec));
  EXPECT_EQ(views.size(), 1u);
  return std::move(views.front());
}

View view_of(const std::string& table, const std::string& options = "") {
  const TempDir folder;
  return only_view(folder.write("prot.csv", table) + options);
}

std::string error_in(const std::string& table, const std::string& options = "") {
  const TempDir folder;
  const std::string path = folder.write("prot.csv", table);
  std::string what = message([&] { only_view(path + options); });
  for (std::size_t at; (at = what.find(path)) != std::string::npos;)
    what.replace(at, path.size(), "prot.csv");
  return what;
}

TEST(ReadViews, TablesOfFeatures) {
  const View view = view_of("id,g1,g2,g3\nA,1,2,3\nB,4,,6\n", ",gamma=2");
  EXPECT_EQ(view.name, "prot");
  EXPECT_EQ(view.kind, ViewKind::features);
  EXPECT_EQ(view.ids, (Strings{"A", "B"}));
  EXPECT_EQ(view.feature_names, (Strings{"g1", "g2", "g3"}));
  EXPECT_EQ(view.kernel_options, (OptionValues{{"gamma", "2"}}));
  EXPECT_TRUE(std::isnan(view.values(1, 1)));  // single missing values stay
  EXPECT_TRUE(view.notices.empty());
  expect_contains(view.source, "prot.csv");
}

TEST(ReadViews, NamesComeFromTheFile) {
  const TempDir folder;
  const std::string text = "id\tg\nA\t1\nB\t2\n";
  EXPECT_EQ(only_view(folder.write("rna.v2.tsv", text)).name, "rna.v2");
  EXPECT_EQ(only_view(folder.write("cnv.TSV.GZ", test::gzip(text))).name, "cnv");
  EXPECT_EQ(only_view(folder.write("m.txt.gz", text)).name, "m");
  EXPECT_EQ(only_view("own=" + folder.file("rna.v2.tsv")).name, "own");
}

TEST(ReadViews, AKernelIsRecognisedAndItsColumnsPutInOrder) {
  const View view = view_of("id,C,A,B\nA,3,1,2\nB,5,2,4\nC,6,3,5\n");
  EXPECT_EQ(view.kind, ViewKind::kernel);
  EXPECT_EQ(view.values, (Matrix(3, 3) << 1, 2, 3, 2, 4, 5, 3, 5, 6).finished());
  EXPECT_TRUE(view.feature_names.empty());
  ASSERT_EQ(view.notices.size(), 1u);
  EXPECT_EQ(
      view.notices[0],
      "taken as a kernel: square, same ids in rows and columns, symmetric; give kind=features "
      "otherwise");
}

TEST(ReadViews, AlmostAKernelIsExplained) {
  EXPECT_EQ(error_in("id,A,B\nA,1,2\nB,3,1\n"),
            "view 'prot' (prot.csv): the same ids in rows and columns, as a kernel has, but not "
            "symmetric: ('A', 'B') is 2, ('B', 'A') is 3");
  const View renamed = view_of("id,P.1,P.2\nP-1,1,2\nP-2,2,1\n");
  EXPECT_EQ(renamed.kind, ViewKind::features);
  expect_contains(renamed.notices.at(0), "sample 'P-1' is not among the columns");
  EXPECT_TRUE(view_of("id,x,y\nA,1,2\nB,3,1\n").notices.empty());
}

TEST(ReadViews, SymmetryHasATolerance) {
  EXPECT_EQ(view_of("id,A,B\nA,100,1.00009\nB,1,50\n").kind, ViewKind::kernel);
  expect_contains(error_in("id,A,B\nA,100,1.0002\nB,1,50\n"), "not symmetric");
  EXPECT_EQ(view_of("id,A,B\nA,1,inf\nB,inf,1\n").kind, ViewKind::kernel);
}

TEST(ReadViews, TheKindCanBeGiven) {
  EXPECT_EQ(view_of("id,A,B\nA,1,2\nB,3,1\n", ",kind=kernel").kind, ViewKind::kernel);
  const View features = view_of("id,A,B\nA,1,2\nB,2,1\n", ",kind=features");
  EXPECT_EQ(features.kind, ViewKind::features);
  EXPECT_EQ(features.feature_names, (Strings{"A", "B"}));
  EXPECT_EQ(view_of("id,A,B\nA,1,2\nB,2,1\n", ",kernel=linear").kind, ViewKind::features);
}

TEST(ReadViews, AKernelMustBeSquareWithTheSameIds) {
  EXPECT_EQ(error_in("id,A,B,C\nA,1,2,3\nB,2,1,3\n", ",kind=kernel"),
            "view 'prot' (prot.csv): a kernel is square, found 2 rows and 3 columns");
  EXPECT_EQ(
      error_in("id,A,P.07\nA,1,2\nP-07,2,1\n", ",kernel=precomputed"),
      "view 'prot' (prot.csv): sample 'P-07' is among the rows but not among the columns (did "
      "you mean 'P.07'?)");
}

TEST(ReadViews, EmptyRowsAreMissingSamples) {
  const View view = view_of("id,g,h,i\nA,1,2,0\nB,,NA,NaN\nC,,4,1\n");
  EXPECT_EQ(view.ids, (Strings{"A", "C"}));
  EXPECT_EQ(view.values.rows(), 2);
  EXPECT_EQ(view.notices.at(0), "1 of 3 samples have no values in the file and count as missing");
  EXPECT_EQ(error_in("id,g\nA,\nB,NA\n"),
            "view 'prot' (prot.csv): no sample has a value: all 2 rows are NaN");
}

TEST(ReadViews, EmptyRowsAndColumnsOfAKernelAreMissingSamples) {
  const View view = view_of("id,A,B,C\nA,1,,3\nB,,,\nC,3,,2\n");
  EXPECT_EQ(view.kind, ViewKind::kernel);
  EXPECT_EQ(view.ids, (Strings{"A", "C"}));
  EXPECT_EQ(view.values, (Matrix(2, 2) << 1, 3, 3, 2).finished());
  EXPECT_EQ(view.notices.size(), 2u);
}

TEST(ReadViews, PartlyMissingKernelRowsAreRefusedByName) {
  // B keeps its diagonal only: B is named, not A, which misses only the value in B's column.
  const auto what = error_in("id,A,B,C,D\nA,1,,3,\nB,,1,,\nC,3,,2,\nD,,,,\n");
  EXPECT_EQ(
      what,
      "view 'prot' (prot.csv): kernel row 'B' is partly missing: 2 of 3 entries are NaN, first "
      "in column 'A'");
  // A row may be empty while its column is not.
  EXPECT_EQ(
      error_in("id,A,B\nA,,\nB,2,1\n", ",kind=kernel"),
      "view 'prot' (prot.csv): kernel row 'A' is partly missing: 2 of 2 entries are NaN, first "
      "in column 'A'");
}

TEST(ReadViews, NpyFilesNumberTheirSamples) {
  const TempDir folder;
  write_npy(folder.file("k.npy"), random_symmetric(4, 1));
  const View kernel = only_view(folder.file("k.npy"));
  EXPECT_EQ(kernel.name, "k");
  EXPECT_EQ(kernel.kind, ViewKind::kernel);
  EXPECT_EQ(kernel.ids, (Strings{"0", "1", "2", "3"}));
  EXPECT_EQ(kernel.values, random_symmetric(4, 1));
  EXPECT_EQ(kernel.notices.at(0),
            "taken as a kernel: square, symmetric; give kind=features otherwise");
  Matrix features = random_matrix(3, 2, 2);
  features.row(1).setConstant(nan_value);
  write_npy(folder.file("f.npy"), features);
  EXPECT_EQ(only_view(folder.file("f.npy")).ids, (Strings{"0", "2"}));
  write_npy(folder.file("none.npy"), Matrix(4, 0));
  expect_contains(message([&] { only_view(folder.file("none.npy")); }), "its shape is (4, 0)");
  write_npy(folder.file("words.npy"), Strings{"a"});
  expect_contains(message([&] { only_view(folder.file("words.npy")); }), "text of shape (1,)");
}

void write_npz(const std::string& path, const std::vector<std::pair<std::string, Matrix>>& arrays,
               const std::vector<std::pair<std::string, Strings>>& words) {
  NpzWriter writer(path);
  for (const auto& [name, values] : arrays) writer.add(name, values);
  for (const auto& [name, ids] : words) writer.add(name, ids);
  writer.close();
}

TEST(ReadViews, NpzFilesHaveOneViewPerArray) {
  const TempDir folder;
  const std::string path = folder.file("all.npz");
  write_npz(path, {{"rna", random_matrix(2, 3, 1)}, {"kin", random_symmetric(3, 2)}},
            {{"samples", {"A", "B"}}, {"samples_kin", {"B", "C", "D"}}});
  const auto views = read_views(parse_view_spec(path + ",gamma=2"));
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[0].name, "rna");
  EXPECT_EQ(views[0].source, path + ":rna");
  EXPECT_EQ(views[0].ids, (Strings{"A", "B"}));
  EXPECT_EQ(views[0].values, random_matrix(2, 3, 1));
  EXPECT_EQ(views[1].ids, (Strings{"B", "C", "D"}));
  EXPECT_EQ(views[1].kind, ViewKind::kernel);
  EXPECT_EQ(views[1].kernel_options.size(), 1u);
  EXPECT_EQ(only_view(path + ":kin").name, "kin");
  EXPECT_EQ(only_view("mine=" + path + ":kin").name, "mine");
  expect_contains(message([&] { only_view(path + ":kim"); }), "did you mean 'kin'?");
  expect_contains(message([&] { read_views(parse_view_spec("x=" + path)); }),
                  "one name 'x' for 2 arrays: rna, kin");
}

TEST(ReadViews, NpzWithoutSamplesNumbersTheRows) {
  const TempDir folder;
  const std::string path = folder.file("one.npz");
  write_npz(path, {{"arr_0", random_matrix(2, 3, 1)}}, {});
  EXPECT_EQ(only_view("x=" + path).name, "x");
  EXPECT_EQ(only_view(path).ids, (Strings{"0", "1"}));
}

TEST(ReadViews, NpzIdsAreChecked) {
  const TempDir folder;
  const std::string path = folder.file("a.npz");
  const auto error_with = [&](const std::vector<std::pair<std::string, Strings>>& words) {
    write_npz(path, {{"rna", random_matrix(3, 2, 1)}}, words);
    return message([&] { only_view(path); });
  };
  expect_contains(error_with({{"samples", {"A", "B"}}}),
                  "samples has 2 ids, array 'rna' has 3 rows");
  expect_contains(error_with({{"samples_rna", {"A"}}}),
                  "samples_rna has 1 ids, array 'rna' has 3 rows");
  expect_contains(error_with({{"samples", {"A", "B", "A"}}}),
                  "id 'A' appears twice: at positions 1 and 3");
  expect_contains(error_with({{"samples", {"A", "", "C"}}}), "id 2 is empty");
  expect_contains(error_with({{"samples_rma", {"A"}}}),
                  "a view 'rma' that is not there (did you mean 'rna'?)");
  expect_contains(error_with({{"labels", {"x", "y", "z"}}}), "a.npz:labels: text of shape (3,)");
}

TEST(ReadViews, OtherFilesAreRefused) {
  const TempDir folder;
  const std::string sheet = folder.write("a.docx", "PK");
  const auto error = input_error([&] { only_view(sheet); });
  expect_contains(error.what(), "a file of this kind is not read");
  expect_contains(error.hint().text(), ".csv, .tsv and .txt (also with .gz), .npy, .npz, .mat");
  expect_contains(message([&] { only_view(folder.file("none.xlsx")); }), "no such file");
  const std::string table = folder.write("a.csv", "id,a\nP,1\n");
  expect_contains(message([&] { only_view(table + ":x"); }),
                  "a file of this kind holds no named arrays");
  const std::string fake = folder.write("fake.npy", "id,a\nP,1\n");
  expect_contains(message([&] { only_view(fake); }), "not an NPY array");
}

}  // namespace
}  // namespace mkc::io
