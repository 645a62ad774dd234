#include "files/manifest.hpp"

#include "mkc/files/output_folder.hpp"
#include "support/expect_message.hpp"
#include "support/temp_dir.hpp"

namespace mkc::io {
namespace {

using test::expect_message;

std::string manifest(const test::TempDir& folder, const std::string& text) {
  const std::string path = (folder.path() / "views.toml").string();
  write_text_file(path, text);
  return path;
}

TEST(Manifest, ViewsReadAsOnTheCommandLine) {
  const test::TempDir folder;
  const std::string path =
      manifest(folder,
               "[[view]]\nname = \"rna\"\nfile = \"a, b.csv\"\ngamma = 0.5\nkernel = \"rbf\"\n"
               "samples_in = \"columns\"\n[[view]]\nfile = \"k.npz\"\narray = \"K\"\nkind = "
               "\"kernel\"\ncenter = true\n");
  const std::vector<ViewSpec> views = read_manifest(path);
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[0].name, "rna");
  EXPECT_EQ(views[0].path, folder.path().string() + "/a, b.csv");
  EXPECT_EQ(views[0].kernel_options, (OptionValues{{"gamma", "0.5"}, {"kernel", "rbf"}}));
  EXPECT_EQ(views[0].read_options, (OptionValues{{"samples_in", "columns"}}));
  EXPECT_EQ(views[0].kind, ViewKind::features);
  EXPECT_EQ(views[1].name, "");
  EXPECT_EQ(views[1].array, "K");
  EXPECT_EQ(views[1].kind, ViewKind::kernel);
  EXPECT_EQ(views[1].kernel_options, (OptionValues{{"center", "yes"}}));
}

TEST(Manifest, SettingsBelongToTheConfigurationOfARun) {
  const test::TempDir folder;
  const std::string path = manifest(
      folder, "method = \"knn,k=3\"\nseed = 7\ncenter = true\n[[view]]\nfile = \"a.csv\"\n");
  const Configuration configuration = read_configuration(path);
  ASSERT_EQ(configuration.settings.size(), 3u);
  for (const auto& setting : configuration.settings)
    if (setting.key == "seed") {
      EXPECT_EQ(setting.values, Strings{"7"});
      EXPECT_FALSE(setting.is_list);
      EXPECT_EQ(setting.line, 2);
    }
  EXPECT_EQ(configuration.views.size(), 1u);
  expect_message([&] { read_manifest(path); }, "is not a view");
}

TEST(Manifest, ASettingMayBeAList) {
  const test::TempDir folder;
  const Configuration configuration =
      read_configuration(manifest(folder, "method = [\"mean\", \"knn,k=3\"]\nseed = []\n"));
  ASSERT_EQ(configuration.settings.size(), 2u);
  EXPECT_TRUE(configuration.settings[0].is_list);
  EXPECT_EQ(configuration.settings[0].values, (Strings{"mean", "knn,k=3"}));
  EXPECT_TRUE(configuration.settings[1].values.empty());
  expect_message([&] { read_configuration(manifest(folder, "method = [[1]]\n")); },
                 "'method' is not a text");
}

TEST(Manifest, ErrorsNameLineAndColumn) {
  const test::TempDir folder;
  const auto expect = [&](const std::string& text, const std::string& part) {
    const std::string path = manifest(folder, text);
    expect_message([&] { read_manifest(path); }, part);
  };
  expect("[[view]]\nname = \"x\"\n", "line 1, column 1: this view has no file");
  expect("[[view]]\nfile = \n", "line 2");
  expect("[[view]]\nfile = \"a.csv\"\ngamma = [1]\n", "line 3, column 9: 'gamma' is not a text");
  expect("[[view]]\nfile = \"a.csv\"\ngama = 1\n", "line 1: a view has no option 'gama'");
  expect("views = 1\n", "line 1: 'views' is not a view");
  expect("view = 1\n", "views are tables [[view]]");
  expect("", "there is no [[view]]");
}

}  // namespace
}  // namespace mkc::io
