#include <cmath>
#include <csignal>

#include <fmt/format.h>

#include "files/hdf5_guard.hpp"
#include "files/mask.hpp"
#include "files/read_views.hpp"
#include "files/views_out.hpp"
#include "formats/hdf5_write.hpp"
#include "support/random_matrices.hpp"
#include "support/view_files.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace mkc::io {
namespace {

using mkc::test::random_matrix;
using mkc::test::random_symmetric;
using test::expect_contains;
using test::input_error;
using test::message;
using test::read_file;
using test::TempDir;

std::vector<View> views_in(const std::string& text) { return read_views(parse_view_spec(text)); }

/// A seed of the fuzzers, written by h5py, anndata or mudata (fuzz/make_corpus.py).
std::string seed(const std::string& name) {
  return test::source_file("fuzz/corpus/hdf5/" + name).string();
}

const Matrix counts = (Matrix(4, 3) << 0, 2, 0, 1, 0, 0, 0, 0, 3, 0, 5, 0).finished();
const Strings people = {"P-1", "P-2", "P-3", "Zoë"};

TEST(Hdf5Views, TheDocumentedLayout) {
  const TempDir folder;
  const std::string path = folder.file("a.h5");
  {
    h5::Writer file(path);
    file.group("views");
    file.attribute("views", "order", Strings{"rna", "kin"});
    file.matrix("views/kin/K", random_symmetric(3, 1));
    file.matrix("views/rna/X", random_matrix(2, 4, 2));
    file.words("views/rna/samples", {"b", "c"});
    file.words("views/rna/features", {"f1", "f2", "f3", "f4"});
    file.words("samples", {"a", "b", "c"});
    file.close();
  }
  const auto views = views_in(path + ",gamma=2");
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[0].name, "rna");
  EXPECT_EQ(views[0].source, path + ":views/rna");
  EXPECT_EQ(views[0].values, random_matrix(2, 4, 2));
  EXPECT_EQ(views[0].ids, (Strings{"b", "c"}));
  EXPECT_EQ(views[0].feature_names, (Strings{"f1", "f2", "f3", "f4"}));
  EXPECT_EQ(views[0].kernel_options.size(), 1u);
  EXPECT_EQ(views[1].kind, ViewKind::kernel);
  EXPECT_EQ(views[1].ids, (Strings{"a", "b", "c"}));
  EXPECT_EQ(views[1].values, random_symmetric(3, 1));
  EXPECT_EQ(views_in("own=" + path + ":kin").at(0).name, "own");
  expect_contains(message([&] { views_in(path + ":kim"); }), "did you mean 'kin'?");
  expect_contains(message([&] { views_in("own=" + path); }),
                  "one name 'own' for 2 views: rna, kin");
}

TEST(Hdf5Views, PlainMatricesAsInAnNpzFile) {
  const TempDir folder;
  const std::string path = folder.file("a.hdf5");
  {
    h5::Writer file(path);
    file.matrix("rna", random_matrix(2, 3, 1));
    file.words("samples", {"a", "b"});
    file.close();
  }
  const View view = views_in(path).at(0);
  EXPECT_EQ(view.name, "rna");
  EXPECT_EQ(view.ids, (Strings{"a", "b"}));
  EXPECT_EQ(view.values, random_matrix(2, 3, 1));
}

TEST(Hdf5Views, WrongLayoutsAreRefused) {
  const TempDir folder;
  const auto error_with = [&](const std::function<void(h5::Writer&)>& fill) {
    const std::string path = folder.file("a.h5");
    h5::Writer file(path);
    fill(file);
    file.close();
    return message([&] { views_in(path); });
  };
  expect_contains(
      error_with([](h5::Writer& file) { file.matrix("views/a/K", random_matrix(2, 3, 1)); }),
      "a kernel is square, found 2 rows and 3 columns");
  expect_contains(error_with([](h5::Writer& file) {
                    file.matrix("views/a/X", random_matrix(2, 3, 1));
                    file.words("views/a/samples", {"a"});
                  }),
                  "a.h5:views/a/samples: 1 ids for 2 rows");
  expect_contains(error_with([](h5::Writer& file) { file.words("views/a/samples", {"a"}); }),
                  "views/a: holds neither X nor K");
  expect_contains(error_with([](h5::Writer& file) { file.words("views/a/X", {"a"}); }),
                  "views/a/X: numbers are needed here");
  expect_contains(error_with([](h5::Writer& file) { file.words("words", {"a"}); }),
                  "no view found");
  expect_contains(error_with([](h5::Writer& file) { file.matrix("views/a/X", Matrix(3, 0)); }),
                  "has no values, its shape is (3, 0)");
}

