#include "formats/npz.hpp"

#include "mkc/files/output_folder.hpp"
#include "support/random_matrices.hpp"
#include "support/source_file.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using mkc::test::random_matrix;
using test::expect_contains;
using test::FileSizeLimit;
using test::message;
using test::read_file;
using test::TempDir;
using test::write_npy;

/// x (40 x 30, all 1.5) and samples, deflated: saved by Python's zipfile.
std::string deflated_file() { return test::source_file("tests/fixtures/zip/deflated.npz"); }

void write_sample(const std::string& path) {
  const Matrix borrowed = random_matrix(4, 3, 1);
  NpzWriter writer(path);
  writer.add("rna", borrowed);
  writer.add("kernel/two", Matrix(random_matrix(2, 2, 2)));
  writer.add("samples", Strings{"a", "\xC3\xA9", "c", "d"});
  writer.add("none", Matrix(0, 3));
  writer.close();
}

TEST(Npz, WrittenArraysReadBack) {
  const TempDir folder;
  const std::string path = folder.file("a.npz");
  write_sample(path);
  EXPECT_EQ(NpzReader(path).names(), (Strings{"rna", "kernel/two", "samples", "none"}));
  const NamedArrays arrays = read_npz(path);
  EXPECT_EQ(std::get<Matrix>(arrays[0].second.values), random_matrix(4, 3, 1));
  EXPECT_EQ(std::get<Matrix>(arrays[1].second.values), random_matrix(2, 2, 2));
  EXPECT_EQ(std::get<Strings>(arrays[2].second.values)[1], "\xC3\xA9");
  EXPECT_EQ(arrays[3].second.shape, (Indices{0, 3}));
  EXPECT_EQ(take_matrix(NpzReader(path).read("rna"), "rna"), random_matrix(4, 3, 1));
}

TEST(Npz, TheSameArraysGiveTheSameBytes) {
  const TempDir folder;
  write_sample(folder.file("a.npz"));
  setenv("TZ", "Asia/Tokyo", 1);
  tzset();
  write_sample(folder.file("b.npz"));
  unsetenv("TZ");
  tzset();
  EXPECT_EQ(read_file(folder.file("a.npz")), read_file(folder.file("b.npz")));
}

TEST(Npz, DeflatedArraysAreRead) {
  const NpzReader file(deflated_file());
  EXPECT_EQ(take_matrix(file.read("x"), "x"), Matrix::Constant(40, 30, 1.5));
  EXPECT_EQ(take_strings(file.read("samples"), "samples"), (Strings{"a", "b"}));
}

TEST(Npz, UnknownArraysAreSuggested) {
  const TempDir folder;
  write_sample(folder.file("a.npz"));
  const auto error = test::input_error([&] { NpzReader(folder.file("a.npz")).read("rma"); });
  expect_contains(error.what(), "has no array 'rma' (did you mean 'rna'?)");
  expect_contains(error.hint().text(), "rna, kernel/two, samples, none");
}

TEST(Npz, DamagedValuesFailTheirChecksum) {
  const TempDir folder;
  const std::string path = folder.file("a.npz");
  write_sample(path);
  std::string bytes = read_file(path);
  const double first = random_matrix(4, 3, 1)(0, 0);
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&first), 8));
  ASSERT_NE(at, std::string::npos);
  bytes[at] ^= 1;
  const std::string bad = folder.write("bad.npz", bytes);
  expect_contains(message([&] { read_npz(bad); }),
                  "bad.npz:rna: the array cannot be read: its checksum differs");
}

TEST(Npz, TruncatedAndForeignFilesAreRefused) {
  const TempDir folder;
  write_sample(folder.file("a.npz"));
  const std::string whole = read_file(folder.file("a.npz"));
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    const std::string path = folder.write("cut.npz", whole.substr(0, length));
    expect_contains(message([&] { read_npz(path); }), "cut.npz");
  }
  const std::string text = folder.write("text.npz", "id,a\nP1,1\n");
  expect_contains(message([&] { read_npz(text); }), "text.npz: not a complete NPZ file");
  expect_contains(message([&] { read_npz(folder.file("none.npz")); }), "no such file");
}

/// A flipped byte gives the arrays or an InputError, never a crash or too much memory.
TEST(Npz, FlippedBytesNeverCrash) {
  const TempDir folder;
  const std::string whole = read_file(deflated_file());
  int refused = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 0xA5);
    const std::string bad = folder.write("bad.npz", bytes);
    try {
      read_npz(bad);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, static_cast<int>(whole.size()) / 2);
}

TEST(Npz, AFullDiskAndAMissingFolderAreReported) {
  const TempDir folder;
  const Matrix values = random_matrix(200, 200, 4);
  const auto write = [&](const std::string& path) {
    NpzWriter writer(path);
    writer.add("x", values);
    writer.close();
  };
  EXPECT_THROW(write(folder.file("no/such/folder.npz")), OutputError);
  const FileSizeLimit limit(1000);
  try {
    write(folder.file("full.npz"));
    FAIL();
  } catch (const OutputError& error) {
    expect_contains(error.what(), "full.npz': ");
    expect_contains(error.what(), "File too large");
  }
}

}  // namespace
}  // namespace mkc::io
