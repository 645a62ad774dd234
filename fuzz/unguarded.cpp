// Replaces src/files/hdf5_guard.cpp in the fuzzers: the process is already a child (worker.hpp), so
// the reader runs in it.
#include <new>

#include "files/hdf5_guard.hpp"
#include "formats/files.hpp"
#include "formats/npy_rows.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

std::vector<RawTable> read_in_child(const std::string& path,
                                    const std::function<void(const TableSink&)>& reader,
                                    const FileNamer& spool) {
  require_file(path);
  std::vector<RawTable> tables;
  const auto take = [&](RawTable table) {
    if (spool) {  // the file is open no longer than its reader runs
      const auto rows = std::exchange(table.rows, nullptr);
      if (rows->rows() > 0 && rows->columns() > 0) {
        const std::string copy = spool();
        copy_rows(*rows, copy);
        table.rows = std::make_shared<NpyRows>(copy, place_of(table));
      }
    }
    tables.push_back(std::move(table));
  };
  try {
    reader({take, spool != nullptr});
  } catch (const std::bad_alloc&) {
    throw InputError(path + ": asks for more memory than a file of its size can need");
  }
  return tables;
}

}  // namespace mkc::io
