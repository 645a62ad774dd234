#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>

#include <csignal>
#include <string>

#include "formats/npy_decode.hpp"
#include "mkc/base/error.hpp"
#include "support/source_file.hpp"
#include "support/temp_dir.hpp"

namespace mkc::io::test {

using mkc::test::read_file;
using mkc::test::source_file;
using mkc::test::TempDir;

/// The message of the InputError an action throws.
template <class Action>
InputError input_error(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error;
  }
  ADD_FAILURE() << "no InputError was thrown";
  return InputError("nothing thrown");
}

template <class Action>
std::string message(Action action) {
  return input_error(action).what();
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_TRUE(contains(text, part)) << "'" << part << "' not in: " << text;
}

inline std::string gzip(std::string_view text) {
  const TempDir folder;
  gzFile file = gzopen(folder.file("x.gz").c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return read_file(folder.file("x.gz"));
}

/// What numpy.save writes: a matrix (in Fortran order) or words.
inline void write_npy(const std::string& path, const Matrix& values) {
  OutputFile file(path);
  file.write(npy_header_of(values));
  file.write(bytes_of(values));
  file.close();
}
inline void write_npy(const std::string& path, const Strings& words) {
  OutputFile file(path);
  file.write(encode_npy(words));
  file.close();
}

/// While it lives, writing a file beyond this size fails, as it does on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

}  // namespace mkc::io::test
