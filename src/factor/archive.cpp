#include "factor/archive.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/digest.hpp"
#include "mkc/base/error.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::factor {

namespace {

constexpr const char* format_version = "2";

}  // namespace

void put(Arrays& arrays, const std::string& name, const std::string& value) {
  arrays.words.emplace_back(name, value);
}
void put(Arrays& arrays, const std::string& name, Matrix value) {
  arrays.matrices.emplace_back(name, std::move(value));
}
void put(Arrays& arrays, const std::string& name, const Vector& value) {
  put(arrays, name, Matrix(value));
}
void put(Arrays& arrays, const std::string& name, double value) {
  put(arrays, name, Matrix(Matrix::Constant(1, 1, value)));
}
void put(Arrays& arrays, const std::string& name, Index value) {
  put(arrays, name, std::to_string(value));
}
void put(Arrays& arrays, const std::string& name, std::uint64_t value) {
  put(arrays, name, std::to_string(value));
}
void put(Arrays& arrays, const std::string& name, bool value) {
  put(arrays, name, std::string(value ? "yes" : "no"));
}
void put(Arrays& arrays, const std::string& name, const Mask& value) {
  put(arrays, name, Matrix(value.cast<double>().matrix()));
}
void put(Arrays& arrays, const std::string& name, const Indices& value) {
  Matrix column(std::ssize(value), 1);
  for (std::size_t i = 0; i < value.size(); ++i)
    column(static_cast<Index>(i), 0) = static_cast<double>(value[i]);
  put(arrays, name, column);
}
void put(Arrays& arrays, const std::string& name, const std::vector<double>& value) {
  put(arrays, name, Matrix(Eigen::Map<const Vector>(value.data(), std::ssize(value))));
}
void put(Arrays& arrays, const std::string& name, const Pattern& value) {
  std::string digits;
  for (const bool one : value) digits += one ? '1' : '0';
  put(arrays, name, digits);
}
void put(Arrays& arrays, const std::string& name, const KernelOptions& value) {
  for (const auto& [option, text] : kernel_option_table().values(value))
    put(arrays, name + "/" + option, text);
  put(arrays, name + "/widths",
      Matrix(Eigen::RowVector3d(value.gamma.value, value.coef0, value.library_size.value)));
}

void put(Arrays& arrays, const std::string& name, const LowerTriangle& value) {
  const Index n = value.whole.rows();
  Matrix packed(n * (n + 1) / 2, 1);
  for (Index j = 0, first = 0; j < n; first += n - j, ++j)
    packed.middleRows(first, n - j) = value.whole.col(j).tail(n - j);
  put(arrays, name, std::move(packed));
}

Entries::Entries(Arrays arrays) : arrays_(std::move(arrays)) {
  for (const auto& [name, word] : arrays_.words) words_.emplace(name, &word);
  for (auto& [name, matrix] : arrays_.matrices) matrices_.emplace(name, &matrix);
}

void Entries::fail(const std::string& name) const {
  throw InputError(fmt::format("{}: the entry '{}' is missing", kind(), name),
                   "it is incomplete or was made by another version: make it again");
}

const std::string& Entries::word(const std::string& name) const {
  const auto found = words_.find(name);
  if (found == words_.end()) fail(name);
  return *found->second;
}

Matrix Entries::take(const std::string& name) {
  const auto found = matrices_.find(name);
  if (found == matrices_.end()) fail(name);
  Matrix taken = std::move(*found->second);
  matrices_.erase(found);
  return taken;
}

