#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mkc/base/types.hpp"

namespace mkc::io {

class OutputFile;

/// Writes a MATLAB 5 file without compression, which MATLAB, Octave and SciPy read. The same
/// variables give the same bytes. OutputError where writing fails, or a variable has more than
/// 2 GiB, the limit of the format.
class MatWriter {
 public:
  explicit MatWriter(const std::string& path);
  ~MatWriter();

  void add(const std::string& name, const Matrix& values);
  void add_stack(const std::string& name, const std::vector<Matrix>& slices);  // N x N x M
  void add_cells(const std::string& name, const std::vector<Matrix>& cells);   // 1 x M
  void add_words(const std::string& name, const Strings& words);               // cellstr, n x 1
  void close();  // without it the file is not complete

 private:
  void begin(const std::string& name, std::size_t content);

  std::string path_;
  std::unique_ptr<OutputFile> file_;
};

}  // namespace mkc::io
