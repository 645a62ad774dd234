#include "formats/mat.hpp"

#include <zlib.h>

#include <cmath>
#include <cstring>

#include "files/mat_views.hpp"
#include "formats/mat_writer.hpp"
#include "support/random_matrices.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using mkc::test::random_matrix;
using mkc::test::random_symmetric;
using test::expect_contains;
using test::input_error;
using test::message;
using test::read_file;
using test::TempDir;

// Elements written by hand from the description of the format, without the code under test.
std::string little(std::uint32_t number) {
  return {reinterpret_cast<const char*>(&number), sizeof(number)};
}

std::string element(std::uint32_t type, std::string data) {
  const auto size = static_cast<std::uint32_t>(data.size());
  data.resize((data.size() + 7) / 8 * 8);
  return little(type) + little(size) + data;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string array(std::uint32_t flags, const std::vector<std::int32_t>& shape,
                  const std::string& name, const std::string& content) {
  return element(14, element(6, little(flags) + little(0)) + element(5, bytes_of(shape)) +
                         element(1, name) + content);
}

std::string header() {
  std::string text = "MATLAB 5.0 MAT-file, made by hand";
  text.resize(124, ' ');
  return text + std::string("\0\1IM", 4);
}

std::string compressed(const std::string& data) {
  std::string packed(compressBound(data.size()), '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(data.data()), data.size());
  packed.resize(size);
  return little(15) + little(static_cast<std::uint32_t>(size)) + packed;
}

const std::string small = array(6, {2, 3}, "a", element(9, bytes_of<double>({1, 2, 3, 4, 5, 6})));

MatVariables parsed(const std::string& elements) {
  return parse_mat5(header() + elements, "x.mat");
}

std::string error_in(const std::string& elements) {
  return message([&] { parsed(elements); });
}

TEST(Mat5, MatricesOfNumbersOfAnyType) {
  const auto variables =
      parsed(small + array(6, {2, 2}, "bytes", element(2, bytes_of<std::uint8_t>({1, 255, 3, 4}))) +
             array(9 | 0x200, {1, 2}, "logical", element(2, bytes_of<std::uint8_t>({1, 0}))) +
             array(7, {1, 2}, "single", element(7, bytes_of<float>({0.5f, -2}))) +
             array(14, {1, 1}, "wide", element(12, bytes_of<std::int64_t>({-7}))));
  ASSERT_EQ(variables.size(), 5u);
  EXPECT_EQ(variables[0].first, "a");
  EXPECT_EQ(variables[0].second.shape, (Indices{2, 3}));
  EXPECT_EQ(variables[0].second.values, (Matrix(2, 3) << 1, 3, 5, 2, 4, 6).finished());
  EXPECT_EQ(variables[1].second.values, (Matrix(2, 2) << 1, 3, 255, 4).finished());
  EXPECT_EQ(variables[2].second.values, (Matrix(1, 2) << 1, 0).finished());
  EXPECT_EQ(variables[3].second.values, (Matrix(1, 2) << 0.5, -2).finished());
  EXPECT_EQ(variables[4].second.values(0, 0), -7);
}

TEST(Mat5, SmallElementsCompressionCellsTextAndSparse) {
  // A short element holds its data in the second half of its tag.
  const std::string short_name = little((1u << 16) | 1) + std::string("b\0\0\0", 4);
  const std::string by_hand =
      element(14, element(6, little(6) + little(0)) + element(5, bytes_of<std::int32_t>({1, 1})) +
                      short_name + element(9, bytes_of<double>({8})));
  const std::string text =
      array(4, {2, 2}, "", element(4, bytes_of<std::uint16_t>({'a', 'c', 'b', ' '})));
  const std::string cell =
      array(1, {1, 3}, "c",
            text + array(6, {1, 1}, "", element(9, bytes_of<double>({2}))) + element(14, ""));
  const std::string sparse = array(5, {3, 2}, "s",
                                   element(5, bytes_of<std::int32_t>({2, 0})) +
                                       element(5, bytes_of<std::int32_t>({0, 1, 2})) +
                                       element(9, bytes_of<double>({5, 7})));
  const auto variables = parsed(compressed(by_hand) + compressed(cell) + sparse);
  ASSERT_EQ(variables.size(), 3u);
  EXPECT_EQ(variables[0].first, "b");
  EXPECT_EQ(variables[0].second.values(0, 0), 8);
  ASSERT_EQ(variables[1].second.cells.size(), 3u);
  EXPECT_EQ(variables[1].second.cells[0].text, (Strings{"ab", "c"}));
  EXPECT_EQ(variables[1].second.cells[1].values(0, 0), 2);
  EXPECT_EQ(variables[1].second.cells[2].shape, (Indices{0, 0}));
  EXPECT_EQ(variables[2].second.values, (Matrix(3, 2) << 0, 7, 0, 0, 5, 0).finished());
}

TEST(Mat5, StructsAreSkipped) {
  const auto variables = parsed(array(2, {1, 1}, "s", element(5, little(8))) + small);
  ASSERT_EQ(variables.size(), 2u);
  EXPECT_EQ(variables[0].second.type, MatArray::Type::other);
}

TEST(Mat5, ErrorsNameTheByte) {
  expect_contains(message([] { parse_mat5("id,a\n", "x.mat"); }), "not a MATLAB file");
  std::string big_endian = header();
  std::swap(big_endian[126], big_endian[127]);
  expect_contains(message([&] { parse_mat5(big_endian, "x.mat"); }), "big-endian");
  EXPECT_EQ(error_in(small.substr(0, small.size() - 8)),
            "x.mat, byte 136: data of 104 bytes, but 96 are left");
  expect_contains(error_in("abc"), "x.mat, byte 128: a tag of 8 bytes, but 3 are left");
  const std::string ten_values = element(9, bytes_of<double>(std::vector<double>(10, 1)));
  expect_contains(error_in(array(6, {3, 3}, "a", ten_values)), "80 bytes for 9 numbers of 8 bytes");
  expect_contains(error_in(array(6, {-1, 3}, "a", ten_values)), "a dimension of -1");
  expect_contains(error_in(array(6 | 0x800, {10, 1}, "a", ten_values)), "complex numbers");
  expect_contains(error_in(array(1, {1000000000, 1}, "a", "")), "1000000000 cells in 0 bytes");
}

TEST(Mat5, ImpossibleSizesTakeNoMemory) {
  const std::int32_t most = 2147483647;
  const std::string value = element(9, bytes_of<double>({1}));
  expect_contains(error_in(array(6, {most, 1}, "a", value)),
                  "8 bytes for 2147483647 numbers of 8 bytes");
  expect_contains(error_in(array(6, {most, most, most}, "a", value)), "an array of");
  const std::string entry =
      element(5, bytes_of<std::int32_t>({0})) + element(5, bytes_of<std::int32_t>({0, 1})) + value;
  expect_contains(error_in(array(5, {most, 1}, "a", entry)), "with 1 entries only");
  std::string bomb = compressed(array(6, {1, 1}, "a", value));
  std::string lie = little(14) + little(0x7fffffff);
  expect_contains(error_in(compressed(lie)), "claims a variable of 2147483647 bytes");
  bomb[20] = static_cast<char>(bomb[20] ^ 0x55);
  expect_contains(error_in(bomb), "is damaged");
}

TEST(Mat5, SparseIndicesAreChecked) {
  const auto sparse = [](const std::vector<std::int32_t>& rows,
                         const std::vector<std::int32_t>& starts) {
    return array(5, {3, 2}, "s",
                 element(5, bytes_of(rows)) + element(5, bytes_of(starts)) +
                     element(9, bytes_of<double>({5, 7})));
  };
  expect_contains(error_in(sparse({3, 0}, {0, 1, 2})), "an entry in row 3 of 3");
  expect_contains(error_in(sparse({-1, 0}, {0, 1, 2})), "an entry in row -1 of 3");
  expect_contains(error_in(sparse({0, 0}, {0, 2, 1})), "column 1 has entries 2 to 1 of 2");
  expect_contains(error_in(sparse({0, 0}, {0, 1, 3})), "column 1 has entries 1 to 3 of 2");
  expect_contains(error_in(sparse({0, 0}, {0, 1})), "2 column starts for a sparse matrix of 3 x 2");
}

TEST(Mat5, WrittenVariablesReadBack) {
  const TempDir folder;
  const std::string path = folder.file("a.mat");
  const std::vector<Matrix> slices = {random_matrix(3, 3, 1), random_matrix(3, 3, 2)};
  const std::vector<Matrix> cells = {random_matrix(3, 2, 3), random_matrix(3, 5, 4)};
  for (int i = 0; i < 2; ++i) {
    MatWriter file(folder.file(i == 0 ? "a.mat" : "again.mat"));
    file.add("m", slices[0]);
    file.add_stack("K", slices);
    file.add_cells("X", cells);
    file.add_words("samples", {"P-1", "Zoë", ""});
    file.close();
  }
  EXPECT_EQ(read_file(path), read_file(folder.file("again.mat")));
  const auto variables = parse_mat5(read_file(path), path);
  ASSERT_EQ(variables.size(), 4u);
  EXPECT_EQ(variables[0].second.values, slices[0]);
  EXPECT_EQ(variables[1].second.shape, (Indices{3, 3, 2}));
  EXPECT_EQ(variables[1].second.values.rightCols(3), slices[1]);
  EXPECT_EQ(variables[2].second.cells[1].values, cells[1]);
  EXPECT_EQ(variables[3].second.cells[1].text, Strings{"Zoë"});
  EXPECT_TRUE(variables[3].second.cells[2].text.empty());
}

MatArray numbers(const Matrix& values, Indices shape = {}) {
  if (shape.empty()) shape = {values.rows(), values.cols()};
  return {MatArray::Type::numbers, shape, values, {}, {}};
}

MatArray list(const std::vector<Matrix>& matrices) {
  MatArray cells{MatArray::Type::cells, {1, static_cast<Index>(matrices.size())}, {}, {}, {}};
  for (const auto& matrix : matrices) cells.cells.push_back(numbers(matrix));
  return cells;
}

MatArray words(const Strings& texts) {
  MatArray cells{MatArray::Type::cells, {static_cast<Index>(texts.size()), 1}, {}, {}, {}};
  for (const auto& text : texts)
    cells.cells.push_back({MatArray::Type::text, {1, 1}, {}, {text}, {}});
  return cells;
}

std::vector<View> views_of(const std::string& spec, const MatVariables& variables) {
  std::vector<View> views;
  for (auto& table : tables_of_mat(parse_view_spec(spec), variables))
    views.push_back(to_view(std::move(table)).view);
  return views;
}

std::vector<View> views_in(const MatVariables& variables, const std::string& options = "") {
  return views_of("x.mat" + options, variables);
}

MatArray two_kernels() {
  Matrix both(3, 6);
  both << random_symmetric(3, 1), random_symmetric(3, 2);
  return numbers(both, {3, 3, 2});
}

TEST(MatViews, TheLayoutOfThePaper) {
  Matrix mask(3, 2);
  mask << 1, 1, 0, 1, 1, 1;
  const auto views = views_in(
      {{"IDtr", numbers(random_matrix(2, 2, 1))}, {"K", two_kernels()}, {"MID", numbers(mask)}});
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[0].name, "view1");
  EXPECT_EQ(views[0].source, "x.mat:K");
  EXPECT_EQ(views[0].kind, ViewKind::kernel);
  EXPECT_EQ(views[0].ids, (Strings{"0", "2"}));
  EXPECT_EQ(views[0].all_ids, (Strings{"0", "1", "2"}));
  const Matrix K = random_symmetric(3, 1);
  EXPECT_EQ(views[0].values, (Matrix(2, 2) << K(0, 0), K(0, 2), K(2, 0), K(2, 2)).finished());
  EXPECT_EQ(views[1].values, random_symmetric(3, 2));
  const auto one = views_in({{"K", two_kernels()}}, ":view2");
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].values, random_symmetric(3, 2));
}

