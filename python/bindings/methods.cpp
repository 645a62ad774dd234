// The registry of methods and the options of kernels.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "mkc/kernels/kernel_options.hpp"
#include "mkc/registry.hpp"
#include "module.hpp"

namespace mkc::python {

namespace {

using namespace nb::literals;

std::vector<nb::dict> described(const std::vector<OptionInfo>& options) {
  std::vector<nb::dict> list;
  for (const auto& option : options) {
    nb::dict entry;
    entry["name"] = option.name;
    entry["default"] = option.default_value;
    entry["range"] = option.range;
    entry["meaning"] = option.meaning;
    list.push_back(entry);
  }
  return list;
}

std::vector<nb::dict> all_methods() {
  std::vector<nb::dict> list;
  for (const auto& method : methods()) {
    nb::dict entry;
    entry["name"] = method.name;
    entry["summary"] = method.summary;
    entry["cost"] = method.cost;
    entry["memory"] = method.memory;
    entry["options"] = described(method.options);
    list.push_back(entry);
  }
  return list;
}

// Name and options of a method text, checked against the registry.
std::pair<std::string, OptionValues> parse_method(const std::string& text) {
  Spec spec = parse_spec(text);
  find_method(spec.name).effective_options(spec.options);
  return {std::move(spec.name), std::move(spec.options)};
}

}  // namespace

void bind_methods(nb::module_& module) {
  module.def("methods", &all_methods, "Every method with its cost, memory and options.");
  module.def("kernel_options", [] { return described(kernel_option_table().describe()); });
  module.def("parse_method", &parse_method, "text"_a);
  module.def("format_method", [](const std::string& name, const OptionValues& options) {
    return format_spec({name, options});
  });
}

}  // namespace mkc::python
