// Replaces src/files/hdf5_guard.cpp in the fuzzers: the process is already a child (worker.hpp), so
// the reader runs in it.
#include <new>

#include "files/hdf5_guard.hpp"
#include "formats/files.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

std::vector<RawTable> read_in_child(const std::string& path,
                                    const std::function<void(const TableSink&)>& reader,
                                    const FileNamer& spool) {
  require_file(path);
  std::vector<RawTable> tables;
  try {
    reader({[&](RawTable table) { tables.push_back(std::move(table)); }, spool != nullptr});
  } catch (const std::bad_alloc&) {
    throw InputError(path + ": asks for more memory than a file of its size can need");
  }
  return tables;
}

}  // namespace mkc::io
