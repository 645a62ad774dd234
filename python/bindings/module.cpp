// mkc._core: the library as Python sees it. Arrays and plain values in and out; names, tables and
// defaults that are kind to people are in the Python files.
#include "module.hpp"

#include <nanobind/stl/string.h>

#include <exception>

#include "mkc/base/error.hpp"
#include "mkc/files/output_folder.hpp"
#include "mkc/problem/run.hpp"
#include "mkc/version.hpp"

namespace mkc::python {

namespace {

// A hint becomes a list of (option, value, sentence), which the exception puts into Python's words.
void raise(const char* kind, const std::string& what, const Hint& hint = {}) {
  const nb::object type = nb::module_::import_("mkc._errors").attr(kind);
  nb::list advice;
  for (const auto& [option, value, sentence] : hint.advice())
    advice.append(nb::make_tuple(option, value, sentence));
  const nb::object error = type(what, advice);
  PyErr_SetObject(type.ptr(), error.ptr());
}

// mkc's exceptions keep their text and their hint; the rest is nanobind's.
void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const OptionError& error) {
    raise("OptionError", error.what(), error.hint());
  } catch (const InputError& error) {
    raise("InputError", error.what(), error.hint());
  } catch (const MemoryError& error) {
    raise("WorkingMemoryError", error.what(), error.hint());
  } catch (const OutputError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "Bindings of the C++ library; use the functions of the package mkc.";
  module.attr("version") = version;
  // Results that are still alive when Python ends are its business; nanobind would list them.
  nb::set_leak_warnings(false);
  nb::register_exception_translator(translate);
  module.def("available_threads", &available_threads, "Threads this process may use.");
  bind_problem(module);
  bind_methods(module);
  bind_complete(module);
  bind_factor(module);
  bind_evaluate(module);
  bind_tools(module);
  bind_analyse(module);
  bind_advise(module);
  bind_predict(module);
  bind_model(module);
  bind_read(module);
  bind_shards(module);
  bind_samples(module);
}

}  // namespace mkc::python
