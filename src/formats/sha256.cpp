#include "formats/sha256.hpp"

#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "formats/files.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new()) {
    check(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }

  void update(std::string_view bytes) {
    check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
  }

  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    check(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
    return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + size, ""));
  }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
  };

  static void check(bool good) {
    if (!good) throw std::runtime_error("OpenSSL cannot compute SHA-256");
  }

  std::unique_ptr<EVP_MD_CTX, Free> context_;
};

}  // namespace

std::string sha256_of_file(const std::string& path) {
  return sha256_of_file(open_for_reading(path).get(), path);
}

std::string sha256_of_file(std::FILE* file, const std::string& path) {
  Sha256 hash;
  std::string block(std::size_t{1} << 20, '\0');
  errno = 0;
  while (const std::size_t got = std::fread(block.data(), 1, block.size(), file))
    hash.update(std::string_view(block).substr(0, got));
  if (std::ferror(file)) throw InputError(fmt::format("cannot read '{}': {}", path, reason(errno)));
  return hash.hex();
}

std::string sha256_of_bytes(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.hex();
}

}  // namespace mkc::io
