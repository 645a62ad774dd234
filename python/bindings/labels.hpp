#pragma once

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "mkc/problem/label_types.hpp"

namespace mkc::python {

/// Labels as Python gives them: names of the columns, their texts, and the type ("auto").
using LabelArguments = std::tuple<Strings, std::vector<Strings>, std::string>;

inline TypedLabels typed_labels(const LabelArguments& labels, const Strings& samples) {
  const auto& [names, columns, type] = labels;
  return mkc::typed_labels({"y", names, columns}, samples, type);
}

}  // namespace mkc::python
