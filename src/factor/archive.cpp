#include "factor/archive.hpp"

#include <bit>
#include <charconv>

#include <fmt/format.h>

#include "mkc/base/error.hpp"

namespace mkc::factor {

namespace {

constexpr const char* format_version = "1";

// A stream of 64-bit words to 64 bits: SplitMix64's mixing after every word.
class Digest {
 public:
  explicit Digest(std::uint64_t start) : state_(start) {}
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) + 0x9e3779b97f4a7c15ULL;
    state_ = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9ULL;
    state_ = (state_ ^ (state_ >> 27)) * 0x94d049bb133111ebULL;
    state_ ^= state_ >> 31;
  }
  void add(const std::string& text) {
    add(text.size());
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_;
};

}  // namespace

void put(Arrays& arrays, const std::string& name, const std::string& value) {
  arrays.words.emplace_back(name, value);
}
void put(Arrays& arrays, const std::string& name, const Matrix& value) {
  arrays.matrices.emplace_back(name, value);
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

void get(const Arrays& arrays, const std::string& name, std::string& value) {
  value = arrays.word(name);
}
void get(const Arrays& arrays, const std::string& name, Matrix& value) {
  value = arrays.matrix(name);
}
void get(const Arrays& arrays, const std::string& name, Vector& value) {
  const Matrix& column = arrays.matrix(name);
  value = Eigen::Map<const Vector>(column.data(), column.size());
}
void get(const Arrays& arrays, const std::string& name, double& value) {
  const Matrix& one = arrays.matrix(name);
  if (one.size() != 1)
    throw InputError(fmt::format("{}: '{}' has {} numbers, not 1", arrays.kind, name, one.size()));
  value = one(0, 0);
}
template <class Whole>
void get_whole(const Arrays& arrays, const std::string& name, Whole& value) {
  const std::string& text = arrays.word(name);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw InputError(fmt::format("{}: '{}' is '{}', not a number", arrays.kind, name, text));
}
void get(const Arrays& arrays, const std::string& name, Index& value) {
  get_whole(arrays, name, value);
}
void get(const Arrays& arrays, const std::string& name, std::uint64_t& value) {
  get_whole(arrays, name, value);
}
void get(const Arrays& arrays, const std::string& name, bool& value) {
  value = arrays.word(name) == "yes";
}
void get(const Arrays& arrays, const std::string& name, Mask& value) {
  value = arrays.matrix(name).array() != 0;
}
void get(const Arrays& arrays, const std::string& name, Indices& value) {
  const Matrix& column = arrays.matrix(name);
  value.clear();
  for (Index i = 0; i < column.size(); ++i) value.push_back(static_cast<Index>(column.data()[i]));
}
void get(const Arrays& arrays, const std::string& name, std::vector<double>& value) {
  const Matrix& column = arrays.matrix(name);
  value.assign(column.data(), column.data() + column.size());
}
void get(const Arrays& arrays, const std::string& name, Pattern& value) {
  value.clear();
  for (const char digit : arrays.word(name)) value.push_back(digit == '1');
}
void get(const Arrays& arrays, const std::string& name, KernelOptions& value) {
  OptionValues values = kernel_option_table().values({});
  for (auto& [option, text] : values) text = arrays.word(name + "/" + option);
  value = kernel_option_table().parse(values);
  const Matrix& widths = arrays.matrix(name + "/widths");
  value.gamma.value = widths(0);
  value.coef0 = widths(1);
  value.library_size.value = widths(2);
}

std::string content_id(const Arrays& arrays) {
  Digest first(0x6d6b63), second(0x666163746f72);
  const auto both = [&](const auto& what) {
    first.add(what);
    second.add(what);
  };
  both(std::string(format_version));
  both(arrays.kind);
  for (const auto& [name, text] : arrays.words)
    if (name != "id") {
      both(name);
      both(text);
    }
  for (const auto& [name, matrix] : arrays.matrices) {
    both(name);
    both(static_cast<std::uint64_t>(matrix.rows()));
    both(static_cast<std::uint64_t>(matrix.cols()));
    for (Index i = 0; i < matrix.size(); ++i) both(std::bit_cast<std::uint64_t>(matrix.data()[i]));
  }
  return fmt::format("{:016x}{:016x}", first.value(), second.value());
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