TEST(Hdf5Views, OtherFilesAreRefused) {
  const TempDir folder;
  expect_contains(message([&] { views_in(folder.write("a.h5", "id,a\nP,1\n")); }),
                  "not a complete HDF5 file");
  const std::string whole = read_file(seed("views.h5"));
  expect_contains(
      message([&] { views_in(folder.write("b.h5", whole.substr(0, whole.size() / 2))); }),
      "b.h5: not a complete HDF5 file");
  expect_contains(message([&] { views_in(folder.file("none.h5")); }), "no such file");
}

TEST(Hdf5Views, AnnDataDenseAndSparse) {
  const View csr = views_in(seed("csr.h5ad")).at(0), csc = views_in(seed("csc.h5ad")).at(0);
  EXPECT_EQ(csr.name, "csr");
  EXPECT_EQ(csr.kind, ViewKind::features);
  EXPECT_EQ(csr.values, counts);
  EXPECT_EQ(csc.values, counts);
  EXPECT_EQ(csr.ids, people);
  EXPECT_EQ(csr.feature_names, (Strings{"f1", "f2", "f3"}));
  const View dense = views_in(seed("dense.h5ad")).at(0);
  EXPECT_EQ(dense.values.cols(), 3);
  const View kernel = views_in(seed("dense.h5ad") + ":obsp/kernel").at(0);
  EXPECT_EQ(kernel.name, "kernel");
  EXPECT_EQ(kernel.kind, ViewKind::kernel);
  EXPECT_EQ(kernel.ids, people);
}

TEST(Hdf5Views, MuDataKeepsTheSamplesOfEachModality) {
  const auto views = views_in(seed("two.h5mu"));
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[0].name, "rna");
  EXPECT_EQ(views[0].ids, people);
  EXPECT_EQ(views[1].name, "prot");
  EXPECT_EQ(views[1].ids, (Strings{"P-3", "new", "P-1"}));
  EXPECT_EQ(views[1].values, counts.bottomRows(3));
  EXPECT_EQ(views_in(seed("two.h5mu") + ":prot").at(0).name, "prot");
  expect_contains(message([&] { views_in(seed("two.h5mu") + ":atac"); }),
                  "there is no view 'atac'");
}

TEST(Hdf5Views, Matlab73) {
  const auto kernels = views_in(seed("v73.mat"));
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].kind, ViewKind::kernel);
  EXPECT_EQ(kernels[0].ids, (Strings{"P-1", "P-3", "Zoë"}));  // MID hides P-2
  EXPECT_EQ(kernels[0].all_ids, people);
  EXPECT_EQ(views_in(seed("v73.mat") + ":counts").at(0).values, counts);
  EXPECT_EQ(views_in(seed("v73.mat") + ":X").at(1).values.cols(), 2);
  const MaskTable mask = read_mask(seed("v73.mat"));
  EXPECT_EQ(mask.samples, people);
  EXPECT_EQ(mask.observed.cast<double>().matrix().sum(), 6);
}

// Found by damaging seeds: HDF5 1.10.8 follows the index of a text out of its heap.
TEST(Hdf5Views, RegressionHeapIndexIsRefused) {
  const std::string path = seed("refused-heap-index.h5ad");
  expect_contains(message([&] { views_in(path); }), path);
}

// Found by damaging seeds: a text that claims gigabytes, which the library took.
TEST(Hdf5Views, RegressionLongTextIsRefused) {
  const std::string path = seed("refused-long-text.h5ad");
  expect_contains(message([&] { views_in(path); }), path);
}

// Found by fuzzing: HDF5 1.10.8 copies as many bytes out of its heap as a text claims.
TEST(Hdf5Views, RegressionHeapSizeIsRefused) {
  const std::string path = seed("refused-heap-size.h5mu");
  expect_contains(message([&] { views_in(path); }), path);
}

// Found by comparing blocks with whole tables: one bit makes packed blocks larger than they are,
// and HDF5 1.10.8 fills them with what was in memory.
TEST(Hdf5Views, RegressionSizeOfPackedBlocksIsChecked) {
  const std::string path = seed("refused-chunk-size.h5");
  expect_contains(message([&] { views_in(path); }),
                  path + ":views/rna/X: its packed blocks are smaller than the file says");
}

TEST(Hdf5Guard, MoreMemoryThanTheFileCanNeedIsRefused) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer has no limit on its memory";
#endif
  const TempDir folder;
  const std::string path = folder.write("a.h5", "x");
  expect_contains(message([&] {
                    read_in_child(path, [](const TableSink& sink) {
                      RawTable table;
                      table.values = Matrix::Zero(1 << 14, 1 << 13);  // 1 GiB
                      sink(std::move(table));
                    });
                  }),
                  "more memory than a file of its size can need");
}

