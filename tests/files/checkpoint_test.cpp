#include "files/checkpoint.hpp"

#include "files/arrays_file.hpp"
#include "support/random_matrices.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using test::expect_contains;
using test::message;
using test::TempDir;

factor::Arrays some_arrays() {
  factor::Arrays arrays;
  arrays.kind = "plan";
  arrays.words = {{"id", "x\ty \"z\""}, {"empty", ""}, {"id", "again"}};
  arrays.matrices = {{"a", mkc::test::random_matrix(4, 3, 1)},
                     {"none", Matrix(0, 5)},
                     {"column", mkc::test::random_matrix(7, 1, 2)}};
  return arrays;
}

void expect_equal(const factor::Arrays& found, const factor::Arrays& expected) {
  EXPECT_EQ(found.kind, expected.kind);
  EXPECT_EQ(found.words, expected.words);
  ASSERT_EQ(found.matrices.size(), expected.matrices.size());
  for (std::size_t i = 0; i < found.matrices.size(); ++i) {
    EXPECT_EQ(found.matrices[i].first, expected.matrices[i].first);
    ASSERT_EQ(found.matrices[i].second.rows(), expected.matrices[i].second.rows());
    ASSERT_EQ(found.matrices[i].second.cols(), expected.matrices[i].second.cols());
    EXPECT_EQ(found.matrices[i].second, expected.matrices[i].second);
  }
}

TEST(ArraysFile, GivesEveryBitBack) {
  const TempDir folder;
  factor::Arrays other = some_arrays();
  other.kind = "model";
  other.words.clear();
  write_arrays(folder.file("a.npz"), {some_arrays(), other});
  const auto found = read_arrays(folder.file("a.npz"));
  ASSERT_EQ(found.size(), 2u);
  expect_equal(found[0], some_arrays());
  expect_equal(found[1], other);
  const std::string bytes = test::read_file(folder.file("a.npz"));
  for (const std::size_t cut : {std::size_t{10}, bytes.size() / 2, bytes.size() - 3})
    EXPECT_FALSE(
        message([&] { read_arrays(folder.write("b.npz", bytes.substr(0, cut))); }).empty());
}

TEST(Checkpoint, KeepsWhatTheSameRunLeft) {
  const TempDir folder;
  const auto target = folder.path() / "out", hidden = folder.path() / ".out.checkpoint";
  {
    Checkpoint first(target, "key 1");
    EXPECT_FALSE(first.resumes());
    EXPECT_FALSE(first.load("plan"));
    first.save("plan", some_arrays());
    EXPECT_NE(first.scratch(), first.scratch());
    folder.write(".out.checkpoint/scratch-0.npy", "x");
    expect_contains(message([&] { Checkpoint second(target, "key 1"); }),
                    "another run is working on");
  }
  {
    const Checkpoint again(target, "key 1");
    EXPECT_TRUE(again.resumes());
    ASSERT_TRUE(again.load("plan"));
    expect_equal(*again.load("plan"), some_arrays());
    EXPECT_FALSE(std::filesystem::exists(hidden / "scratch-0.npy"));
    folder.write(".out.checkpoint/plan.npz", "damaged");
    EXPECT_FALSE(again.load("plan"));
  }
  Checkpoint other(target, "key 2");
  EXPECT_FALSE(other.resumes());
  EXPECT_FALSE(std::filesystem::exists(hidden / "plan.npz"));
  other.remove();
  EXPECT_FALSE(std::filesystem::exists(hidden));
}

TEST(Checkpoint, ALinkInTheWayIsRefused) {
  const TempDir folder;
  std::filesystem::create_directory(folder.path() / "elsewhere");
  std::filesystem::create_directory_symlink(folder.path() / "elsewhere",
                                            folder.path() / ".out.checkpoint");
  expect_contains(message([&] { Checkpoint run(folder.path() / "out", "key"); }), "in the way");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "elsewhere"));
}

}  // namespace
}  // namespace mkc::io
