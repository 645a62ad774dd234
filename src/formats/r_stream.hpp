#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "mkc/base/types.hpp"

struct gzFile_s;  // zlib's open file

namespace mkc::io {

/// The bytes of a file that R wrote, plain or gzip, as the numbers of its serialisation (XDR: the
/// highest byte first). InputError names the byte of the unpacked content where it ends early or
/// claims more than the file can hold.
class RStream {
 public:
  explicit RStream(const std::string& path);

  void bytes(char* to, std::size_t count);
  std::int32_t integer();
  std::uint64_t length();  // of a vector; checked against what can still follow
  void skip(std::uint64_t count);

  /// Doubles, or integers (one of 2^31 values of which is NA) as doubles.
  Vector doubles(std::uint64_t count);
  Vector integers(std::uint64_t count);

  /// Notes memory that was taken for small things, and checks now and then that there is more.
  void took(std::size_t bytes);

  /// Checks that memory for small things is there before it is taken at once.
  void needs(std::size_t bytes) const;

  const std::string& path() const { return path_; }
  [[noreturn]] void fail(const std::string& what) const;

 private:
  struct Close {
    void operator()(gzFile_s* file) const noexcept;
  };
  template <class Number, class Convert>
  Vector numbers(std::uint64_t count, Convert convert);

  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
  std::uint64_t at_ = 0, most_ = 0;  // bytes of content: read, and possible in such a file
  std::size_t taken_ = 0, checked_ = 0;
};

}  // namespace mkc::io
