#include "zip_sums.hpp"

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <numeric>

namespace mkc::fuzz {

namespace {

// Headers of the ZIP format (APPNOTE 6.3, sections 4.3.7 and 4.3.12): signature, size without
// names, and where the numbers are. All are little-endian.
constexpr std::string_view local = "PK\3\4", central = "PK\1\2";
constexpr std::size_t local_size = 30, local_sum = 14, local_name = 26, local_extra = 28,
                      central_size = 46, central_method = 10, central_sum = 16, central_packed = 20,
                      central_local = 42;

std::size_t number(std::string_view bytes, std::size_t at, std::size_t width) {
  std::size_t value = 0;
  for (std::size_t i = width; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

void set_sum(std::string& bytes, std::size_t at, std::size_t sum) {
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(sum >> (8 * i));
}

// The header of the central directory at `entry`, and the local header that it names.
void mend_entry(std::string& archive, std::size_t entry) {
  if (number(archive, entry + central_method, 2) != 0) return;  // compressed
  const std::size_t header = number(archive, entry + central_local, 4),
                    size = number(archive, entry + central_packed, 4);
  if (header + local_size > archive.size() || archive.compare(header, local.size(), local) != 0)
    return;
  const std::size_t begin = header + local_size + number(archive, header + local_name, 2) +
                            number(archive, header + local_extra, 2);
  if (begin > archive.size() || size > archive.size() - begin) return;
  const std::size_t sum =
      crc32(0, reinterpret_cast<const Bytef*>(archive.data()) + begin, static_cast<uInt>(size));
  set_sum(archive, header + local_sum, sum);
  set_sum(archive, entry + central_sum, sum);
}

}  // namespace

std::string with_right_sums(std::string_view archive) {
  std::string mended(archive);
  if (std::accumulate(archive.begin(), archive.end(), 0u) % 8 == 0) return mended;
  for (std::size_t entry = mended.find(central);
       entry != std::string::npos && entry + central_size <= mended.size();
       entry = mended.find(central, entry + central_size))
    mend_entry(mended, entry);
  return mended;
}

}  // namespace mkc::fuzz
