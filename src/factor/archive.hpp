#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "factor/rows.hpp"
#include "mkc/factor/arrays.hpp"
#include "mkc/kernels/kernel_options.hpp"

/// One description of what an object holds serves writing and reading: fields(archive, object)
/// calls archive(name, field) for each of its fields, and nested objects get nested names.
namespace mkc::factor {

/// A symmetric matrix of which the lower triangle is kept, column after column. Read, it is
/// mirrored, or the other triangle is zero.
struct LowerTriangle {
  Matrix& whole;
  bool mirrored;
};

/// Conversions of plain values; names are unique within an object.
void put(Arrays& arrays, const std::string& name, const std::string& value);
void put(Arrays& arrays, const std::string& name, Matrix value);
void put(Arrays& arrays, const std::string& name, const Vector& value);
void put(Arrays& arrays, const std::string& name, double value);
void put(Arrays& arrays, const std::string& name, Index value);
void put(Arrays& arrays, const std::string& name, std::uint64_t value);
void put(Arrays& arrays, const std::string& name, bool value);
void put(Arrays& arrays, const std::string& name, const Mask& value);
void put(Arrays& arrays, const std::string& name, const Indices& value);
void put(Arrays& arrays, const std::string& name, const std::vector<double>& value);
void put(Arrays& arrays, const std::string& name, const Pattern& value);
void put(Arrays& arrays, const std::string& name, const KernelOptions& value);
void put(Arrays& arrays, const std::string& name, const LowerTriangle& value);

/// What arrays hold, by name. Matrices are moved out of them: each can be taken once.
class Entries {
 public:
  explicit Entries(Arrays arrays);
  Entries(const Entries&) = delete;
  Entries& operator=(const Entries&) = delete;

  const std::string& kind() const { return arrays_.kind; }
  const std::string& word(const std::string& name) const;  // InputError where there is none
  Matrix take(const std::string& name);

 private:
  [[noreturn]] void fail(const std::string& name) const;

  Arrays arrays_;
  std::unordered_map<std::string_view, const std::string*> words_;
  std::unordered_map<std::string_view, Matrix*> matrices_;
};

void get(Entries& entries, const std::string& name, std::string& value);
void get(Entries& entries, const std::string& name, Matrix& value);
void get(Entries& entries, const std::string& name, Vector& value);
void get(Entries& entries, const std::string& name, double& value);
void get(Entries& entries, const std::string& name, Index& value);
void get(Entries& entries, const std::string& name, std::uint64_t& value);
void get(Entries& entries, const std::string& name, bool& value);
void get(Entries& entries, const std::string& name, Mask& value);
void get(Entries& entries, const std::string& name, Indices& value);
void get(Entries& entries, const std::string& name, std::vector<double>& value);
void get(Entries& entries, const std::string& name, Pattern& value);
void get(Entries& entries, const std::string& name, KernelOptions& value);
void get(Entries& entries, const std::string& name, LowerTriangle& value);

template <class Value>
concept Plain = requires(Arrays& arrays, const Value& value) { put(arrays, "", value); };

class Writer {
 public:
  explicit Writer(Arrays& arrays) : arrays_(arrays) {}

  template <class Value>
  void operator()(const std::string& name, const Value& value) {
    if constexpr (Plain<Value>) {
      put(arrays_, prefix_ + name, value);
    } else {
      const std::string before = prefix_;
      prefix_ += name + "/";
      fields(*this, const_cast<Value&>(value));  // a Writer only reads
      prefix_ = before;
    }
  }
  template <class Value>
  void operator()(const std::string& name, const std::vector<Value>& values)
    requires(!Plain<std::vector<Value>>)
  {
    (*this)(name + "/count", static_cast<Index>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
      (*this)(name + "/" + std::to_string(i), values[i]);
  }
  template <class Value>
  void operator()(const std::string& name, const std::optional<Value>& value) {
    (*this)(name + "/known", value.has_value());
    if (value) (*this)(name, *value);
  }

 private:
  Arrays& arrays_;
  std::string prefix_;
};

class Reader {
 public:
  explicit Reader(Arrays arrays) : entries_(std::move(arrays)) {}

  template <class Value>
  void operator()(const std::string& name, Value& value) {
    if constexpr (Plain<Value>) {
      get(entries_, prefix_ + name, value);
    } else {
      const std::string before = prefix_;
      prefix_ += name + "/";
      fields(*this, value);
      prefix_ = before;
    }
  }
  template <class Value>
  void operator()(const std::string& name, std::vector<Value>& values)
    requires(!Plain<std::vector<Value>>)
  {
    Index count = 0;
    (*this)(name + "/count", count);
    values.clear();
    for (Index i = 0; i < count; ++i)
      (*this)(name + "/" + std::to_string(i), values.emplace_back());
  }
  template <class Value>
  void operator()(const std::string& name, std::optional<Value>& value) {
    bool known = false;
    (*this)(name + "/known", known);
    value.reset();
    if (known) (*this)(name, value.emplace());
  }

 private:
  Entries entries_;
  std::string prefix_;
};

/// Names what arrays hold but for their own name: 32 hexadecimal digits.
std::string content_id(const Arrays& arrays);

/// The arrays with their content_id() as the word "id".
Arrays closed(Arrays arrays);

/// Throws where arrays are of another kind, or were changed.
void check_content(const Arrays& arrays, const std::string& kind);

}  // namespace mkc::factor
