#include "mkc/files/view_spec.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using namespace test;

TEST(ViewSpec, NamePathArrayAndOptions) {
  const ViewSpec plain = parse_view_spec("data/rna.csv");
  EXPECT_EQ(plain.name, "");
  EXPECT_EQ(plain.path, "data/rna.csv");
  EXPECT_EQ(plain.array, "");
  EXPECT_FALSE(plain.kind);

  const ViewSpec full = parse_view_spec("rna=all.npz:expr,kernel=rbf,gamma=median");
  EXPECT_EQ(full.name, "rna");
  EXPECT_EQ(full.path, "all.npz");
  EXPECT_EQ(full.array, "expr");
  EXPECT_EQ(full.kernel_options, (OptionValues{{"kernel", "rbf"}, {"gamma", "median"}}));
  EXPECT_EQ(full.kind, ViewKind::features);
}

TEST(ViewSpec, SlashesBeforeTheEqualsSignBelongToThePath) {
  const ViewSpec spec = parse_view_spec("runs/k=3/rna.csv");
  EXPECT_EQ(spec.name, "");
  EXPECT_EQ(spec.path, "runs/k=3/rna.csv");
  EXPECT_EQ(parse_view_spec("rna=runs/k=3/rna.csv").path, "runs/k=3/rna.csv");
  EXPECT_EQ(parse_view_spec("a\\b=c.csv").name, "");
}

TEST(ViewSpec, ColonsNameAnArrayOnlyAfterAnArchiveOrAFile) {
  EXPECT_EQ(parse_view_spec("a:b.csv").path, "a:b.csv");
  EXPECT_EQ(parse_view_spec("a.npz:b:c").path, "a.npz:b:c");
  EXPECT_EQ(parse_view_spec("A.NPZ:x").array, "x");
  const TempDir folder;
  const std::string path = folder.write("odd", "");
  EXPECT_EQ(parse_view_spec(path + ":x").path, path);
  EXPECT_EQ(parse_view_spec(path + ":x").array, "x");
}

TEST(ViewSpec, AnExistingPathIsTakenAsItIs) {
  const TempDir folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const char* name : {"a=b.csv", "x.npz:y", "a,b.csv", "n=x.npz:y"}) {
    folder.write(name, "");
    EXPECT_EQ(parse_view_spec(name).path, name);
    EXPECT_EQ(parse_view_spec(name).name, "");
    EXPECT_EQ(parse_view_spec(name).array, "");
  }
  EXPECT_EQ(parse_view_spec("a=b.csv,kind=kernel").path, "a=b.csv");
  EXPECT_EQ(parse_view_spec("n=x.npz:y,kind=kernel").name, "");
  EXPECT_EQ(parse_view_spec("m=x.npz:y").path, "x.npz:y");
  std::filesystem::current_path(before);
}

TEST(ViewSpec, KindIsCheckedAndSuggested) {
  EXPECT_EQ(parse_view_spec("a.csv,kind=kernel").kind, ViewKind::kernel);
  EXPECT_EQ(parse_view_spec("a.csv,kind=features").kind, ViewKind::features);
  EXPECT_EQ(parse_view_spec("a.csv,gamma=1").kind, std::nullopt);
  const ViewSpec ready = parse_view_spec("a.csv,kernel=precomputed");
  EXPECT_EQ(ready.kind, ViewKind::kernel);
  EXPECT_TRUE(ready.kernel_options.empty());
  expect_contains(message([] { parse_view_spec("a.csv,kind=kernal"); }),
                  "'kernal' is not one of features, kernel (did you mean 'kernel'?)");
  expect_contains(message([] { parse_view_spec("a.csv,kernel=rbf,kind=kernel"); }),
                  "kind=kernel contradicts kernel=rbf");
  expect_contains(message([] { parse_view_spec("a.csv,kind=features,kernel=precomputed"); }),
                  "kind=features contradicts kernel=precomputed");
}

TEST(ViewSpec, IncompleteSpecsAreRefused) {
  expect_contains(message([] { parse_view_spec(""); }), "the path is empty");
  expect_contains(message([] { parse_view_spec("rna="); }), "the path is empty");
  expect_contains(message([] { parse_view_spec("=a.csv"); }), "the view name is empty");
  expect_contains(message([] { parse_view_spec("a.npz:"); }), "the array name is empty");
  expect_contains(message([] { parse_view_spec("a.csv,gamma"); }), "expected option=value");
  EXPECT_FALSE(input_error([] { parse_view_spec(""); }).hint().empty());
}

}  // namespace
}  // namespace mkc::io
