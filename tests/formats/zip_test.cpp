#include "formats/zip_read.hpp"
#include "formats/zip_write.hpp"
#include "support/source_file.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using test::expect_contains;
using test::message;
using test::read_file;
using test::TempDir;

constexpr ZipKind kind{"archive", "entry", "write it again"};

std::string text_of(const ZipReader& archive, std::size_t index) {
  ZipEntry entry(archive, index, archive.members()[index].name);
  std::string text(entry.size(), '\0');
  entry.read(text.data(), text.size());
  entry.finish();
  return text;
}

void write_two(const std::string& path, std::uint64_t largest) {
  ZipWriter writer(path, largest);
  writer.add("a", {"one", " and two"});
  writer.add("folder/b", {std::string(300, 'b')});
  writer.close();
}

std::string replaced(std::string bytes, std::size_t at, const std::string& by) {
  return bytes.replace(at, by.size(), by);
}

// What fits no field of 4 bytes goes into those of ZIP64: sizes of the second entry, then places
// too.
TEST(Zip, EntriesReadBackWithAndWithoutZip64) {
  const TempDir folder;
  const std::string path = folder.file("a.zip");
  std::vector<std::size_t> sizes;
  for (const std::uint64_t largest :
       {std::uint64_t{0xFFFFFFFE}, std::uint64_t{299}, std::uint64_t{2}}) {
    write_two(path, largest);
    const ZipReader archive(path, kind);
    ASSERT_EQ(archive.members().size(), 2u);
    EXPECT_EQ(archive.members()[1].name, "folder/b");
    EXPECT_EQ(text_of(archive, 0), "one and two");
    EXPECT_EQ(text_of(archive, 1), std::string(300, 'b'));
    sizes.push_back(std::filesystem::file_size(path));
  }
  // Extra fields of 20 bytes at an entry and 28 in the directory; 56 + 20 at the end.
  EXPECT_EQ(sizes[1] - sizes[0], 20u + 28u + 76u);
  EXPECT_EQ(sizes[2] - sizes[1], 20u + 28u);
}

TEST(Zip, ArchivesOfPythonWithZip64AndACommentAreRead) {
  const ZipReader archive(test::source_file("tests/fixtures/zip/zip64.npz"), kind);
  ASSERT_EQ(archive.members().size(), 2u);
  EXPECT_EQ(archive.members()[1].name, "samples.npy");
  EXPECT_EQ(text_of(archive, 0).size(), 128u + 6 * sizeof(double));
  expect_contains(text_of(archive, 1), "\x93NUMPY");
}

TEST(Zip, AnArchiveWithoutEntriesIsOne) {
  const TempDir folder;
  ZipWriter(folder.file("none.zip")).close();
  EXPECT_TRUE(ZipReader(folder.file("none.zip"), kind).members().empty());
}

TEST(Zip, WhatCannotBeReadIsNamed) {
  const TempDir folder;
  write_two(folder.file("a.zip"), 0xFFFFFFFE);
  const std::string whole = read_file(folder.file("a.zip"));
  const std::size_t entry = whole.find("PK\1\2"), end = whole.find("PK\5\6");
  const auto reason = [&](std::size_t at, const std::string& by) {
    const std::string path = folder.write("bad.zip", replaced(whole, at, by));
    return message([&] { text_of(ZipReader(path, kind), 0); });
  };
  expect_contains(reason(entry + 8, "\1"), "a: protected by a password");
  expect_contains(reason(entry + 10, "\14"), "a: compression method 12 is not supported");
  expect_contains(reason(entry + 10, "\10"),
                  "a: the entry cannot be read: its compressed bytes are damaged");
  expect_contains(reason(entry + 16, "x"), "a: the entry cannot be read: its checksum differs");
  expect_contains(reason(entry + 20, "\xFF"), "a: claims 11 bytes in 255 stored ones");
  expect_contains(reason(entry + 24, "\xFF\xFF"), "a: claims 65535 bytes in 11 stored ones");
  expect_contains(reason(entry + 42, "\1"), "a: the entry cannot be read: its header is damaged");
  expect_contains(reason(entry + 44, "\1"),
                  "a: the entry cannot be read: it begins beyond the end");
  expect_contains(reason(entry, "x"),
                  "bad.zip: not a complete archive: entry 1 of its directory is damaged");
  expect_contains(reason(end + 10, "\3"),
                  "bad.zip: not a complete archive: entry 3 of its directory is damaged");
  expect_contains(reason(end + 14, "\xFF"),
                  "bad.zip: not a complete archive: parts of it are missing");
  expect_contains(reason(end, "x"),
                  "bad.zip: not a complete archive: it has no directory at its end");
}

}  // namespace
}  // namespace mkc::io
