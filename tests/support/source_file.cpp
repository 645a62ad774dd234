#include "support/source_file.hpp"

namespace mkc::test {

std::filesystem::path source_file(const std::filesystem::path& name) {
  return std::filesystem::path(MKC_SOURCE_DIR) / name;
}

}  // namespace mkc::test
