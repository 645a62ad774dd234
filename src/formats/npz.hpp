#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/npy.hpp"
#include "mkc/base/types.hpp"

struct zip;  // libzip's open archive

namespace mkc::io {

struct DiscardZip {
  void operator()(zip* archive) const noexcept;
};
using ZipArchive = std::unique_ptr<zip, DiscardZip>;

/// An archive opened with flags of libzip, or null and the reason.
ZipArchive open_zip(const std::string& path, int flags, std::string& reason);

/// Arrays in the order of the file, each with its name.
using NamedArrays = std::vector<std::pair<std::string, Array>>;

/// Names of the arrays of an NPZ file (stored or deflated).
Strings list_npz(const std::string& path);

/// All arrays, or one. InputError for a damaged entry, an impossible size, two arrays of one
/// name, or (with a suggestion) an unknown name.
NamedArrays read_npz(const std::string& path);
Array read_npz_array(const std::string& path, const std::string& name);

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
