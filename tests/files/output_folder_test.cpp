#include "mkc/files/output_folder.hpp"

#include "support/view_files.hpp"

namespace mkc::io {
namespace {

namespace fs = std::filesystem;
using namespace test;

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

std::string output_error(const std::function<void()>& action) {
  try {
    action();
  } catch (const OutputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no OutputError was thrown";
  return {};
}

void make_result(const fs::path& target, const std::string& text, bool force = false) {
  OutputFolder output(target, force);
  write_text_file(output.path("meta_info.json"), text);
  output.commit();
}

TEST(OutputFolder, AppearsWhenCommitted) {
  const TempDir folder;
  const fs::path target = folder.path() / "deep" / "out";
  {
    OutputFolder output(target.string() + "/", false);
    EXPECT_EQ(output.target().filename(), "out");
    write_text_file(output.path("kernels/rna.tsv"), "x");
    EXPECT_FALSE(fs::exists(target));
    expect_contains(output.path("a").string(), ".out.partial-" + std::to_string(getpid()));
    output.commit();
  }
  EXPECT_EQ(read_file(target / "kernels" / "rna.tsv"), "x");
  EXPECT_EQ(entries(target.parent_path()), 1u);
}

TEST(OutputFolder, IsRemovedWithoutCommitAndAfterAnException) {
  const TempDir folder;
  {
    OutputFolder output(folder.path() / "out", false);
  }
  EXPECT_EQ(entries(folder.path()), 0u);
  try {
    OutputFolder output(folder.path() / "out", false);
    write_text_file(output.path("a/b"), "x");
    throw std::runtime_error("stop");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(entries(folder.path()), 0u);
}

TEST(OutputFolder, AnExistingFolderNeedsForce) {
  const TempDir folder;
  const fs::path target = folder.path() / "out";
  make_result(target, "old");
  const auto error = input_error([&] { OutputFolder output(target, false); });
  expect_contains(error.what(), "out' exists");
  EXPECT_EQ(error.hint().text(), "choose another name; force replaces it");
  write_text_file(target / "extra", "x");
  make_result(target, "new", true);
  EXPECT_EQ(read_file(target / "meta_info.json"), "new");
  EXPECT_FALSE(fs::exists(target / "extra"));
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(OutputFolder, ForceReplacesEmptyFoldersAndEarlierResultsOnly) {
  const TempDir folder;
  fs::create_directory(folder.path() / "empty");
  make_result(folder.path() / "empty", "new", true);
  EXPECT_EQ(read_file(folder.path() / "empty" / "meta_info.json"), "new");
  fs::create_directory(folder.path() / "thesis");
  folder.write("thesis/chapter", "words");
  expect_contains(message([&] { OutputFolder output(folder.path() / "thesis", true); }),
                  "neither empty nor an earlier result");
  folder.write("file", "words");
  expect_contains(message([&] { OutputFolder output(folder.path() / "file", true); }),
                  "is not a folder");
  EXPECT_EQ(read_file(folder.path() / "thesis" / "chapter"), "words");
  EXPECT_EQ(entries(folder.path()), 3u);
}

TEST(OutputFolder, LinksLeadToTheFolderTheyName) {
  const TempDir folder;
  make_result(folder.path() / "real", "old");
  fs::create_directory_symlink("real", folder.path() / "link");
  make_result(folder.path() / "link", "new", true);
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(read_file(folder.path() / "real" / "meta_info.json"), "new");
  fs::create_directory_symlink("nowhere", folder.path() / "loose");
  EXPECT_THROW(OutputFolder(folder.path() / "loose", true), InputError);
}

TEST(OutputFolder, UnwritablePlacesAreRefusedEarly) {
  const TempDir folder;
  folder.write("file", "x");
  EXPECT_THROW(OutputFolder(folder.path() / "file" / "out", false), OutputError);
  EXPECT_THROW(OutputFolder("/proc/out", false), OutputError);
  EXPECT_THROW(OutputFolder("", false), InputError);
  EXPECT_THROW(OutputFolder("/", true), InputError);
  EXPECT_THROW(OutputFolder(folder.path() / std::string(300, 'x'), false), OutputError);
}

TEST(OutputFolder, PathsStayInside) {
  const TempDir folder;
  OutputFolder output(folder.path() / "out", false);
  for (const char* name : {"../x", "/etc/x", "a/../../x", "..", ".", "", "a/", "a/.."})
    EXPECT_THROW(output.path(name), InputError) << name;
  EXPECT_EQ(output.path("a/../b").filename(), "b");
}

TEST(OutputFolder, AFinishedResultIsKeptWhenItsTargetAppearedMeanwhile) {
  const TempDir folder;
  const fs::path target = folder.path() / "out";
  std::string what;
  {
    OutputFolder output(target, false);
    write_text_file(output.path("meta_info.json"), "precious");
    fs::create_directory(target);
    folder.write("out/other", "x");
    what = output_error([&] { output.commit(); });
  }
  expect_contains(what, "the finished result stays in '");
  const std::size_t begin = what.rfind(" '") + 2;
  const fs::path kept = what.substr(begin, what.size() - begin - 1);
  EXPECT_EQ(read_file(kept / "meta_info.json"), "precious");
  EXPECT_EQ(read_file(target / "other"), "x");
}

TEST(OutputFolder, AFailedReplacementRestoresTheEarlierResult) {
  const TempDir folder;
  const fs::path target = folder.path() / "out";
  make_result(target, "old");
  OutputFolder output(target, true);
  fs::remove_all(output.path("x").parent_path());  // nothing is left to move into place
  output_error([&] { output.commit(); });
  EXPECT_EQ(read_file(target / "meta_info.json"), "old");
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(OutputFolder, TwoAtTheSameTimeUseDifferentFolders) {
  const TempDir folder;
  OutputFolder first(folder.path() / "out", false), second(folder.path() / "out", false);
  EXPECT_NE(first.path("a"), second.path("a"));
}

TEST(WriteTextFile, FullDisksAndMissingFoldersAreReported) {
  const TempDir folder;
  expect_contains(output_error([&] { write_text_file(folder.path() / "no" / "file", "x"); }),
                  "No such file or directory");
  if (fs::exists("/dev/full")) {
    EXPECT_EQ(output_error([] { write_text_file("/dev/full", "x"); }),
              "cannot write '/dev/full': No space left on device");
    EXPECT_EQ(output_error([] { write_text_file("/dev/full", std::string(100'000, 'x')); }),
              "cannot write '/dev/full': No space left on device");
  }
  const FileSizeLimit limit(10);
  expect_contains(
      output_error([&] { write_text_file(folder.path() / "a", "more than ten bytes"); }),
      "File too large");
}

}  // namespace
}  // namespace mkc::io
