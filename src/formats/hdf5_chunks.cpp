#include <zlib.h>

#include <array>
#include <vector>

#include "formats/hdf5.hpp"
#include "formats/hdf5_parts.hpp"

namespace mkc::io::h5 {

namespace {

constexpr std::uint64_t largest_packed = std::uint64_t{1} << 30;

/// Bytes of one chunk when it is unpacked; 0 where the library would refuse the sizes.
std::uint64_t chunk_bytes(const Node& dataset, hid_t plan) {
  std::array<hsize_t, H5S_MAX_RANK> sizes{};
  const int dimensions = H5Pget_chunk(plan, H5S_MAX_RANK, sizes.data());
  const Handle type(H5Dget_type(dataset.id), H5Tclose);
  std::uint64_t bytes = H5Tget_size(type);
  for (int i = 0; i < dimensions; ++i)
    if (__builtin_mul_overflow(bytes, sizes[static_cast<std::size_t>(i)], &bytes)) return 0;
  return bytes;
}

/// Whether chunks are streams of zlib: deflate was the last of the filters when they were written.
bool ends_in_deflate(hid_t plan) {
  const int filters = H5Pget_nfilters(plan);
  if (filters < 1) return false;
  unsigned flags = 0, settings = 0;
  std::size_t values = 0;
  return H5Pget_filter2(plan, static_cast<unsigned>(filters - 1), &flags, &values, nullptr, 0,
                        nullptr, &settings) == H5Z_FILTER_DEFLATE;
}

/// The first chunk as it is stored; empty where there is none, or where it was stored without its
/// filters.
std::vector<unsigned char> first_chunk(const Node& dataset, const Indices& sizes) {
  const Handle space(H5Dget_space(dataset.id), H5Sclose);
  hsize_t chunks = 0, bytes = 0;
  std::vector<hsize_t> offset(sizes.size());
  unsigned left_out = 0;
  haddr_t address = 0;
  if (H5Dget_num_chunks(dataset.id, space, &chunks) < 0 || chunks == 0) return {};
  if (H5Dget_chunk_info(dataset.id, space, 0, offset.data(), &left_out, &address, &bytes) < 0 ||
      left_out != 0 || bytes > largest_packed)
    return {};
  std::vector<unsigned char> packed(bytes);
  std::uint32_t filters = 0;
  if (H5Dread_chunk(dataset.id, H5P_DEFAULT, offset.data(), &filters, packed.data()) < 0) return {};
  return packed;
}

/// Bytes that a zlib stream unpacks to, as far as it goes, or the first number above `most`.
std::uint64_t unpacked_bytes(std::vector<unsigned char>& packed, std::uint64_t most) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return 0;
  std::array<unsigned char, 1 << 16> part{};
  stream.next_in = packed.data();
  stream.avail_in = static_cast<uInt>(packed.size());
  std::uint64_t bytes = 0;
  int status = Z_OK;
  while (status == Z_OK && bytes <= most) {
    stream.next_out = part.data();
    stream.avail_out = part.size();
    status = inflate(&stream, Z_NO_FLUSH);
    bytes += part.size() - stream.avail_out;
  }
  inflateEnd(&stream);
  return bytes;
}

}  // namespace

void check_chunks(const Node& dataset, hid_t plan) {
  if (H5Pget_layout(plan) != H5D_CHUNKED || !ends_in_deflate(plan)) return;
  std::vector<unsigned char> packed = first_chunk(dataset, shape(dataset));
  if (packed.empty()) return;
  const std::uint64_t expected = chunk_bytes(dataset, plan);
  if (unpacked_bytes(packed, expected) < expected)
    fail(dataset.where, "its packed blocks are smaller than the file says", damaged);
}

}  // namespace mkc::io::h5
