#include "formats/sha256.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#include "formats/files.hpp"
#include "mkc/base/error.hpp"

// FIPS 180-4, sections 4.1.2, 4.2.2, 5 and 6.2; names as there.
namespace mkc::io {

namespace {

using Word = std::uint32_t;
using State = std::array<Word, 8>;
constexpr std::size_t block_size = 64;
using Block = std::array<unsigned char, block_size>;

// The first 32 bits of the fractional parts of the square roots of the first 8 primes,
constexpr State initial{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
// and of the cube roots of the first 64.
alignas(16) constexpr std::array<Word, 64> K{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

Word big_endian(const unsigned char* bytes) {
  return Word{bytes[0]} << 24 | Word{bytes[1]} << 16 | Word{bytes[2]} << 8 | Word{bytes[3]};
}

void compress(State& H, const unsigned char* block) {
  std::array<Word, 64> W;
  for (std::size_t t = 0; t < 16; ++t) W[t] = big_endian(block + 4 * t);
  for (std::size_t t = 16; t < 64; ++t) {
    const Word s0 = std::rotr(W[t - 15], 7) ^ std::rotr(W[t - 15], 18) ^ W[t - 15] >> 3;
    const Word s1 = std::rotr(W[t - 2], 17) ^ std::rotr(W[t - 2], 19) ^ W[t - 2] >> 10;
    W[t] = s1 + W[t - 7] + s0 + W[t - 16];
  }
  auto [a, b, c, d, e, f, g, h] = H;
  for (std::size_t t = 0; t < 64; ++t) {
    const Word S1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const Word S0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const Word T1 = h + S1 + ((e & f) ^ (~e & g)) + K[t] + W[t];
    const Word T2 = S0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + T1;
    d = c, c = b, b = a, a = T1 + T2;
  }
  const State added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < H.size(); ++i) H[i] += added[i];
}

#if defined(__x86_64__)

// With the processor's own instructions: two rounds each, four words of W at a time.
[[gnu::target("sha,sse4.1")]] void compress_in_hardware(State& H, const unsigned char* block) {
  const auto load = [](const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); };
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i cdab = _mm_shuffle_epi32(load(H.data()), 0xb1);
  const __m128i hgfe = _mm_shuffle_epi32(load(H.data() + 4), 0x1b);
  const __m128i abef_before = _mm_alignr_epi8(cdab, hgfe, 8);
  const __m128i cdgh_before = _mm_blend_epi16(hgfe, cdab, 0xf0);
  __m128i abef = abef_before, cdgh = cdgh_before, W[16];
  for (int i = 0; i < 16; ++i) {
    W[i] = i < 4 ? _mm_shuffle_epi8(load(block + 16 * i), swap)
                 : _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(W[i - 4], W[i - 3]),
                                                      _mm_alignr_epi8(W[i - 1], W[i - 2], 4)),
                                        W[i - 1]);
    const __m128i sum = _mm_add_epi32(W[i], load(K.data() + 4 * i));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
  }
  abef = _mm_add_epi32(abef, abef_before);
  cdgh = _mm_add_epi32(cdgh, cdgh_before);
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(H.data()), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(H.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}

bool has_hardware() {
  unsigned a, b, c, d;
  const bool sse = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSSE3) && (c & bit_SSE4_1);
  return sse && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA);
}

const bool in_hardware = has_hardware();

#endif

class Sha256 {
 public:
  explicit Sha256(Sha256Code code = Sha256Code::fastest) {
#if defined(__x86_64__)
    if (code == Sha256Code::fastest && in_hardware) compress_ = compress_in_hardware;
#else
    static_cast<void>(code);
#endif
  }

  void update(std::string_view bytes) {
    length_ += bytes.size();
    while (!bytes.empty()) {
      if (filled_ == 0 && bytes.size() >= block_size) {
        compress_(H_, reinterpret_cast<const unsigned char*>(bytes.data()));
        bytes.remove_prefix(block_size);
        continue;
      }
      const std::size_t taken = std::min(block_size - filled_, bytes.size());
      std::memcpy(block_.data() + filled_, bytes.data(), taken);
      bytes.remove_prefix(taken);
      filled_ = (filled_ + taken) % block_size;
      if (filled_ == 0) compress_(H_, block_.data());
    }
  }

  std::string hex() {
    const std::uint64_t bits = 8 * length_;
    update(std::string_view("\x80", 1));
    while (filled_ != block_size - 8) update(std::string_view("\0", 1));
    for (int shift = 56; shift >= 0; shift -= 8) {
      const char byte = static_cast<char>(bits >> shift & 0xff);
      update(std::string_view(&byte, 1));
    }
    return fmt::format("{:08x}", fmt::join(H_, ""));
  }

 private:
  void (*compress_)(State&, const unsigned char*) = compress;
  State H_ = initial;
  Block block_{};
  std::size_t filled_ = 0;  // bytes of block_
  std::uint64_t length_ = 0;
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

std::string sha256_of_bytes(std::string_view bytes, Sha256Code code) {
  Sha256 hash(code);
  hash.update(bytes);
  return hash.hex();
}

}  // namespace mkc::io
