#include "formats/sha256.hpp"

#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using test::TempDir;

// FIPS 180-2, appendix B.
TEST(Sha256, KnownVectors) {
  EXPECT_EQ(sha256_of_bytes(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of_bytes("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of_bytes(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, FilesOfManyBlocks) {
  const TempDir folder;
  const std::string text(3'000'001, 'x');
  EXPECT_EQ(sha256_of_file(folder.write("x", text)), sha256_of_bytes(text));
  EXPECT_EQ(sha256_of_file(folder.write("empty", "")), sha256_of_bytes(""));
  EXPECT_THROW(sha256_of_file(folder.file("none")), InputError);
  EXPECT_THROW(sha256_of_file(folder.path().string()), InputError);
}

}  // namespace
}  // namespace mkc::io