TEST(Hdf5Guard, ACrashIsAnInputError) {
  const TempDir folder;
  const std::string path = folder.write("a.h5", "x");
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE})
    EXPECT_EQ(message([&] { read_in_child(path, [&](const TableSink&) { std::raise(signal); }); }),
              fmt::format("{}: the HDF5 library crashed (signal {}) on this file", path, signal));
  // Also after the first view.
  expect_contains(message([&] {
                    read_in_child(path, [&](const TableSink& sink) {
                      sink(RawTable());
                      std::raise(SIGSEGV);
                    });
                  }),
                  "crashed");
}

TEST(Hdf5Guard, ErrorsArePassedOn) {
  const TempDir folder;
  const std::string path = folder.write("a.h5", "x");
  const auto error = input_error(
      [&] { read_in_child(path, [](const TableSink&) { throw InputError("what", "hint"); }); });
  EXPECT_STREQ(error.what(), "what");
  EXPECT_EQ(error.hint().text(), "hint");
  EXPECT_THROW(read_in_child(path, [](const TableSink&) { throw std::runtime_error("x"); }),
               std::runtime_error);
}

View made_view(const std::string& name, Strings ids, const Matrix& values, ViewKind kind) {
  View view;
  view.name = name;
  view.ids = view.all_ids = std::move(ids);
  view.values = values;
  view.kind = kind;
  if (kind == ViewKind::features)
    for (Index j = 0; j < values.cols(); ++j)
      view.feature_names.push_back(name + std::to_string(j));
  return view;
}

TEST(WriteViews, EveryFormatReadsBackToTheSame) {
  Matrix features = random_matrix(3, 2, 1);
  features(1, 0) = std::nan("");
  const std::vector<View> views = {
      made_view("rna", {"a", "b", "Zoë"}, features, ViewKind::features),
      made_view("kin", {"d", "b"}, random_symmetric(2, 2), ViewKind::kernel)};
  const TempDir folder;
  for (const char* name : {"x.npz", "x.h5", "x.h5mu", "x.mat"}) {
    const std::string path = folder.file(name);
    write_views(path, path, output_format(path), views);
    const std::string first = read_file(path);
    write_views(path, path, output_format(path), views);
    EXPECT_EQ(first, read_file(path)) << name;
    const auto again = views_in(path);
    ASSERT_EQ(again.size(), 2u) << name;
    for (std::size_t m = 0; m < 2; ++m) {
      EXPECT_EQ(again[m].name, views[m].name) << name;
      EXPECT_EQ(again[m].kind, views[m].kind) << name;
      // A MATLAB file lists the samples of all views in one order.
      if (std::string(name) == "x.mat" && m == 1) {
        EXPECT_EQ(again[m].ids, (Strings{"b", "d"}));
        EXPECT_EQ(again[m].values, views[m].values.reverse());
        continue;
      }
      EXPECT_EQ(again[m].ids, views[m].ids) << name;
      EXPECT_TRUE(again[m].values.cwiseEqual(views[m].values).count() ==
                  views[m].values.size() - (m == 0 ? 1 : 0))
          << name;
    }
  }
}

TEST(WriteViews, OneViewAsATableOrAnnData) {
  const TempDir folder;
  const std::vector<View> features = {
      made_view("x", {"a", "b"}, random_matrix(2, 3, 1), ViewKind::features)};
  const std::vector<View> kernel = {
      made_view("x", {"a", "b"}, random_symmetric(2, 3), ViewKind::kernel)};
  for (const auto& views : {features, kernel})
    for (const char* name : {"x.tsv", "x.tsv.gz", "x.h5ad"}) {
      const std::string path = folder.file(name);
      write_views(path, path, output_format(path), views);
      const View again = views_in(path).at(0);
      EXPECT_EQ(again.kind, views[0].kind) << name;
      EXPECT_EQ(again.ids, views[0].ids) << name;
      EXPECT_EQ(again.values, views[0].values) << name;
      EXPECT_EQ(again.feature_names, views[0].feature_names) << name;
    }
  std::vector<View> both = {features[0], kernel[0]};
  expect_contains(message([&] { check_output(FileFormat::table, "x.tsv", both); }),
                  "a file of this kind holds one view, there are 2");
  expect_contains(message([&] { output_format("x.xlsx"); }), "is not written");
}

TEST(WriteViews, AFullDiskIsAnOutputError) {
#ifdef __SANITIZE_ADDRESS__
  const __lsan::ScopedDisabler unwatched;  // HDF5 keeps its buffer of a file it could not close
#endif
  const TempDir folder;
  const std::vector<View> views = {
      made_view("x", {"a", "b"}, random_symmetric(2, 3), ViewKind::kernel)};
  const test::FileSizeLimit limit(300);
  for (const char* name : {"x.h5", "x.h5mu", "x.mat"}) {
    const std::string path = folder.file(name);
    EXPECT_THROW(write_views(path, path, output_format(path), views), std::runtime_error) << name;
  }
}

}  // namespace
}  // namespace mkc::io