TEST(MatViews, HiddenValuesOfAKernelMayBeAnything) {
  MatArray K = two_kernels();
  K.values.row(1).setConstant(std::nan(""));
  K.values(2, 1) = 1e300;
  Matrix mask = Matrix::Ones(3, 2);
  mask.row(1).setZero();
  EXPECT_EQ(views_in({{"K", K}, {"MID", numbers(mask)}})[0].ids, (Strings{"0", "2"}));
}

TEST(MatViews, CellArraysOfFeatures) {
  const std::vector<Matrix> matrices = {random_matrix(4, 2, 1), random_matrix(4, 3, 2)};
  const MatVariables variables = {{"Y", numbers(random_matrix(4, 1, 1))}, {"X", list(matrices)}};
  const auto views = views_in(variables);
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[1].name, "view2");
  EXPECT_EQ(views[1].kind, ViewKind::features);
  EXPECT_EQ(views[1].values, matrices[1]);
  MatVariables named = variables;
  named.push_back({"samples", words({"a", "b", "c", "d"})});
  named.push_back({"views", words({"rna", "kin"})});
  EXPECT_EQ(views_in(named)[1].name, "kin");
  EXPECT_EQ(views_in(named)[1].ids, (Strings{"a", "b", "c", "d"}));
  const auto chosen = views_of("mine=x.mat:kin,kernel=linear", named);
  ASSERT_EQ(chosen.size(), 1u);
  EXPECT_EQ(chosen[0].name, "mine");
  EXPECT_EQ(chosen[0].values, matrices[1]);
  EXPECT_EQ(views_of("lang=x.mat", variables)[1].name, "lang2");
}

