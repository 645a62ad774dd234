#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/npy.hpp"
#include "formats/zip_read.hpp"
#include "formats/zip_write.hpp"
#include "mkc/base/types.hpp"

namespace mkc::io {

/// Arrays in the order of the file, each with its name.
using NamedArrays = std::vector<std::pair<std::string, Array>>;

/// An NPZ file (stored or deflated) that is opened once. InputError for a file that is none, and
/// for two arrays of one name.
class NpzReader {
 public:
  explicit NpzReader(const std::string& path);

  const Strings& names() const { return names_; }  // of the arrays, in the order of the file
  bool has(const std::string& name) const { return entries_.contains(name); }

  /// InputError for a damaged entry, an impossible size, or (with a suggestion) an unknown name.
  Array read(const std::string& name) const;

  /// Writes an array as an NPY file, a part at a time; InputError as for read(), apart from what is
  /// wrong with the array itself.
  void copy(const std::string& name, const std::string& file) const;

 private:
  std::size_t place_of(const std::string& name) const;

  std::string path_;
  ZipReader archive_;
  Strings names_;
  std::unordered_map<std::string, std::size_t> entries_;  // place in the archive
};

/// All arrays.
NamedArrays read_npz(const std::string& path);

/// Writes an NPZ file without compression, each array as it comes. The same arrays give the same
/// bytes. OutputError where writing fails.
class NpzWriter {
 public:
  explicit NpzWriter(const std::string& path);

  void add(const std::string& name, const Matrix& values);
  void add(const std::string& name, const Strings& words);

  /// A matrix in C order that is made some rows at a time: `next` gives those from row `first` on,
  /// at least one, as columns (columns, count).
  void add_rows(const std::string& name, Index rows, Index columns,
                const std::function<Matrix(Index first)>& next);
  void close();  // a file that is not closed is not complete

 private:
  ZipWriter archive_;
};

}  // namespace mkc::io
