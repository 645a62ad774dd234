#pragma once

#include <filesystem>

/// Hidden files and folders in which results of this process are being built, for a process that
/// must end without destructors.
namespace mkc::io {

void add_unfinished(const std::filesystem::path& path);
void drop_unfinished(const std::filesystem::path& path) noexcept;

/// Removes them all. Other threads may still be writing.
void remove_unfinished() noexcept;

}  // namespace mkc::io
