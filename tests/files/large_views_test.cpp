#include "files/large_views.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "files/joint_source.hpp"
#include "files/read_views.hpp"
#include "files/row_census.hpp"
#include "formats/hdf5_write.hpp"
#include "formats/npy_rows.hpp"
#include "formats/npz.hpp"
#include "formats/tables_out.hpp"
#include "support/random_matrices.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using mkc::test::random_matrix;
using mkc::test::random_permutation;
using mkc::test::random_symmetric;
using test::expect_contains;
using test::input_error;
using test::message;
using test::TempDir;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

FileNamer spool_in(const TempDir& folder) {
  return [&folder, next = 0]() mutable { return folder.file(fmt::format("spool-{}.npy", next++)); };
}

/// All rows of a source, one by one and shuffled, as the table has them.
Matrix values_of(const RowSource& source) {
  Matrix to(source.columns(), source.rows());
  const Indices order = random_permutation(source.rows(), 3);
  source.read(order, to);
  Matrix values(source.rows(), source.columns());
  for (Index i = 0; i < source.rows(); ++i) values.row(order[at(i)]) = to.col(i).transpose();
  return values;
}

/// Checks that a file gives the same tables in blocks as whole.
void expect_same_tables(const std::string& text, const TempDir& folder) {
  const ViewSpec spec = parse_view_spec(text);
  const auto whole = read_tables(spec), blocks = read_tables(spec, {}, spool_in(folder));
  ASSERT_EQ(whole.size(), blocks.size()) << text;
  for (std::size_t m = 0; m < whole.size(); ++m) {
    EXPECT_EQ(whole[m].name, blocks[m].name);
    EXPECT_EQ(whole[m].source, blocks[m].source);
    EXPECT_EQ(whole[m].row_names, blocks[m].row_names);
    EXPECT_EQ(whole[m].column_names, blocks[m].column_names);
    EXPECT_EQ(whole[m].numbered, blocks[m].numbered);
    EXPECT_EQ(whole[m].kind, blocks[m].kind);
    EXPECT_EQ(blocks[m].values.size(), 0);
    const Matrix found = values_of(*blocks[m].rows);
    ASSERT_EQ(found.rows(), whole[m].values.rows());
    ASSERT_EQ(found.cols(), whole[m].values.cols());
    for (Index i = 0; i < found.size(); ++i)
      EXPECT_TRUE(found(i) == whole[m].values(i) ||
                  (std::isnan(found(i)) && std::isnan(whole[m].values(i))));
    const Matrix some = read_rows(*blocks[m].rows, 1, 1);
    Vector segment(1);
    blocks[m].rows->read_segment(1, some.rows() - 1, 1, segment.data());
    EXPECT_TRUE(segment(0) == some(some.rows() - 1, 0) || std::isnan(segment(0)));
  }
}

void write_c_order(const std::string& path, const Matrix& values) {
  NpyRowWriter writer(path, values.cols());
  const Index half = values.rows() / 2;
  writer.add(values.topRows(half).transpose());
  writer.add(values.bottomRows(values.rows() - half).transpose());
  writer.close();
}

std::string csv_of(const Strings& ids, const Matrix& values, char delimiter = ',') {
  std::string text = "sample";
  for (Index j = 0; j < values.cols(); ++j) text += fmt::format("{}f{}", delimiter, j);
  for (Index i = 0; i < values.rows(); ++i) {
    text += "\n" + ids[at(i)];
    for (Index j = 0; j < values.cols(); ++j)
      text += std::isnan(values(i, j)) ? fmt::format("{}NA", delimiter)
                                       : fmt::format("{}{}", delimiter, values(i, j));
  }
  return text + "\n";
}

