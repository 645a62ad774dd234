#include "values.hpp"

namespace mkc::r {

namespace {

// Memory of R that is kept from its collector.
cpp11::sexp allocated(SEXPTYPE type, Index rows, Index cols = -1) {
  return cols < 0 ? cpp11::sexp(cpp11::safe[Rf_allocVector](type, rows))
                  : cpp11::sexp(cpp11::safe[Rf_allocMatrix](type, static_cast<int>(rows),
                                                            static_cast<int>(cols)));
}

template <class Values>
cpp11::sexp numbers(const Values& values, cpp11::sexp made) {
  std::copy(values.data(), values.data() + values.size(), REAL(made));
  return made;
}

template <class Value>
void name_by_first(SEXP made, const std::vector<std::pair<std::string, Value>>& values) {
  Strings names;
  for (const auto& [name, value] : values) names.push_back(name);
  Rf_setAttrib(made, R_NamesSymbol, to_r(names));
}

}  // namespace

Matrix matrix_of(SEXP values) {
  return Eigen::Map<const Matrix>(REAL(values), Rf_nrows(values), Rf_ncols(values));
}

Vector vector_of(SEXP values) { return Eigen::Map<const Vector>(REAL(values), Rf_xlength(values)); }

Indices indices_of(SEXP values) {
  Indices found;
  for (const int value : cpp11::integers(values)) found.push_back(value);
  return found;
}

Strings strings_of(SEXP values) {
  return Rf_isNull(values) ? Strings() : cpp11::as_cpp<Strings>(values);
}

cpp11::list list_of(SEXP values) {
  return Rf_isNull(values) ? cpp11::list(allocated(VECSXP, 0)) : cpp11::list(values);
}

OptionValues options_of(SEXP values) {
  if (Rf_length(values) == 0) return {};
  const Strings names = strings_of(Rf_getAttrib(values, R_NamesSymbol)), texts = strings_of(values);
  OptionValues options;
  for (std::size_t i = 0; i < texts.size(); ++i) options.emplace_back(names[i], texts[i]);
  return options;
}

std::string text_of(SEXP value) {
  return Rf_isNull(value) ? std::string() : cpp11::as_cpp<std::string>(value);
}

bool flag_of(SEXP value) { return LOGICAL(value)[0] == TRUE; }

std::uint64_t seed_of(SEXP value) { return static_cast<std::uint64_t>(REAL(value)[0]); }

cpp11::sexp to_r(const Matrix& values) {
  return numbers(values, allocated(REALSXP, values.rows(), values.cols()));
}

cpp11::sexp to_r(const Vector& values) {
  return numbers(values, allocated(REALSXP, values.size()));
}

cpp11::sexp to_r(const Mask& values) {
  cpp11::sexp made = allocated(LGLSXP, values.rows(), values.cols());
  std::copy(values.data(), values.data() + values.size(), LOGICAL(made));
  return made;
}

cpp11::sexp to_r(const Indices& values) {
  cpp11::sexp made = allocated(INTSXP, static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), INTEGER(made));
  return made;
}

cpp11::sexp to_r(const Strings& values) { return cpp11::as_sexp(values); }
cpp11::sexp to_r(const std::string& value) { return cpp11::as_sexp(value); }
cpp11::sexp to_r(const char* value) { return cpp11::as_sexp(value); }
cpp11::sexp to_r(double value) { return cpp11::as_sexp(value); }
cpp11::sexp to_r(Index value) { return cpp11::as_sexp(static_cast<int>(value)); }
cpp11::sexp to_r(bool value) { return cpp11::as_sexp(value); }

cpp11::sexp to_r(const OptionValues& values) {
  Strings texts;
  for (const auto& [name, text] : values) texts.push_back(text);
  cpp11::sexp made = to_r(texts);
  name_by_first(made, values);
  return made;
}

cpp11::sexp to_r(const std::vector<std::pair<std::string, double>>& values) {
  Vector found(static_cast<Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) found(static_cast<Index>(i)) = values[i].second;
  cpp11::sexp made = to_r(found);
  name_by_first(made, values);
  return made;
}

}  // namespace mkc::r
