#include "files/input_record.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <thread>

#include "formats/sha256.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using test::expect_contains;
using test::message;
using test::TempDir;

/// What confirmed() says about x.csv, which holds "abc", after `change`.
template <class Change>
std::string said_after(Change change) {
  const TempDir folder;
  const std::string path = folder.write("x.csv", "abc");
  const InputRecord record({path});
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // longer than a tick of the clock
  change(folder, path);
  return message([&] { record.confirmed(); });
}

TEST(InputRecord, HashesOfFilesThatStay) {
  const TempDir folder;
  const Strings paths = {folder.write("x.csv", "abc"), folder.write("y.csv", "")};
  const std::vector<InputFile> files = InputRecord(paths).confirmed();
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].path, paths[0]);
  EXPECT_EQ(files[0].sha256, sha256_of_bytes("abc"));
  EXPECT_EQ(files[1].sha256, sha256_of_bytes(""));
}

TEST(InputRecord, EveryChangeMeanwhileIsFound) {
  const auto rewritten = [](const TempDir& folder, const std::string&) {
    folder.write("x.csv", "xyz");
  };
  expect_contains(said_after(rewritten), "x.csv' changed while it was read");

  const auto same_time = [](const TempDir& folder, const std::string& path) {
    struct stat before{};
    stat(path.c_str(), &before);
    folder.write("x.csv", "xyz");
    const timespec times[] = {before.st_atim, before.st_mtim};
    utimensat(AT_FDCWD, path.c_str(), times, 0);
  };
  expect_contains(said_after(same_time), "changed while it was read");

  const auto put_back = [](const TempDir& folder, const std::string& path) {
    std::filesystem::rename(path, folder.file("kept"));
    folder.write("x.csv", "xyz");
    std::filesystem::rename(folder.file("kept"), path);
  };
  expect_contains(said_after(put_back), "changed while it was read");

  const auto removed = [](const TempDir&, const std::string& path) {
    std::filesystem::remove(path);
  };
  expect_contains(said_after(removed), "no such file");
}

}  // namespace
}  // namespace mkc::io
