#pragma once

#include <filesystem>

namespace mkc::test {

/// A file of the repository, named from its root.
std::filesystem::path source_file(const std::filesystem::path& name);

}  // namespace mkc::test
