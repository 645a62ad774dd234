// Registers what R calls. An error of the library becomes an object of class "mkc_failure", which
// the R code puts into R's words (R/errors.R).
#include <cpp11.hpp>
#include <cpp11/declarations.hpp>

#include "functions.hpp"
#include "mkc/base/error.hpp"
#include "values.hpp"

namespace mkc::r {

namespace {

SEXP failure(const char* kind, const std::string& what, const Hint& hint = {}) {
  cpp11::writable::list advice;
  for (const auto& [option, value, sentence] : hint.advice())
    advice.push_back(static_cast<SEXP>(to_r(Strings{option, value, sentence})));
  List made;
  made.add("kind", kind).add("what", what).add("advice", advice);
  cpp11::sexp list = static_cast<SEXP>(made);
  list.attr("class") = "mkc_failure";
  return list;
}

/// The function with errors of the library as values; those of R go on as R's.
template <auto function, class... Arguments>
SEXP guarded(Arguments... arguments) {
  BEGIN_CPP11
  try {
    return function(arguments...);
  } catch (const OptionError& error) {
    return failure("option", error.what(), error.hint());
  } catch (const InputError& error) {
    return failure("input", error.what(), error.hint());
  } catch (const MemoryError& error) {
    return failure("memory", error.what(), error.hint());
  } catch (const std::bad_alloc&) {
    return failure("memory", "there is not enough memory");
  }
  END_CPP11
}

template <auto function>
struct Entry;
template <class... Arguments, SEXP (*function)(Arguments...)>
struct Entry<function> {
  static constexpr int count = sizeof...(Arguments);
  static SEXP call(Arguments... arguments) { return guarded<function>(arguments...); }
};

template <auto function>
R_CallMethodDef entry(const char* name) {
  return {name, reinterpret_cast<DL_FUNC>(&Entry<function>::call), Entry<function>::count};
}

}  // namespace

}  // namespace mkc::r

extern "C" void R_init_mkc(DllInfo* library) {
  using namespace mkc::r;
  static const R_CallMethodDef entries[] = {entry<&assemble_views>("assemble_views"),
                                            entry<&kernels_of_views>("kernels_of_views"),
                                            entry<&complete_problem>("complete_problem"),
                                            entry<&evaluate_methods>("evaluate_methods"),
                                            entry<&predict_samples>("predict_samples"),
                                            entry<&combine_kernels>("combine_kernels"),
                                            entry<&label_weights>("label_weights"),
                                            entry<&cluster_kernels>("cluster_kernels"),
                                            entry<&embed_kernels>("embed_kernels"),
                                            entry<&all_methods>("all_methods"),
                                            entry<&check_method>("check_method"),
                                            entry<&make_example>("make_example"),
                                            entry<&about>("about"),
                                            {nullptr, nullptr, 0}};
  R_registerRoutines(library, nullptr, entries, nullptr, nullptr);
  R_useDynamicSymbols(library, FALSE);
  R_forceSymbols(library, TRUE);
}
