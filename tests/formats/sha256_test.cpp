#include "formats/sha256.hpp"

#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using test::TempDir;

// FIPS 180-2, appendix B, and NIST's SHA256ShortMsg vectors.
TEST(Sha256, KnownVectors) {
  EXPECT_EQ(sha256_of_bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_of_bytes("\xd3"),
            "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1");
  EXPECT_EQ(sha256_of_bytes(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of_bytes("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of_bytes(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Every length of the last block. Python: d = "".join(sha256(bytes((7 * i + n) % 256 for i in
// range(n))).hexdigest() for n in range(300)); sha256(d.encode()).hexdigest()
TEST(Sha256, EveryLengthUpToFiveBlocksWithAndWithoutTheProcessorsInstructions) {
  for (const Sha256Code code : {Sha256Code::fastest, Sha256Code::portable}) {
    std::string all;
    for (int n = 0; n < 300; ++n) {
      std::string bytes;
      for (int i = 0; i < n; ++i) bytes += static_cast<char>((7 * i + n) % 256);
      all += sha256_of_bytes(bytes, code);
    }
    EXPECT_EQ(sha256_of_bytes(all, code),
              "def85da8f53f8ad58eda585dce61c0d7bfbb3da6924badae49d32d11288c576f");
  }
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
