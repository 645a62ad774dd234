#pragma once

#include <string>

#include "formats/hdf5.hpp"
#include "mkc/base/types.hpp"

namespace mkc::io::h5 {

/// Writes an HDF5 file; paths are like "views/rna/K", their groups are created. The same calls
/// give the same bytes. OutputError where writing fails.
class Writer {
 public:
  /// `userblock` bytes are left free at the front of the file.
  explicit Writer(const std::string& path, hsize_t userblock = 0);

  void group(const std::string& path);
  void matrix(const std::string& path, const Matrix& values);
  void words(const std::string& path, const Strings& words);
  void flags(const std::string& path, const std::vector<bool>& values);  // as h5py writes bool
  void counts(const std::string& path, const Indices& values);           // int64

  /// Attributes of an object that exists; "/" is the root.
  void attribute(const std::string& path, const std::string& name, const std::string& value);
  void attribute(const std::string& path, const std::string& name, const Strings& values);
  void attribute(const std::string& path, const std::string& name, std::int64_t value);

  void close();  // without it the file is not complete

 private:
  [[noreturn]] void fail(const std::string& what) const;
  Handle make_dataset(const std::string& path, hid_t type, const Indices& shape);
  void list(const std::string& path, hid_t type, std::size_t count, const void* values);
  void attribute(const std::string& path, const std::string& name, hid_t type, hid_t space,
                 const void* value);  // null: no values
  void check(herr_t result, const std::string& what) const {
    if (result < 0) fail(what);
  }

  std::string path_;
  Handle file_;
};

}  // namespace mkc::io::h5