TEST(RowsInBlocks, NpyOfAnyOrderAndType) {
  const TempDir folder;
  const Matrix values = random_matrix(37, 5, 1);
  write_c_order(folder.file("c.npy"), values);
  test::write_npy(folder.file("f.npy"), values);
  EXPECT_EQ(read_npy(folder.file("c.npy")).shape, (Indices{37, 5}));
  EXPECT_EQ(take_matrix(read_npy(folder.file("c.npy")), ""), values);
  expect_same_tables(folder.file("c.npy"), folder);
  expect_same_tables(folder.file("f.npy"), folder);
  std::string floats = make_npy_header("<f4", false, {3, 2}),
              wide = make_npy_header(">i2", false, {3, 2});
  for (int i = 0; i < 6; ++i) {
    const float number = 0.5F * static_cast<float>(i);
    floats.append(reinterpret_cast<const char*>(&number), sizeof number);
    wide += {static_cast<char>(i), static_cast<char>(7 * i)};
  }
  expect_same_tables(folder.write("float.npy", floats), folder);
  expect_same_tables(folder.write("big.npy", wide), folder);
}

TEST(RowsInBlocks, IdsBesideAnNpyFile) {
  const TempDir folder;
  write_c_order(folder.file("a.npy"), random_matrix(2, 3, 1));
  folder.write("a.samples", "x\ny\n");
  expect_same_tables(folder.file("a.npy"), folder);
  EXPECT_EQ(read_tables(parse_view_spec(folder.file("a.npy")))[0].row_names, (Strings{"x", "y"}));
  folder.write("a.samples", "x\ny\nz\n");
  expect_contains(message([&] { read_tables(parse_view_spec(folder.file("a.npy"))); }),
                  "a.samples: 3 ids for " + folder.file("a.npy") + " with 2 samples");
}

TEST(RowsInBlocks, TextNpzAndHdf5) {
  const TempDir folder;
  const Matrix values = random_matrix(23, 4, 2);
  const Strings ids = [] {
    Strings all;
    for (int i = 0; i < 23; ++i) all.push_back(fmt::format("P{}", (i * 7) % 23));
    return all;
  }();
  expect_same_tables(folder.write("a.csv", csv_of(ids, values)), folder);
  expect_same_tables(folder.write("a.tsv.gz", test::gzip(csv_of(ids, values, '\t'))), folder);
  NpzWriter npz(folder.file("a.npz"));
  npz.add("rna", values);
  npz.add("protein", Matrix(2 * values));
  npz.add("samples", ids);
  npz.close();
  expect_same_tables(folder.file("a.npz"), folder);
  h5::Writer h5(folder.file("a.h5"));
  h5.matrix("views/rna/X", values);
  h5.words("views/rna/samples", ids);
  h5.matrix("views/kin/K", random_symmetric(23, 1));
  h5.close();
  expect_same_tables(folder.file("a.h5"), folder);
}

TEST(RowsInBlocks, AnnDataAndMuData) {
  const TempDir folder;
  int read = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(test::source_file("fuzz/corpus/hdf5"))) {
    const std::string name = file.path().filename().string();
    if (name.starts_with("refused") || !(name.ends_with("h5ad") || name.ends_with("h5mu")))
      continue;
    expect_same_tables(file.path().string(), folder);
    ++read;
  }
  EXPECT_GT(read, 1);
}

TEST(RowsInBlocks, DamagedFilesAreRefused) {
  const TempDir folder;
  int refused = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(test::source_file("fuzz/corpus/hdf5"))) {
    const std::string name = file.path().filename().string();
    if (!name.starts_with("refused") || name.ends_with(".mat")) continue;
    expect_contains(
        message([&] { read_tables(parse_view_spec(file.path().string()), {}, spool_in(folder)); }),
        name);
    ++refused;
  }
  EXPECT_GT(refused, 1);
  write_c_order(folder.file("a.npy"), random_matrix(9, 3, 1));
  const std::string bytes = test::read_file(folder.file("a.npy"));
  const auto read_again = [&] { NpyRows(folder.write("b.npy", bytes.substr(0, 300))); };
  expect_contains(message(read_again), "holds 172 bytes of data, shape (9, 3)");
  expect_contains(message([&] {
                    read_tables(parse_view_spec(folder.write("a.csv", "id,a\nx,1\ny,2,3\n")), {},
                                spool_in(folder));
                  }),
                  "a.csv, line 3: row 'y' has 2 values");
  expect_contains(message([&] {
                    read_tables(parse_view_spec(folder.write("w.csv", "id,a\nx,1\ny,red\n")), {},
                                spool_in(folder));
                  }),
                  "line 3, column 'a': 'red' is not a number");
}

