#include "formats/npy_decode.hpp"
#include "formats/npz.hpp"

namespace mkc::io {

namespace {

std::string entry_of(const std::string& array) { return array + ".npy"; }

}  // namespace

NpzWriter::NpzWriter(const std::string& path) : archive_(path) {}

void NpzWriter::add(const std::string& name, const Matrix& values) {
  archive_.add(entry_of(name), {npy_header_of(values), bytes_of(values)});
}

void NpzWriter::add(const std::string& name, const Strings& words) {
  archive_.add(entry_of(name), {encode_npy(words)});
}

void NpzWriter::close() { archive_.close(); }

}  // namespace mkc::io
