// Replaces src/files/hdf5_guard.cpp in the fuzzers: the process is already a child (worker.hpp), so
// the reader runs in it.
#include <new>

#include "files/hdf5_guard.hpp"
#include "formats/files.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

std::vector<View> read_in_child(const std::string& path,
                                const std::function<void(const ViewSink&)>& reader) {
  require_file(path);
  std::vector<View> views;
  try {
    reader([&](View view) { views.push_back(std::move(view)); });
  } catch (const std::bad_alloc&) {
    throw InputError(path + ": asks for more memory than a file of its size can need");
  }
  return views;
}

}  // namespace mkc::io
