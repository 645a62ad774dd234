#include "mkc/files/output_folder.hpp"

#include <sys/file.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "mkc/files/pending_file.hpp"
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

/// The meta_info.json of a run without its list of files.
std::string meta_info(const std::string& what, const std::string& status = "converged") {
  return fmt::format(R"({{"mkc_version": "0.2.0", "command": "complete", "what": "{}", )"
                     R"("status": "{}"}})",
                     what, status);
}

/// What the run wrote that made the result.
std::string content(const fs::path& target) {
  return nlohmann::json::parse(read_file(target / "meta_info.json")).at("what");
}

void make_result(const fs::path& target, const std::string& what, bool force = false) {
  OutputFolder output(target, "complete", force);
  write_text_file(output.path("meta_info.json"), meta_info(what));
  output.commit();
}

/// A folder that a killed run left; nothing holds its lock.
fs::path leave_behind(const fs::path& target) {
  fs::path left =
      target.parent_path() / fmt::format(".{}.partial-AbC123", target.filename().string());
  fs::create_directories(left / "new");
  write_text_file(left / "new" / "kernels.npz", "half");
  write_text_file(left / "lock", "");
  return left;
}

TEST(OutputFolder, AppearsWhenCommitted) {
  const TempDir folder;
  const fs::path target = folder.path() / "deep" / "out";
  {
    OutputFolder output(target.string() + "/", "complete", false);
    EXPECT_EQ(output.target().filename(), "out");
    write_text_file(output.path("kernels/rna.tsv"), "x");
    EXPECT_FALSE(fs::exists(target));
    expect_contains(output.path("a").string(), "/.out.partial-");
    output.commit();
  }
  EXPECT_EQ(read_file(target / "kernels" / "rna.tsv"), "x");
  EXPECT_EQ(entries(target.parent_path()), 1u);
}

