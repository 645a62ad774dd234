#include "targets.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "files/manifest.hpp"
#include "files/mask.hpp"
#include "files/read_views.hpp"
#include "mkc/base/error.hpp"
#include "mkc/files/sample_map.hpp"

namespace mkc::fuzz {

namespace {

/// One file, rewritten for every input, in a folder that is removed at the end of the process.
class Scratch {
 public:
  Scratch() {
    const char* memory = "/dev/shm";
    std::error_code error;
    const bool has_memory = std::filesystem::is_directory(memory, error);
    folder_ =
        (has_memory ? std::filesystem::path(memory) : std::filesystem::temp_directory_path()) /
        "mkc-fuzz-XXXXXX";
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no scratch folder");
    owner_ = getpid();
  }
  ~Scratch() {
    std::error_code ignored;
    if (owner_ == getpid()) std::filesystem::remove_all(folder_, ignored);
  }

  std::string write(const std::string& extension, const std::uint8_t* data, std::size_t size) {
    const std::string path = folder_ + "/x" + extension;
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) throw std::runtime_error("cannot write " + path);
    const bool whole = std::fwrite(data, 1, size, file) == size;
    if (std::fclose(file) != 0 || !whole) throw std::runtime_error("cannot write " + path);
    return path;
  }

 private:
  std::string folder_;
  pid_t owner_ = 0;
};

// Kinds of HDF5 files are recognised by their contents, MATLAB 7.3 by its first bytes.
std::string extension_for(std::string_view format, const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (format == "hdf5") return bytes.starts_with("MATLAB") ? ".mat" : ".h5";
  if (format == "map") return ".csv";
  if (format == "mask") return bytes.starts_with("MATLAB") ? ".mat" : ".csv";
  return "." + std::string(format);
}

}  // namespace

bool read_as(std::string_view format, const std::uint8_t* data, std::size_t size) {
  static Scratch scratch;
  const std::string path = scratch.write(extension_for(format, data, size), data, size);
  try {
    if (format == "toml") {
      io::read_manifest(path);
    } else if (format == "mask") {
      io::read_mask(path);
    } else if (format == "map") {
      io::read_sample_map(path);
    } else {
      io::ViewSpec spec;
      spec.path = path;
      io::read_views(spec);
    }
    return true;
  } catch (const InputError& error) {
    const std::string_view what = error.what();
    // A message must name the file. A crash of the HDF5 library is expected, but where its process
    // exits by itself, a sanitizer has found something.
    if (what.find(path) == std::string_view::npos ||
        what.starts_with(path + ": the HDF5 library ended"))
      throw std::logic_error("not a message to show: " + std::string(what));
    return false;
  }
}

}  // namespace mkc::fuzz
