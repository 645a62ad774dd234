#include "formats/npy_rows.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "formats/files.hpp"
#include "formats/npy_decode.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr Index cells_per_block = Index{1} << 20;
constexpr std::uint64_t longest_gap = 1 << 12;  // bytes that are read rather than skipped

/// Where the rows lie in the file, ascending; order[k] is the place of the k-th of them.
Indices ascending(const Indices& rows) {
  Indices order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  if (!std::is_sorted(rows.begin(), rows.end()))
    std::sort(order.begin(), order.end(),
              [&](Index a, Index b) { return rows[at(a)] < rows[at(b)]; });
  return order;
}

bool are_neighbours(const Indices& rows) {
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i] != rows[i - 1] + 1) return false;
  return !rows.empty();
}

NpyHeader checked_start(int file, const std::string& path, std::uint64_t& start) {
  std::uint64_t at = 0;
  const off_t end = lseek(file, 0, SEEK_END);
  const ByteSource bytes{
      end < 0 ? 0 : static_cast<std::uint64_t>(end), [&](char* to, std::size_t count) {
        const ssize_t got = pread(file, to, count, static_cast<off_t>(at));
        if (got != static_cast<ssize_t>(count))
          throw InputError(
              fmt::format("cannot read '{}': {}", path, got < 0 ? reason(errno) : "it is cut off"));
        at += count;
      }};
  const NpyStart found = read_npy_start(bytes, path);
  const NpyHeader& header = found.header;
  if (header.kind == 'U' || header.kind == 'S' || header.shape.size() != 2 || header.count == 0)
    throw InputError(fmt::format("{}: {} of shape {}, a matrix of numbers is needed", path,
                                 header.kind == 'U' || header.kind == 'S' ? "text" : "numbers",
                                 format_shape(header.shape)));
  start = found.size;
  return header;
}

}  // namespace

Index RowSource::rows_at_once() const {
  return std::max<Index>(1, cells_per_block / std::max<Index>(1, columns()));
}

void RowSource::read_segment(Index row, Index first, Index count, double* to) const {
  const Matrix whole = read_rows(*this, row, 1);
  std::copy_n(whole.data() + first, count, to);
}

Matrix read_rows(const RowSource& source, Index first, Index count) {
  Indices rows(at(count));
  std::iota(rows.begin(), rows.end(), first);
  Matrix values(source.columns(), count);
  source.read(rows, values);
  return values;
}

NpyRows::NpyRows(const std::string& path, const std::string& where)
    : name_(path),
      path_(where.empty() ? path : where),
      file_(open_input(path)),
      header_(checked_start(file_.get(), path_, start_)),
      convert_(number_converter(header_.kind, header_.item_size)) {}

void NpyRows::read_values(std::uint64_t first, std::uint64_t count, double* to) const {
  const std::uint64_t size = header_.item_size, offset = start_ + first * size;
  if (header_.kind == 'f' && size == 8 && !header_.big_endian)
    return read_at(file_, offset, reinterpret_cast<char*>(to), count * size, path_);
  std::string bytes(count * size, '\0');
  read_at(file_, offset, bytes.data(), bytes.size(), path_);
  if (header_.big_endian) swap_bytes(bytes.data(), count, size);
  convert_(bytes.data(), count, to);
}

Index NpyRows::rows_at_once() const {
  // by columns every column is a read of its own: long ones
  return (by_columns() ? 8 : 1) * RowSource::rows_at_once();
}

/// Rows that lie close to each other in the file are read at once.
void NpyRows::read(const Indices& wanted, MutableMatrixRef to) const {
  const Index d = columns(), n = rows();
  if (!by_columns() && to.outerStride() == d && are_neighbours(wanted))
    return read_values(static_cast<std::uint64_t>(wanted.front() * d),
                       static_cast<std::uint64_t>(to.size()), to.data());
  const Indices order = ascending(wanted);
  const std::uint64_t row_bytes = static_cast<std::uint64_t>(d) * header_.item_size;
  const Index gap = by_columns() ? 1 : 1 + static_cast<Index>(longest_gap / row_bytes);
  Matrix run;
  for (std::size_t k = 0; k < order.size();) {
    const Index first = wanted[at(order[k])];
    std::size_t end = k + 1;
    while (end < order.size() && wanted[at(order[end])] - wanted[at(order[end - 1])] <= gap) ++end;
    const Index count = wanted[at(order[end - 1])] - first + 1;
    if (by_columns()) {
      run.resize(count, d);
      for (Index j = 0; j < d; ++j)
        read_values(static_cast<std::uint64_t>(j * n + first), static_cast<std::uint64_t>(count),
                    run.col(j).data());
      for (; k < end; ++k) to.col(order[k]) = run.row(wanted[at(order[k])] - first).transpose();
      continue;
    }
    run.resize(d, count);
    read_values(static_cast<std::uint64_t>(first * d), static_cast<std::uint64_t>(count * d),
                run.data());
    for (; k < end; ++k) to.col(order[k]) = run.col(wanted[at(order[k])] - first);
  }
}

void NpyRows::read_segment(Index row, Index first, Index count, double* to) const {
  if (by_columns()) return RowSource::read_segment(row, first, count, to);
  read_values(static_cast<std::uint64_t>(row * columns() + first),
              static_cast<std::uint64_t>(count), to);
}

NpyRowWriter::NpyRowWriter(const std::string& path, Index columns)
    : path_(path),
      file_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666)),
      columns_(columns) {
  if (file_.get() < 0) throw OutputError(path_, reason(errno));
  const std::string room(header_size, ' ');
  write(room.data(), room.size());
}

void NpyRowWriter::write(const char* bytes, std::uint64_t count) {
  while (count > 0) {
    const ssize_t done = ::write(file_.get(), bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) throw OutputError(path_, reason(errno));
    bytes += done;
    count -= static_cast<std::uint64_t>(done);
  }
}

void NpyRowWriter::add(const MatrixRef& rows) {
  if (rows.rows() != columns_)
    throw std::logic_error(
        fmt::format("{}: rows of {} values in a file of {} columns", path_, rows.rows(), columns_));
  if (rows.outerStride() == rows.rows()) {
    write(reinterpret_cast<const char*>(rows.data()),
          static_cast<std::uint64_t>(rows.size()) * sizeof(double));
  } else {
    for (Index i = 0; i < rows.cols(); ++i)
      write(reinterpret_cast<const char*>(rows.col(i).data()),
            static_cast<std::uint64_t>(columns_) * sizeof(double));
  }
  rows_ += rows.cols();
}

void NpyRowWriter::add_bytes(std::string_view bytes) {
  write(bytes.data(), bytes.size());
  loose_ += bytes.size();
  const std::uint64_t row_size = static_cast<std::uint64_t>(columns_) * sizeof(double);
  rows_ += static_cast<Index>(loose_ / row_size);
  loose_ %= row_size;
}

void NpyRowWriter::close() {
  const std::string header = make_npy_header("<f8", false, {rows_, columns_});
  if (header.size() != header_size) throw std::logic_error(path_ + ": header of another size");
  if (pwrite(file_.get(), header.data(), header.size(), 0) != static_cast<ssize_t>(header.size()))
    throw OutputError(path_, reason(errno));
  if (::close(file_.release()) != 0) throw OutputError(path_, reason(errno));
}

void copy_rows(const RowSource& source, const std::string& path) {
  NpyRowWriter writer(path, source.columns());
  const Index most = source.rows_at_once();
  for (Index first = 0; first < source.rows(); first += most)
    writer.add(read_rows(source, first, std::min(most, source.rows() - first)));
  writer.close();
}

}  // namespace mkc::io
