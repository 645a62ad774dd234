#include "formats/npy_decode.hpp"
#include "formats/npy_header.hpp"
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

void NpzWriter::add_rows(const std::string& name, Index rows, Index columns,
                         const std::function<Matrix(Index first)>& next) {
  const std::string header = make_npy_header("<f8", false, {rows, columns});
  archive_.begin(entry_of(name),
                 header.size() + static_cast<std::uint64_t>(rows * columns) * sizeof(double));
  archive_.append(header);
  for (Index first = 0; first < rows;) {
    const Matrix block = next(first);
    archive_.append(bytes_of(block));
    first += block.cols();
  }
  archive_.end();
}

void NpzWriter::close() { archive_.close(); }

}  // namespace mkc::io
