#pragma once

#include <cpp11.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mkc/base/options.hpp"
#include "mkc/base/types.hpp"

/// Values of R and of the library. Texts are UTF-8. Numbers of rows and columns count from 0, as in
/// the library; the R code of this package adds the 1.
namespace mkc::r {

Matrix matrix_of(SEXP values);
Vector vector_of(SEXP values);
Indices indices_of(SEXP values);
Strings strings_of(SEXP values);       // NULL: none
cpp11::list list_of(SEXP values);      // NULL: empty
OptionValues options_of(SEXP values);  // a named character vector
std::string text_of(SEXP value);       // "" for NULL
bool flag_of(SEXP value);
std::uint64_t seed_of(SEXP value);  // a whole number

cpp11::sexp to_r(const Matrix& values);
cpp11::sexp to_r(const Vector& values);
cpp11::sexp to_r(const Mask& values);
cpp11::sexp to_r(const Indices& values);
cpp11::sexp to_r(const Strings& values);
cpp11::sexp to_r(const std::string& value);
cpp11::sexp to_r(const char* value);
cpp11::sexp to_r(double value);
cpp11::sexp to_r(Index value);
cpp11::sexp to_r(bool value);
cpp11::sexp to_r(const OptionValues& values);                                 // named texts
cpp11::sexp to_r(const std::vector<std::pair<std::string, double>>& values);  // named numbers

/// A list of R with names.
class List {
 public:
  template <class Value>
  List& add(const char* name, const Value& value) {
    if constexpr (std::is_convertible_v<const Value&, SEXP>)
      values_.push_back(static_cast<SEXP>(value));
    else
      values_.push_back(static_cast<SEXP>(to_r(value)));
    names_.push_back(std::string(name));
    return *this;
  }
  operator SEXP() {
    values_.names() = names_;
    return values_;
  }

 private:
  cpp11::writable::list values_;
  cpp11::writable::strings names_;
};

/// One number, text or flag per element: field_of(element).
template <class Element, class Field>
auto column(const std::vector<Element>& elements, Field field_of) {
  using Value = std::decay_t<decltype(field_of(elements.front()))>;
  if constexpr (std::is_same_v<Value, double>) {
    Vector values(static_cast<Index>(elements.size()));
    for (std::size_t i = 0; i < elements.size(); ++i)
      values(static_cast<Index>(i)) = field_of(elements[i]);
    return values;
  } else {
    std::vector<Value> values;
    for (const auto& element : elements) values.push_back(field_of(element));
    return values;
  }
}

}  // namespace mkc::r
