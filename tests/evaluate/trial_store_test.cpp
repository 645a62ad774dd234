#include "mkc/evaluate/trial_store.hpp"

#include "support/temp_dir.hpp"

namespace mkc::io {
namespace {

namespace fs = std::filesystem;
using mkc::test::read_file;
using mkc::test::TempDir;

TrialStore store_of(const TempDir& folder, bool fresh = false) {
  return {folder.path() / "trial", fresh, [](const std::string& text) { return text == "trial"; }};
}

TEST(TrialStore, KeepsTrialsUntilTheResultIsWritten) {
  const TempDir folder;
  const TrialStore store = store_of(folder);
  store.start();
  EXPECT_EQ(store.find("key"), std::nullopt);
  store.keep("key", "trial");
  EXPECT_EQ(store_of(folder).find("key"), "trial");
  OutputFolder result(folder.path() / "trial", "evaluate", false);
  store.move_into(result);
  result.commit();
  store.clear(result);
  EXPECT_EQ(store_of(folder).find("key"), "trial");
  EXPECT_FALSE(fs::exists(folder.path() / ".trial.cells"));
}

TEST(TrialStore, TrialsOfAnotherRunStay) {
  const TempDir folder;
  const TrialStore store = store_of(folder), other = store_of(folder);
  store.keep("key", "trial");
  OutputFolder result(folder.path() / "trial", "evaluate", false);
  store.move_into(result);
  other.keep("other", "trial");  // finished after the copy
  folder.write(".trial.cells/third.json.partial-abcdef", "by a killed process");
  result.commit();
  store.clear(result);
  EXPECT_EQ(other.find("key"), "trial");
  EXPECT_EQ(other.find("other"), "trial");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path() / ".trial.cells"), {}), 1);
}

TEST(TrialStore, WhatAKilledProcessLeftIsRemoved) {
  const TempDir folder;
  const TrialStore store = store_of(folder);
  fs::create_directory(folder.path() / ".trial.cells");
  folder.write(".trial.cells/key.json.partial-abcdef", "half a tri");
  store.remove_partial();
  EXPECT_FALSE(fs::exists(folder.path() / ".trial.cells"));
  store.keep("key", "trial");
  store.remove_partial();
  EXPECT_EQ(store.find("key"), "trial");
}

TEST(TrialStore, DoesNotFollowPlantedLinks) {
  const TempDir folder;
  const std::string victim = folder.write("victim", "precious");
  fs::create_directory(folder.path() / ".trial.cells");
  fs::create_symlink("../victim",
                     folder.path() / ".trial.cells" / fmt::format("key.partial-{}", getpid()));
  fs::create_symlink("../victim", folder.path() / ".trial.cells" / "other.json");
  const TrialStore store = store_of(folder);
  store.start();
  store.keep("key", "trial");
  store.keep("other", "trial");
  EXPECT_EQ(read_file(victim), "precious");
  EXPECT_EQ(store.find("key"), "trial");
  EXPECT_EQ(store.find("other"), "trial");
}

TEST(TrialStore, AFolderThatIsALinkIsRefused) {
  const TempDir folder;
  fs::create_directory(folder.path() / "else");
  fs::create_directory_symlink("else", folder.path() / ".trial.cells");
  EXPECT_THROW(store_of(folder).start(), OutputError);
  EXPECT_THROW(store_of(folder).keep("key", "trial"), OutputError);
  EXPECT_TRUE(fs::is_empty(folder.path() / "else"));
  store_of(folder, true).start();  // removes the link
  store_of(folder).keep("key", "trial");
  EXPECT_TRUE(fs::is_empty(folder.path() / "else"));
}

}  // namespace
}  // namespace mkc::io
