#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// A value of R.
struct RObject {
  enum class Type { null, numbers, logical, text, list, other };

  Type type = Type::null;
  std::string kind;            // of others: "a function", "an environment", ...
  Vector numbers;              // numeric, integer and logical vectors; NA is NaN
  Strings text;                // NA is "NA"
  std::vector<RObject> items;  // of a list
  Strings attribute_names;     // of an S4 object: its slots too
  std::vector<RObject> attribute_values;

  const RObject* attribute(std::string_view name) const;  // or null
  Strings words(std::string_view name) const;  // of an attribute; none where it is no text
  bool is(std::string_view class_name) const;  // whether it is of this class
  std::string description() const;             // "a list", "an object of class 'dist'"
};

/// The objects of a file of save(), with their names; of saveRDS() one without a name.
struct RFile {
  std::vector<std::pair<std::string, RObject>> objects;
  bool is_rds = false;
};

/// Reads what R's saveRDS() and save() write (serialisation version 2 and 3, XDR, plain or gzip):
/// vectors, lists, S4 objects and their attributes. Functions, environments and other things are
/// passed over and come as Type::other. Every size is checked against what the file can hold.
RFile read_r_file(const std::string& path);

}  // namespace mkc::io
