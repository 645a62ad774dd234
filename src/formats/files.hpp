#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

/// Opening, reading and writing whole files with errors that name the path and the reason.
namespace mkc::io {

/// "No space left on device" for ENOSPC.
std::string reason(int error_number);

/// Opens an input file and returns its descriptor, which the caller closes. Everything that reads a
/// file comes through here. InputError where the path is missing or is no regular file: a folder,
/// pipe, socket or device. None of them blocks.
int open_input(const std::string& path);

/// InputError unless open_input() can open the path.
void require_file(const std::string& path);

/// Whether the path (in any case) ends in the given lower-case extension.
bool has_extension(std::string_view path, std::string_view extension);

/// A descriptor that closes itself.
class FileDescriptor {
 public:
  explicit FileDescriptor(int file) : file_(file) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : file_(other.release()) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int get() const { return file_; }
  int release();

 private:
  int file_;
};
std::uint64_t size_of(const FileDescriptor& file);

/// Bytes at a place of a file, from any thread; InputError, which names the path, where they cannot
/// be read.
void read_at(const FileDescriptor& file, std::uint64_t offset, char* to, std::uint64_t count,
             const std::string& path);

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using FilePointer = std::unique_ptr<std::FILE, CloseFile>;
FilePointer open_for_reading(const std::string& path);
std::uint64_t size_of(std::FILE* file);

/// Bytes read once from front to back: a file, an entry of an archive or a buffer. `read` fills
/// `count` bytes or throws InputError; at most `size` bytes are read in total.
struct ByteSource {
  std::uint64_t size = 0;
  std::function<void(char* to, std::size_t count)> read;
};
ByteSource file_bytes(const std::string& path);

/// The whole file; InputError where it cannot be read or is larger than the memory.
std::string read_whole_file(const std::string& path);

/// The same, but "" where there is no such file.
std::string read_if_there(const std::string& path);

/// The hint for a file whose parts contradict each other.
inline constexpr const char* damaged = "the file is damaged: save or copy it again";

/// A file being written; every call throws OutputError where writing fails.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  void write(std::string_view bytes);
  void overwrite(std::uint64_t at, std::string_view bytes);  // what was written; then on at the end
  void close();  // flushes and checks; a file that is not closed is not complete

 private:
  std::string path_;
  FilePointer file_;
};

}  // namespace mkc::io
