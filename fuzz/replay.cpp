// Reads every seed of a format and randomly damaged copies of it, with a fixed random seed: the
// short run of `make test`, for any compiler. `make fuzz` searches with libFuzzer.
//
//   fuzz_replay FORMAT CORPUS_FOLDER EXECUTIONS
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "targets.hpp"
#include "worker.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes read_bytes(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// One to four small damages: a byte, a number of four bytes, a cut, a block moved or repeated.
Bytes damaged(Bytes bytes, std::mt19937_64& random) {
  const std::uint32_t numbers[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000, 255, 8};
  for (auto left = 1 + random() % 4; left > 0 && !bytes.empty(); --left) {
    const auto at = static_cast<std::ptrdiff_t>(random() % bytes.size());
    const auto length = std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(1 + random() % 16),
                                                 std::ssize(bytes) - at);
    switch (random() % 6) {
      case 0:
        bytes[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random());
        break;
      case 1:
        bytes[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1u << random() % 8);
        break;
      case 2: {
        const std::uint32_t number = numbers[random() % std::size(numbers)];
        for (std::ptrdiff_t i = 0; i < std::min<std::ptrdiff_t>(4, std::ssize(bytes) - at); ++i)
          bytes[static_cast<std::size_t>(at + i)] = static_cast<std::uint8_t>(number >> (8 * i));
        break;
      }
      case 3:
        bytes.erase(bytes.begin() + at, bytes.begin() + at + length);
        break;
      case 4: {
        const Bytes block(bytes.begin() + at, bytes.begin() + at + length);
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(random() % bytes.size()),
                     block.begin(), block.end());
        break;
      }
      default:
        if (random() % 8 == 0) bytes.resize(static_cast<std::size_t>(at));
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "fuzz_replay FORMAT CORPUS_FOLDER EXECUTIONS\n"), 2;
  const std::string format = argv[1];
  mkc::fuzz::prepare();
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2]))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  // HDF5 files in a child, because the library crashes on some.
  mkc::fuzz::Worker worker([&](const std::uint8_t* data, std::size_t size) {
    return mkc::fuzz::read_as(format, data, size);
  });
  const auto read = [&](const Bytes& bytes) {
    return mkc::fuzz::reaches_hdf5(bytes.data(), bytes.size())
               ? worker.read(bytes.data(), bytes.size())
               : mkc::fuzz::read_as(format, bytes.data(), bytes.size());
  };
  if (paths.empty()) return std::fprintf(stderr, "no seeds in %s\n", argv[2]), 1;
  std::mt19937_64 random(1);
  long tried = 0, accepted = 0;
  const long copies = (std::atol(argv[3]) - 1) / std::ssize(paths);  // of every seed, and itself
  for (const auto& path : paths) {
    const Bytes seed = read_bytes(path);
    const bool must_read = path.filename().string().find("refused") == std::string::npos;
    if (read(seed) != must_read) {
      std::fprintf(stderr, "%s: the reader %s it\n", path.c_str(),
                   must_read ? "refuses" : "accepts");
      return 1;
    }
    for (long i = 0; i < copies; ++i, ++tried) {
      const Bytes bytes = damaged(seed, random);
      accepted += read(bytes);
    }
  }
  std::printf("%s: %zu seeds, %ld damaged copies, %ld of them still readable\n", format.c_str(),
              paths.size(), tried, accepted);
  return 0;
}