TEST(MatViews, SamplesInColumnsAreRecognised) {
  const std::vector<Matrix> matrices = {random_matrix(2, 4, 1), random_matrix(3, 4, 2)};
  const auto views = views_in({{"X", list(matrices)}});
  EXPECT_EQ(views[0].values, matrices[0].transpose());
  expect_contains(views[0].notices.at(0), "samples are taken from the columns");
  // Same shapes: the labels decide.
  const std::vector<Matrix> same = {random_matrix(2, 4, 1), random_matrix(2, 4, 2)};
  EXPECT_EQ(views_in({{"X", list(same)}})[0].values.rows(), 2);
  EXPECT_EQ(views_in({{"X", list(same)}, {"gt", numbers(random_matrix(1, 4, 1))}})[0].values.rows(),
            4);
  expect_contains(
      message([&] { views_in({{"X", list({random_matrix(2, 4, 1), random_matrix(3, 5, 2)})}}); }),
      "the first cell has 2 rows, view2 has 3");
}

TEST(MatViews, PlainMatricesAreViewsUnderTheirNames) {
  const MatVariables variables = {{"rna", numbers(random_matrix(3, 2, 1))},
                                  {"y", numbers(random_matrix(3, 1, 2))},
                                  {"kin", numbers(random_symmetric(3, 3))}};
  const auto views = views_in(variables);
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[1].name, "kin");
  EXPECT_EQ(views[1].kind, ViewKind::kernel);
  EXPECT_EQ(views_in(variables, ":y").at(0).values.cols(), 1);
  expect_contains(message([&] { views_in(variables, ":rma"); }), "did you mean 'rna'?");
  expect_contains(message([&] { views_of("a=x.mat", variables); }), "one name 'a' for 2 matrices");
  expect_contains(message([&] { views_in({{"y", numbers(random_matrix(3, 1, 2))}}); }),
                  "no view found; the file holds y 3 x 1");
}

