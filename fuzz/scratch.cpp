#include "scratch.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace mkc::fuzz {

namespace fs = std::filesystem;

Scratch::Scratch() {
  const char* memory = "/dev/shm";
  std::error_code error;
  folder_ = (fs::is_directory(memory, error) ? fs::path(memory) : fs::temp_directory_path()) /
            "mkc-fuzz-XXXXXX";
  if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no scratch folder");
  owner_ = getpid();
}

Scratch::~Scratch() {
  std::error_code ignored;
  if (owner_ == getpid()) fs::remove_all(folder_, ignored);
}

std::string Scratch::write(const std::string& name, std::string_view bytes) const {
  const std::string path = folder_ + "/" + name;
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) throw std::runtime_error("cannot write " + path);
  const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  if (std::fclose(file) != 0 || !whole) throw std::runtime_error("cannot write " + path);
  return path;
}

std::string read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace mkc::fuzz
