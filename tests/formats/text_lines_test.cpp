#include "formats/text_lines.hpp"

#include <sys/stat.h>

#include "formats/files.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using test::expect_contains;
using test::gzip;
using test::message;
using test::TempDir;

Strings all_lines(const std::string& path) {
  TextLines lines(path);
  Strings result;
  while (const auto line = lines.next()) result.emplace_back(*line);
  EXPECT_EQ(lines.number(), static_cast<Index>(result.size()));
  return result;
}

void read_all(const std::string& path) { all_lines(path); }

TEST(TextLines, LineEndsAndByteOrderMarkAreNotPartOfTheText) {
  const TempDir folder;
  const Strings expected{"a,b", "", "1,2"};
  EXPECT_EQ(all_lines(folder.write("lf", "a,b\n\n1,2\n")), expected);
  EXPECT_EQ(all_lines(folder.write("crlf", "a,b\r\n\r\n1,2\r\n")), expected);
  EXPECT_EQ(all_lines(folder.write("open", "a,b\n\n1,2")), expected);
  EXPECT_EQ(all_lines(folder.write("bom",
                                   "\xEF\xBB\xBF"
                                   "a,b\n\n1,2\n")),
            expected);
  EXPECT_EQ(all_lines(folder.write("empty", "")), Strings());
  EXPECT_EQ(all_lines(folder.write("only_bom", "\xEF\xBB\xBF")), Strings());
}

TEST(TextLines, GzipIsReadUnderAnyName) {
  const TempDir folder;
  const std::string text = "a\nb\nc";
  EXPECT_EQ(all_lines(folder.write("x.csv.gz", gzip(text))), (Strings{"a", "b", "c"}));
  EXPECT_EQ(all_lines(folder.write("x.csv", gzip(text))), (Strings{"a", "b", "c"}));
  EXPECT_EQ(all_lines(folder.write("plain.gz", text)), (Strings{"a", "b", "c"}));
}

TEST(TextLines, LinesLongerThanABlockAreWhole) {
  const TempDir folder;
  const std::string longest(5'000'000, 'x');
  const std::string to_border((std::size_t{1} << 20) - 2, 'y');
  for (const std::string& first : {longest, to_border, to_border + "z", to_border + "zz"})
    EXPECT_EQ(all_lines(folder.write("long", first + "\r\nb\n" + longest)),
              (Strings{first, "b", longest}));
}

TEST(TextLines, UnreadablePathsAreNamed) {
  const TempDir folder;
  folder.write("rna.csv", "");
  expect_contains(message([&] { TextLines lines(folder.file("rna.tsv")); }),
                  "rna.tsv': no such file (did you mean 'rna.csv'?)");
  expect_contains(message([&] { TextLines lines(folder.path().string()); }),
                  "it is a folder, not a file");
  expect_contains(message([&] { TextLines lines(folder.file("rna.csv/x.csv")); }), "cannot open");
}

TEST(OpenInput, OnlyRegularFilesAreOpened) {
  const TempDir folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  expect_contains(message([&] { require_file(pipe); }), "it is a pipe, not a regular file");
  expect_contains(message([&] { TextLines lines(pipe); }), "it is a pipe, not a regular file");
  expect_contains(message([&] { read_whole_file(pipe); }), "it is a pipe, not a regular file");
  expect_contains(message([] { require_file("/dev/null"); }), "it is a device, not a regular file");
  EXPECT_EQ(read_if_there(folder.file("none")), "");
  expect_contains(message([&] { read_if_there(pipe); }), "it is a pipe, not a regular file");
}

TEST(TextLines, MissingPermissionIsReported) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TempDir folder;
  const std::string path = folder.write("secret.csv", "a");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  expect_contains(message([&] { TextLines lines(path); }), "Permission denied");
}

TEST(TextLines, TruncatedGzipIsDetectedAtEveryLength) {
  const TempDir folder;
  std::string text;
  for (int i = 0; i < 50; ++i) text += std::to_string(i * 7919) + "\n";
  const std::string whole = gzip(text);
  for (std::size_t length = 2; length < whole.size(); ++length) {
    const std::string path = folder.write("cut.gz", whole.substr(0, length));
    expect_contains(message([&] { read_all(path); }), "cut.gz: the gzip file is cut off");
  }
}

TEST(TextLines, DamagedGzipIsDetected) {
  const TempDir folder;
  std::string bytes = gzip("some text that is long enough to be compressed, compressed");
  bytes[bytes.size() - 6] ^= 0x55;  // the checksum
  const std::string path = folder.write("bad.gz", bytes);
  expect_contains(message([&] { read_all(path); }), "bad.gz: the gzip file is damaged");
}

TEST(TextLines, BinaryAndUtf16FilesAreRefused) {
  const TempDir folder;
  const std::string path = folder.write("wide.csv", std::string("\xFF\xFE"
                                                                "a\0,\0b\0",
                                                                8));
  expect_contains(message([&] { TextLines lines(path); }), "not a text file: byte 4 is zero");
}

}  // namespace
}  // namespace mkc::io