TEST(MatViews, MasksAndNamesMustMatchTheViews) {
  expect_contains(
      message([&] { views_in({{"K", two_kernels()}, {"MID", numbers(Matrix::Ones(2, 2))}}); }),
      "x.mat:MID: 2 x 2 found, 3 samples x 2 views needed");
  expect_contains(message([&] {
                    views_in({{"K", two_kernels()}, {"MID", numbers(Matrix::Constant(3, 2, 2))}});
                  }),
                  "x.mat:MID: row 1, column 1: 2 is not 0 or 1");
  expect_contains(
      message([&] { views_in({{"K", two_kernels()}, {"samples", words({"a", "b"})}}); }),
      "3 names are needed, found 2 names");
  expect_contains(
      message([&] { views_in({{"K", two_kernels()}, {"samples", words({"a", "b", "a"})}}); }),
      "id 'a' appears twice: at positions 1 and 3");
}

TEST(MatViews, CompletedKernelsAreNotHiddenAgain) {
  const auto views = views_in({{"PredK", two_kernels()},
                               {"S", numbers(random_matrix(2, 2, 1))},
                               {"MID", numbers(Matrix::Zero(3, 2))}});
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[0].ids.size(), 3u);
}

TEST(MatMask, RowsAndColumnsAreNamedByPosition) {
  Matrix values(3, 2);
  values << 1, 0, 1, 1, 0, 1;
  MaskTable mask = mask_of_mat("m.mat", {{"MID", numbers(values)}});
  EXPECT_TRUE(mask.samples.empty());
  const auto views = views_in({{"K", two_kernels()}});
  name_mask(mask, views);
  EXPECT_EQ(mask.samples, (Strings{"0", "1", "2"}));
  EXPECT_EQ(mask.views, (Strings{"view1", "view2"}));
  EXPECT_EQ(mask.observed.cast<double>().matrix(), values);
  MaskTable short_mask = mask_of_mat("m.mat", {{"MID", numbers(values.topRows(2))}});
  expect_contains(message([&] { name_mask(short_mask, views); }),
                  "2 rows without names, view 'view1' has 3 samples");
  MaskTable wide = mask_of_mat("m.mat", {{"MID", numbers(Matrix::Ones(3, 3))}});
  expect_contains(message([&] { name_mask(wide, views); }), "3 columns without names, there are 2");
  expect_contains(
      message([&] { mask_of_mat("m.mat", {{"MID", numbers(Matrix::Constant(2, 2, 0.5))}}); }),
      "0.5 is not 0 or 1");
}

}  // namespace
}  // namespace mkc::io
