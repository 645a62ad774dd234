#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "files/hdf5_views.hpp"
#include "files/r_views.hpp"
#include "formats/files.hpp"
#include "formats/xlsx.hpp"
#include "mkc/base/error.hpp"
#include "mkc/files/read_options.hpp"
#include "mkc/files/view_spec.hpp"
#include "mkc/kernels/kernel_options.hpp"
#include "mkc/kernels/normalize.hpp"

namespace mkc::io {

namespace {

constexpr const char* grammar = "write [NAME=]PATH[:ARRAY][,option=value,...]";

bool is_file(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

/// Cuts "NAME=" off the front where there is one.
std::string take_name(std::string& text, const std::string& whole) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || text.find_first_of("/\\") < equals) return {};
  const std::string name = text.substr(0, equals);
  if (name.empty()) throw InputError(fmt::format("'{}': the view name is empty", whole), grammar);
  text.erase(0, equals + 1);
  return name;
}

bool holds_named_arrays(const std::string& path) {
  return has_extension(path, ".npz") || has_extension(path, ".mat") || is_hdf5_path(path) ||
         is_workbook_path(path) || is_r_path(path);
}

/// Cuts ":ARRAY" off the end where there is one.
std::string take_array(std::string& text, const std::string& whole) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {};
  const std::string path = text.substr(0, colon);
  if (!holds_named_arrays(path) && !is_file(path)) return {};
  const std::string array = text.substr(colon + 1);
  if (array.empty()) throw InputError(fmt::format("'{}': the array name is empty", whole), grammar);
  text = path;
  return array;
}

void take_place(const std::string& place, const std::string& whole, ViewSpec& spec) {
  spec.path = place;
  if (is_file(spec.path)) return;
  spec.name = take_name(spec.path, whole);
  if (!is_file(spec.path)) spec.array = take_array(spec.path, whole);
  if (spec.path.empty()) throw InputError(fmt::format("'{}': the path is empty", whole), grammar);
}

ViewKind parse_kind(const std::string& text) {
  return static_cast<ViewKind>(detail::to_choice("kind", text, view_kind_names()));
}

/// kernel=precomputed is a kernel, kernel=rbf makes one from features: neither may contradict
/// kind=.
void set_kind(ViewKind kind, const std::string& because, const std::string& whole, ViewSpec& spec) {
  if (spec.kind && *spec.kind != kind)
    throw OptionError(
        fmt::format("'{}': kind={} contradicts {}", whole, view_kind_name(*spec.kind), because),
        "kind=kernel takes no kernel function; kernel=rbf and others are computed from features");
  spec.kind = kind;
}

bool is_in(const std::vector<OptionInfo>& options, const std::string& name) {
  return std::any_of(options.begin(), options.end(),
                     [&](const OptionInfo& option) { return option.name == name; });
}

/// A mistyped name is refused before any reading.
void check_name(const std::string& name) {
  const std::vector<OptionInfo> options = view_option_infos();
  if (!is_in(options, name)) detail::unknown_option("a view", name, options);
}

void take_options(const OptionValues& options, const std::string& whole, ViewSpec& spec) {
  for (const auto& [name, value] : options)
    if (name == "kind") spec.kind = parse_kind(value);
  for (const auto& [name, value] : options) {
    if (name == "kind") continue;
    check_name(name);
    if (is_in(read_option_table().describe(), name)) {
      read_option_table().parse({{name, value}});  // a wrong value is refused before any reading
      spec.read_options.emplace_back(name, value);
      continue;
    }
    const bool precomputed = name == "kernel" && value == "precomputed";
    if (name == "kernel")
      set_kind(precomputed ? ViewKind::kernel : ViewKind::features, name + "=" + value, whole,
               spec);
    if (!precomputed) spec.kernel_options.emplace_back(name, value);
  }
}

void check_utf8(const ViewSpec& spec) {
  if (!is_utf8(spec.name)) throw InputError("a view name is not UTF-8 text", "rename the view");
}

}  // namespace

std::vector<OptionInfo> view_option_infos() {
  std::vector<OptionInfo> options = {
      {"kind", "", "features|kernel", "what the file holds; recognised where not given"}};
  const auto add = [&](const std::vector<OptionInfo>& more) {
    options.insert(options.end(), more.begin(), more.end());
  };
  add(kernel_option_table().describe());
  add(kernel_transform_option_table().describe());
  add(read_option_table().describe());
  return options;
}

ViewSpec parse_view_spec(const std::string& text) {
  ViewSpec spec;
  if (is_file(text)) {
    spec.path = text;
    return spec;
  }
  const Spec parts = parse_spec(text);
  take_place(parts.name, text, spec);
  take_options(parts.options, text, spec);
  check_utf8(spec);
  return spec;
}

ViewSpec make_view_spec(const std::string& name, const std::string& path, const std::string& array,
                        const OptionValues& options) {
  ViewSpec spec;
  spec.name = name;
  spec.path = path;
  spec.array = array;
  take_options(options, path, spec);
  check_utf8(spec);
  return spec;
}

}  // namespace mkc::io