TEST(RowsInBlocks, AFileThatBecomesShorterIsAnError) {
  const TempDir folder;
  write_c_order(folder.file("a.npy"), random_matrix(9, 3, 1));
  const NpyRows rows(folder.file("a.npy"));
  std::filesystem::resize_file(folder.file("a.npy"), 200);
  expect_contains(message([&] { read_rows(rows, 0, 9); }), "the file became shorter");
}

TEST(LargeViews, AlignAsViewsInMemoryDo) {
  const TempDir folder;
  const Index n = 60;
  Strings specs;
  for (int m = 0; m < 4; ++m) {
    const Matrix X = random_matrix(n, 3 + m, static_cast<std::uint64_t>(m) + 1);
    Matrix values(n, X.cols());
    Strings ids;
    for (const Index i : random_permutation(n, static_cast<std::uint64_t>(m) + 9)) {
      if ((i + m) % 5 == 0) continue;
      values.row(std::ssize(ids)) = X.row(i);
      if ((i + m) % 7 == 0) values.row(std::ssize(ids)).setConstant(nan);
      ids.push_back(fmt::format("s{}", i));
    }
    values.conservativeResize(std::ssize(ids), Eigen::NoChange);
    std::string path;
    if (m == 0) path = folder.write("a.csv", csv_of(ids, values));
    if (m == 1) {
      write_c_order(path = folder.file("b.npy"), values);
      std::string list;
      for (const auto& id : ids) list += id + "\n";
      folder.write("b.samples", list);
    }
    if (m == 2) {
      NpzWriter npz(path = folder.file("c.npz"));
      npz.add("c", values);
      npz.add("samples", ids);
      npz.close();
    }
    if (m == 3) {
      h5::Writer h5(path = folder.file("d.h5"));
      h5.matrix("views/d/X", values);
      h5.words("views/d/samples", ids);
      h5.close();
    }
    specs.push_back(path);
  }
  std::vector<ViewSpec> parsed;
  for (const auto& spec : specs) parsed.push_back(parse_view_spec(spec));
  ReadViews slow = read_all_views(parsed, {});
  std::vector<View> views = slow.views;
  LargeViews fast = read_large_views(parsed, {}, spool_in(folder), 2);
  LargeViews moved = large_views(std::move(slow), NaPolicy::error);
  for (auto* large : {&fast, &moved}) {
    std::vector<View> shells;
    for (const auto& one : large->views) shells.push_back(one.view);
    const Alignment alignment = align_samples(shells, {});
    const Alignment expected = align_samples(views, {});
    EXPECT_EQ(alignment.samples, expected.samples);
    EXPECT_TRUE((alignment.observed == expected.observed).all());
    const JointSource source(std::move(large->views), alignment, NaPolicy::error);
    for (Index m = 0; m < 4; ++m) {
      Matrix X, columns;
      factor::Presence has, again;
      source.read(m, 11, 30, X, has);
      source.presence(m, 11, 30, again);
      EXPECT_TRUE((has == again).all());
      source.read_columns(m, 11, 30, {0, 2}, columns, again);
      for (Index i = 0; i < 30; ++i) {
        const std::string id = source.sample(11 + i);
        const auto& ids = views[at(m)].ids;
        const auto place = std::find(ids.begin(), ids.end(), id);
        EXPECT_EQ(has(i), place != ids.end());
        if (!has(i)) continue;
        EXPECT_EQ(X.row(i), views[at(m)].values.row(place - ids.begin()));
        EXPECT_EQ(columns(i, 1), X(i, 2));
      }
    }
  }
}

