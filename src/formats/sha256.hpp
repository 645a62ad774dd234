#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace mkc::io {

enum class Sha256Code { fastest, portable };  // portable: without instructions of the processor

/// SHA-256 as 64 hexadecimal digits. InputError where the file cannot be read.
std::string sha256_of_file(const std::string& path);
std::string sha256_of_file(std::FILE* file, const std::string& path);  // from where it is read
std::string sha256_of_bytes(std::string_view bytes, Sha256Code code = Sha256Code::fastest);

}  // namespace mkc::io