TEST(OutputFolder, IsRemovedWithoutCommitAndAfterAnException) {
  const TempDir folder;
  {
    OutputFolder output(folder.path() / "out", "complete", false);
  }
  EXPECT_EQ(entries(folder.path()), 0u);
  try {
    OutputFolder output(folder.path() / "out", "complete", false);
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
  const auto error = input_error([&] { OutputFolder output(target, "complete", false); });
  expect_contains(error.what(), "out' exists");
  EXPECT_EQ(error.hint().text(), "choose another name; force replaces it");
  make_result(target, "new", true);
  EXPECT_EQ(content(target), "new");
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(OutputFolder, ForceReplacesEmptyFoldersAndEarlierResultsOnly) {
  const TempDir folder;
  fs::create_directory(folder.path() / "empty");
  make_result(folder.path() / "empty", "new", true);
  EXPECT_EQ(content(folder.path() / "empty"), "new");
  fs::create_directory(folder.path() / "thesis");
  folder.write("thesis/chapter", "words");
  expect_contains(message([&] { OutputFolder output(folder.path() / "thesis", "complete", true); }),
                  "neither empty nor an earlier result");
  folder.write("thesis/meta_info.json", R"({"pages": 200})");
  expect_contains(message([&] { OutputFolder output(folder.path() / "thesis", "complete", true); }),
                  "was not written by mkc");
  expect_contains(message([&] { OutputFolder output(folder.path() / "empty", "predict", true); }),
                  "it is a result of 'mkc complete', not of 'mkc predict'");
  folder.write("file", "words");
  expect_contains(message([&] { OutputFolder output(folder.path() / "file", "complete", true); }),
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
  EXPECT_EQ(content(folder.path() / "real"), "new");
  fs::create_directory_symlink("nowhere", folder.path() / "loose");
  EXPECT_THROW(OutputFolder(folder.path() / "loose", "complete", true), InputError);
}

TEST(OutputFolder, UnwritablePlacesAreRefusedEarly) {
  const TempDir folder;
  folder.write("file", "x");
  EXPECT_THROW(OutputFolder(folder.path() / "file" / "out", "complete", false), OutputError);
  EXPECT_THROW(OutputFolder("/proc/out", "complete", false), OutputError);
  EXPECT_THROW(OutputFolder("", "complete", false), InputError);
  EXPECT_THROW(OutputFolder("/", "complete", true), InputError);
  EXPECT_THROW(OutputFolder(folder.path() / std::string(300, 'x'), "complete", false), OutputError);
}

TEST(OutputFolder, PathsStayInside) {
  const TempDir folder;
  OutputFolder output(folder.path() / "out", "complete", false);
  for (const char* name : {"../x", "/etc/x", "a/../../x", "..", ".", "", "a/", "a/.."})
    EXPECT_THROW(output.path(name), InputError) << name;
  EXPECT_EQ(output.path("a/../b").filename(), "b");
}

TEST(OutputFolder, AFinishedResultIsKeptWhenItsTargetAppearedMeanwhile) {
  const TempDir folder;
  const fs::path target = folder.path() / "out";
  std::string what;
  {
    OutputFolder output(target, "complete", false);
    write_text_file(output.path("meta_info.json"), meta_info("precious"));
    fs::create_directory(target);
    folder.write("out/other", "x");
    what = output_error([&] { output.commit(); });
  }
  expect_contains(what, "the finished result stays in '");
  const std::size_t begin = what.rfind(" '") + 2;
  const fs::path kept = what.substr(begin, what.size() - begin - 1);
  EXPECT_EQ(content(kept), "precious");
  EXPECT_EQ(entries(folder.path()), 2u);
  EXPECT_EQ(read_file(target / "other"), "x");
}

TEST(OutputFolder, AFailedReplacementRestoresTheEarlierResult) {
  const TempDir folder;
  const fs::path target = folder.path() / "out";
  make_result(target, "old");
  OutputFolder output(target, "complete", true);
  fs::remove_all(output.path("x").parent_path());  // nothing is left to move into place
  output_error([&] { output.commit(); });
  EXPECT_EQ(content(target), "old");
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(OutputFolder, TwoAtTheSameTimeUseDifferentFolders) {
  const TempDir folder;
  OutputFolder first(folder.path() / "out", "complete", false),
      second(folder.path() / "out", "complete", false);
  EXPECT_NE(first.path("a"), second.path("a"));
}

TEST(OutputFolder, ForceKeepsFilesThatTheEarlierRunDidNotWrite) {
  const TempDir folder;
  const fs::path target = folder.path() / "out";
  {
    OutputFolder output(target, "complete", false);
    write_text_file(output.path("meta_info.json"), meta_info("old"));
    write_text_file(output.path("kernels/rna.tsv"), "old");
    write_text_file(output.path("quality.tsv"), "old");
    output.commit();
    expect_contains(output.meta_info(), R"("kernels/rna.tsv")");
  }
  folder.write("out/notes.txt", "mine");
  folder.write("out/kernels/mine.tsv", "mine");
  folder.write("out/report.html", "mine");
  fs::create_directories(target / "plots" / "empty");
  fs::permissions(target / "plots", fs::perms::owner_all);
  fs::create_symlink("../nowhere", target / "link");
  fs::create_directory(target / "model.npz");  // a file in the new result
  folder.write("out/model.npz/a", "mine");
  folder.write("out/model.npz/b", "mine");
  OutputFolder output(target, "complete", true);
  write_text_file(output.path("model.npz"), "new");
  write_text_file(output.path("meta_info.json"), meta_info("new"));
  write_text_file(output.path("report.html"), "new");
  output.commit();
  EXPECT_EQ(content(target), "new");
  EXPECT_EQ(read_file(target / "notes.txt"), "mine");
  EXPECT_EQ(read_file(target / "kernels" / "mine.tsv"), "mine");
  EXPECT_EQ(read_file(target / "report.html"), "new");
  EXPECT_EQ(read_file(target / "report.kept.html"), "mine");
  EXPECT_EQ(read_file(target / "model.npz"), "new");
  EXPECT_EQ(entries(target / "model.npz.kept"), 2u);
  EXPECT_TRUE(fs::is_directory(target / "plots" / "empty"));
  EXPECT_EQ(fs::status(target / "plots").permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::read_symlink(target / "link"), "../nowhere");
  EXPECT_FALSE(fs::exists(target / "kernels" / "rna.tsv"));
  EXPECT_FALSE(fs::exists(target / "quality.tsv"));
  EXPECT_EQ(fs::hard_link_count(target / "notes.txt"), 1u);
  EXPECT_EQ(entries(folder.path()), 1u);
  ASSERT_EQ(output.notices().size(), 1u);
  expect_contains(output.notices()[0],
                  "kernels/mine.tsv, link, model.npz/a (now model.npz.kept/a), model.npz/b (now "
                  "model.npz.kept/b), notes.txt, plots/empty, report.html (now "
                  "report.kept.html)");
}

TEST(OutputFolder, FilesOfVersion01AreKnownByTheirNames) {
  const TempDir folder;
  fs::create_directories(folder.path() / "out" / "kernels");
  folder.write("out/meta_info.json", R"({"mkc_version": "0.1.0", "method": "knn", "what": "old"})");
  folder.write("out/kernels/rna.tsv.gz", "old");
  folder.write("out/quality.tsv", "old");
  folder.write("out/model.npz", "mine");
  make_result(folder.path() / "out", "new", true);
  EXPECT_EQ(entries(folder.path() / "out"), 2u);
  EXPECT_EQ(read_file(folder.path() / "out" / "model.npz"), "mine");
}

TEST(OutputFolder, AnInterruptedResultDoesNotReplaceAFinishedOne) {
  const TempDir folder;
  const fs::path target = folder.path() / "out";
  make_result(target, "finished");
  const auto interrupt = [&](const std::string& what, const fs::path& place) {
    OutputFolder output(place, "complete", true);
    write_text_file(output.path("meta_info.json"), meta_info(what, "interrupted"));
    const bool beside = output.keep_finished();
    output.commit();
    return beside ? output.target().filename().string() : "";
  };
  EXPECT_EQ(interrupt("first", target), "out.interrupted");
  EXPECT_EQ(interrupt("second", target), "out.interrupted-2");
  EXPECT_EQ(content(target), "finished");
  EXPECT_EQ(content(folder.path() / "out.interrupted"), "first");
  EXPECT_EQ(interrupt("third", folder.path() / "out.interrupted"), "");
  EXPECT_EQ(content(folder.path() / "out.interrupted"), "third");
  EXPECT_EQ(entries(folder.path()), 3u);
  make_result(folder.path() / "out.interrupted", "finished", true);
  EXPECT_EQ(content(folder.path() / "out.interrupted"), "finished");
}

TEST(OutputFolder, AFinishedResultThatAppearsMeanwhileIsKeptToo) {
  const TempDir folder;
  const fs::path target = folder.path() / "out";
  OutputFolder output(target, "complete", true);
  write_text_file(output.path("meta_info.json"), meta_info("mine", "interrupted"));
  EXPECT_FALSE(output.keep_finished());
  make_result(target, "other");
  expect_contains(output_error([&] { output.commit(); }), "another run wrote a finished result");
  EXPECT_EQ(content(target), "other");
  EXPECT_EQ(content(folder.path() / "out.finished"), "mine");
}

TEST(OutputFolder, FindsInputsInsideByWhatTheyAre) {
  const TempDir folder;
  const fs::path target = folder.path() / "out";
  make_result(target, "old");
  folder.write("out/a.csv", "x");
  folder.write("other.csv", "x");
  fs::create_symlink("out/a.csv", folder.path() / "link.csv");
  fs::create_symlink("link.csv", folder.path() / "link_to_link.csv");
  fs::create_hard_link(target / "a.csv", folder.path() / "hard.csv");
  fs::create_symlink("../other.csv", target / "outward.csv");
  fs::create_symlink("out/outward.csv", folder.path() / "through.csv");
  fs::create_directory_symlink("out", folder.path() / "folder");
  fs::create_symlink("loop.csv", folder.path() / "loop.csv");
  const OutputFolder output(target, "complete", true);
  for (const char* name : {"out/a.csv", "link.csv", "link_to_link.csv", "hard.csv", "through.csv",
                           "folder/a.csv", "out/outward.csv"})
    EXPECT_EQ(output.first_inside({folder.file("other.csv"), folder.file(name)}),
              folder.file(name));
  EXPECT_EQ(output.first_inside(
                {folder.file("other.csv"), folder.file("missing.csv"), folder.file("loop.csv")}),
            std::nullopt);
}

TEST(OutputFolder, RemovesWhatKilledRunsLeft) {
  const TempDir folder;
  const fs::path target = folder.path() / "out";
  leave_behind(target);
  fs::create_directory(folder.path() / ".out.partial-empty1");  // killed before it made its lock
  const fs::path other = leave_behind(folder.path() / "out.partial-AbC123");
  folder.write(".out.partial-link99", "x");
  make_result(target, "new");
  EXPECT_TRUE(fs::exists(other)) << "it belongs to another target";
  EXPECT_TRUE(fs::exists(folder.path() / ".out.partial-link99")) << "mkc writes no such file";
  EXPECT_EQ(entries(folder.path()), 3u);
}

TEST(OutputFolder, LeavesFoldersOfRunningProcessesAlone) {
  const TempDir folder;
  const fs::path target = folder.path() / "out";
  const fs::path left = leave_behind(target);
  const int lock = open((left / "lock").c_str(), O_RDWR);
  ASSERT_EQ(flock(lock, LOCK_EX), 0);
  OutputFolder first(target, "complete", false);
  write_text_file(first.path("meta_info.json"), meta_info("first"));
  make_result(target, "second");
  EXPECT_TRUE(fs::exists(left / "new" / "kernels.npz"));
  EXPECT_TRUE(fs::exists(first.path("meta_info.json")));
  close(lock);
  make_result(target, "third", true);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(first.path("meta_info.json")));
}

TEST(OutputFolder, PutsBackAResultThatAKilledRunHadSetAside) {
  const TempDir folder;
  const fs::path target = folder.path() / "out";
  make_result(target, "old");
  fs::rename(target, leave_behind(target) / "old");
  expect_contains(message([&] { OutputFolder output(target, "complete", false); }), "is back");
  EXPECT_EQ(content(target), "old");
  // as version 0.1 left it; process 1 is alive
  fs::rename(target, folder.path() / ".out.old-1");
  OutputFolder output(target, "complete", true);
  EXPECT_EQ(content(target), "old");
  ASSERT_EQ(output.notices().size(), 1u);
  expect_contains(output.notices()[0], "is back");
}

TEST(OutputFolder, RemovesWhatKilledRunsOfVersion01Left) {
  const TempDir folder;
  const std::string dead = "2147483646";  // above the largest number of a process
  for (const auto& name : Strings{".out.partial-" + dead, ".out.old-" + dead, ".out.partial-1",
                                  ".out.partial-2147483645"})
    fs::create_directory(folder.path() / name);
  folder.write(".out.partial-2147483645/mkc.log", "whole, but could not be moved");
  make_result(folder.path() / "out", "new");
  EXPECT_FALSE(fs::exists(folder.path() / (".out.partial-" + dead)));
  EXPECT_FALSE(fs::exists(folder.path() / (".out.old-" + dead)));
  EXPECT_TRUE(fs::exists(folder.path() / ".out.partial-1")) << "a running process";
  EXPECT_TRUE(fs::exists(folder.path() / ".out.partial-2147483645"));
}

TEST(OutputFolder, NobodyElseCanLookIntoAResultThatIsBeingWritten) {
  const TempDir folder;
  const mode_t before = umask(022);
  OutputFolder output(folder.path() / "out", "complete", false);
  write_text_file(output.path("a"), "x");
  const fs::path hidden = output.path("a").parent_path().parent_path();
  EXPECT_EQ(fs::status(hidden).permissions(), fs::perms::owner_all);
  output.commit();
  umask(before);
  EXPECT_EQ(fs::status(folder.path() / "out").permissions(), static_cast<fs::perms>(0755));
  EXPECT_EQ(fs::status(folder.path() / "out" / "a").permissions(), static_cast<fs::perms>(0644));
}

TEST(PendingFile, DoesNotFollowPlantedLinks) {
  const TempDir folder;
  const std::string victim = folder.write("victim", "precious");
  const fs::path target = folder.path() / "k.npz";
  fs::create_symlink("victim", folder.path() / fmt::format(".k.npz.partial-{}", getpid()));
  {
    PendingFile file(target, false);
    write_text_file(file.path(), "kernels");
    file.commit();
  }
  EXPECT_EQ(read_file(victim), "precious");
  EXPECT_EQ(read_file(target), "kernels");
  // a link at the name itself is replaced, not followed
  fs::create_symlink("victim", folder.path() / "link.npz");
  PendingFile file(folder.path() / "link.npz", true);
  write_text_file(file.path(), "kernels");
  file.commit();
  EXPECT_EQ(read_file(victim), "precious");
  EXPECT_FALSE(fs::is_symlink(folder.path() / "link.npz"));
}

TEST(PendingFile, DoesNotReplaceAFileThatAppearedMeanwhile) {
  const TempDir folder;
  const fs::path target = folder.path() / "k.npz";
  PendingFile file(target, false);
  write_text_file(file.path(), "mine");
  folder.write("k.npz", "other");
  expect_contains(output_error([&] { file.commit(); }), "k.finished.npz'");
  EXPECT_EQ(read_file(target), "other");
  EXPECT_EQ(read_file(folder.path() / "k.finished.npz"), "mine");
}

TEST(PendingFile, AnInterruptedRunDoesNotReplaceAFile) {
  const TempDir folder;
  folder.write("m.npz", "finished");
  PendingFile file(folder.path() / "m.npz", true);
  write_text_file(file.path(), "interrupted");
  file.keep_finished();
  EXPECT_EQ(file.target().filename(), "m.interrupted.npz");
  file.commit();
  EXPECT_EQ(read_file(folder.path() / "m.npz"), "finished");
  EXPECT_EQ(read_file(folder.path() / "m.interrupted.npz"), "interrupted");
}

TEST(PendingFile, RemovesWhatKilledRunsLeft) {
  const TempDir folder;
  leave_behind(folder.path() / "k.npz");
  folder.write(".k.npz.partial-2147483646", "half, by version 0.1");
  folder.write("k.npz", "old");
  EXPECT_THROW(PendingFile(folder.path() / "k.npz", false), OptionError);
  EXPECT_EQ(entries(folder.path()), 1u);
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