TEST(LargeViews, KernelsHaveTheirColumnsInTheOrderOfSamples) {
  const TempDir folder;
  const Index n = 12;
  Matrix K = random_symmetric(n, 5);
  K.row(4).setConstant(nan);
  K.col(4).setConstant(nan);
  write_c_order(folder.file("k.npy"), K);
  std::string ids;
  for (Index i = 0; i < n; ++i) ids += fmt::format("s{}\n", n - 1 - i);
  folder.write("k.samples", ids);
  Strings names;
  for (Index i = 0; i < n; ++i) names.push_back(fmt::format("s{}", i));
  const std::string table = folder.write("a.csv", csv_of(names, random_matrix(n, 2, 1)));
  LargeViews large = read_large_views(
      {parse_view_spec(table), parse_view_spec(folder.file("k.npy"))}, {}, spool_in(folder), 1);
  EXPECT_EQ(large.views[1].kind, ViewKind::kernel);
  std::vector<View> shells;
  for (const auto& one : large.views) shells.push_back(one.view);
  const JointSource source(std::move(large.views), align_samples(shells, {}), NaPolicy::error);
  EXPECT_EQ(source.views()[1].kernel.kernel, KernelKind::precomputed);
  EXPECT_EQ(source.views()[1].columns, n);
  Matrix X, columns;
  factor::Presence has;
  source.read(1, 0, n, X, has);
  source.read_columns(1, 2, 7, {1, 7, 9}, columns, has);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const double expected = K(n - 1 - i, n - 1 - j);
      EXPECT_TRUE(X(i, j) == expected || (std::isnan(X(i, j)) && std::isnan(expected)));
    }
  for (Index i = 0; i < 7; ++i) {
    if (!has(i)) continue;
    EXPECT_EQ(columns(i, 0), X(2 + i, 1));
    EXPECT_TRUE(std::isnan(columns(i, 1)));  // sample 7 is row 4 of the file, which it lacks
    EXPECT_EQ(columns(i, 2), X(2 + i, 9));
  }
}

TEST(LargeViews, RowsOfZerosAndCellsWithoutValue) {
  const TempDir folder;
  Matrix values = random_matrix(50, 6, 4);
  values.row(7).setZero();
  write_c_order(folder.file("a.npy"), values);
  const auto read = [&](const std::string& options) {
    return read_large_views({parse_view_spec(folder.file("a.npy") + options)}, {}, spool_in(folder),
                            2)
        .views[0];
  };
  EXPECT_EQ(read("").view.ids.size(), 49u);
  EXPECT_EQ(read("").view.zero_rows, "missing");
  EXPECT_EQ(read(",zero_rows=values").view.ids.size(), 50u);
  values(3, 2) = nan;
  write_c_order(folder.file("a.npy"), values);
  expect_contains(message([&] { read(""); }),
                  "1 of 6 columns have cells without a value, the first is sample '3', column 2");
  EXPECT_EQ(read(",na_features=drop").columns, (Indices{0, 1, 3, 4, 5}));
  EXPECT_TRUE(read(",na_features=mean").columns.empty());
  values(5, 1) = std::numeric_limits<double>::infinity();
  write_c_order(folder.file("a.npy"), values);
  expect_contains(message([&] { read(""); }),
                  "sample '5', column 1 (counted from 0): inf is too large");
}

TEST(RowCensus, IsThatOfTheDefinitionOnAnyNumberOfThreads) {
  Matrix values = random_matrix(40, 3, 8);
  values.row(3).setZero();
  values.row(9).setConstant(nan);
  values.row(12) << nan, 0, 0;
  values.row(13) << nan, 1, 0;
  for (const int threads : {1, 3}) {
    const RowCensus census = census_of(MatrixRows(values), threads);
    ASSERT_EQ(census.rows.size(), 40u);
    for (Index i = 0; i < 40; ++i)
      EXPECT_EQ(census.rows[at(i)], i == 9              ? RowCensus::Row::missing
                                    : i == 3 || i == 12 ? RowCensus::Row::zeros
                                                        : RowCensus::Row::values);
    EXPECT_EQ(census.cells_without_value, (Indices{2, 0, 0}));
    EXPECT_EQ(census.first_without_value->row, 12);
    EXPECT_FALSE(census.too_large);
  }
}

}  // namespace
}  // namespace mkc::io