void get(Entries& entries, const std::string& name, std::string& value) {
  value = entries.word(name);
}
void get(Entries& entries, const std::string& name, Matrix& value) { value = entries.take(name); }
void get(Entries& entries, const std::string& name, Vector& value) {
  const Matrix column = entries.take(name);
  value = Eigen::Map<const Vector>(column.data(), column.size());
}
void get(Entries& entries, const std::string& name, double& value) {
  const Matrix one = entries.take(name);
  if (one.size() != 1)
    throw InputError(
        fmt::format("{}: '{}' has {} numbers, not 1", entries.kind(), name, one.size()));
  value = one(0, 0);
}
template <class Whole>
void get_whole(const Entries& entries, const std::string& name, Whole& value) {
  const std::string& text = entries.word(name);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw InputError(fmt::format("{}: '{}' is '{}', not a number", entries.kind(), name, text));
}
void get(Entries& entries, const std::string& name, Index& value) {
  get_whole(entries, name, value);
}
void get(Entries& entries, const std::string& name, std::uint64_t& value) {
  get_whole(entries, name, value);
}
void get(Entries& entries, const std::string& name, bool& value) {
  value = entries.word(name) == "yes";
}
void get(Entries& entries, const std::string& name, Mask& value) {
  value = entries.take(name).array() != 0;
}
void get(Entries& entries, const std::string& name, Indices& value) {
  const Matrix column = entries.take(name);
  value.clear();
  for (Index i = 0; i < column.size(); ++i) value.push_back(static_cast<Index>(column.data()[i]));
}
void get(Entries& entries, const std::string& name, std::vector<double>& value) {
  const Matrix column = entries.take(name);
  value.assign(column.data(), column.data() + column.size());
}
void get(Entries& entries, const std::string& name, Pattern& value) {
  value.clear();
  for (const char digit : entries.word(name)) value.push_back(digit == '1');
}
void get(Entries& entries, const std::string& name, KernelOptions& value) {
  OptionValues values = kernel_option_table().values({});
  for (auto& [option, text] : values) text = entries.word(name + "/" + option);
  value = kernel_option_table().parse(values);
  const Matrix widths = entries.take(name + "/widths");
  if (widths.size() != 3)
    throw InputError(
        fmt::format("{}: '{}' has {} widths, not 3", entries.kind(), name, widths.size()));
  value.gamma.value = widths(0);
  value.coef0 = widths(1);
  value.library_size.value = widths(2);
}

void get(Entries& entries, const std::string& name, LowerTriangle& value) {
  const Matrix packed = entries.take(name);
  const auto n = static_cast<Index>(std::sqrt(2.0 * static_cast<double>(packed.size())));
  if (n * (n + 1) / 2 != packed.size())
    throw InputError(
        fmt::format("{}: '{}' has {} numbers, no triangle", entries.kind(), name, packed.size()));
  value.whole = Matrix::Zero(n, n);
  for (Index j = 0, first = 0; j < n; first += n - j, ++j)
    value.whole.col(j).tail(n - j) = packed.middleRows(first, n - j);
  if (value.mirrored) linalg::mirror_lower(value.whole);
}

std::string content_id(const Arrays& arrays) {
  Digest digest;
  digest.add(format_version);
  digest.add(arrays.kind);
  for (const auto& [name, text] : arrays.words)
    if (name != "id") {
      digest.add(name);
      digest.add(text);
    }
  for (const auto& [name, matrix] : arrays.matrices) {
    digest.add(fmt::format("{}: {} x {}", name, matrix.rows(), matrix.cols()));
    digest.add({reinterpret_cast<const char*>(matrix.data()),
                static_cast<std::size_t>(matrix.size()) * sizeof(double)});
  }
  return digest.text();
}

Arrays closed(Arrays arrays) {
  const std::string id = content_id(arrays);
  arrays.words.emplace_back("id", id);
  return arrays;
}

void check_content(const Arrays& arrays, const std::string& kind) {
  if (arrays.kind != kind)
    throw InputError(fmt::format("this is a {}, not a {}",
                                 arrays.kind.empty() ? "nameless thing" : arrays.kind, kind));
  if (arrays.word("id") != content_id(arrays))
    throw InputError(fmt::format("{}: its content is not what was written", kind),
                     "it was damaged, or another version of mkc made it: make it again");
}

}  // namespace mkc::factor
