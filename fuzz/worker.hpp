#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace mkc::fuzz {

/// A child process that reads one input after another. The HDF5 library may crash on any of them;
/// mkc itself forks a child for each file (src/files/hdf5_guard.hpp), which under a sanitizer costs
/// ten times the reading. Here a child lives until it crashes, or for some thousand inputs.
class Worker {
 public:
  using Read = std::function<bool(const std::uint8_t*, std::size_t)>;

  explicit Worker(Read read);
  ~Worker() { stop(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Reads the input in the child; whether the reader accepted it. A signal that ends the child is
  /// a crash of the library: not accepted. A child that exits by itself is a finding of a
  /// sanitizer, so this process aborts.
  bool read(const std::uint8_t* data, std::size_t size);
  /// Whether the library crashed on the last input, or took too long.
  bool crashed() const { return child_ < 0; }

 private:
  void start();
  int stop();  // how the child ended
  [[noreturn]] void serve(int requests, int answers);

  Read read_;
  std::uint8_t* shared_ = nullptr;  // the input
  pid_t child_ = -1;
  int requests_ = -1, answers_ = -1;  // ends of two pipes: sizes out, one byte back
  std::size_t served_ = 0;
};

}  // namespace mkc::fuzz
