#include "mkc/io/manifest.hpp"

#include "mkc/io/output_folder.hpp"
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
  const std::string path = manifest(folder,
                                    "[[view]]\nname = \"rna\"\nfile = \"a.csv\"\ngamma = 0.5\n"
                                    "kernel = \"rbf\"\n[[view]]\nfile = \"k.npz\"\narray = \"K\"\n"
                                    "kind = \"kernel\"\ncenter = true\n");
  const std::string here = folder.path().string() + "/";
  EXPECT_EQ(read_manifest(path), (Strings{"rna=" + here + "a.csv,gamma=0.5,kernel=rbf",
                                          here + "k.npz:K,center=yes,kind=kernel"}));
}

TEST(Manifest, FaultsAreToldWithTheirPlace) {
  const test::TempDir folder;
  const auto expect = [&](const std::string& text, const std::string& part) {
    const std::string path = manifest(folder, text);
    expect_message([&] { read_manifest(path); }, part);
  };
  expect("[[view]]\nname = \"x\"\n", "line 1, column 1: this view has no file");
  expect("[[view]]\nfile = \n", "line 2");
  expect("[[view]]\nfile = \"a.csv\"\ngamma = [1]\n", "line 3, column 9: 'gamma' is not a text");
  expect("[[view]]\nfile = \"a,b.csv\"\n", "holds a comma");
  expect("views = 1\n", "unknown key 'views'");
  expect("", "there is no [[view]]");
}

}  // namespace
}  // namespace mkc::io
