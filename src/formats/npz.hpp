#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/npy.hpp"
#include "formats/zip_read.hpp"
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
  std::uint64_t place_of(const std::string& name) const;

  std::string path_;
  ZipArchive archive_;
  Strings names_;
  std::unordered_map<std::string, std::uint64_t> entries_;  // place in the archive
};

/// All arrays.
NamedArrays read_npz(const std::string& path);

/// Writes an NPZ file without compression. The same arrays give the same bytes.
class NpzWriter {
 public:
  explicit NpzWriter(const std::string& path);

  void add(const std::string& name, const Matrix& values);  // borrowed: must live until close()
  void add(const std::string& name, Matrix&& values);       // owned
  void add(const std::string& name, const Strings& words);  // copied

  /// Writes the file; OutputError where writing fails. Without close() nothing is written.
  void close();

 private:
  void add_parts(const std::string& name, std::string_view header, std::string_view data);

  std::string path_;
  std::deque<std::string> bytes_;  // headers and words: read by close()
  std::deque<Matrix> matrices_;
  ZipArchive archive_;  // after what it refers to
};

}  // namespace mkc::io
