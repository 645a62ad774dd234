#include "mkc/io/manifest.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "mkc/error.hpp"
#include "mkc/text.hpp"

namespace mkc::io {

namespace {

constexpr const char* layout = "a manifest holds tables [[view]] with file = \"PATH\" and options";

[[noreturn]] void refuse(const std::string& path, const toml::source_region& where,
                         const std::string& what) {
  throw InputError(
      fmt::format("{}, line {}, column {}: {}", path, where.begin.line, where.begin.column, what),
      layout);
}

// A value as it is written after "option=".
std::string option_text(const std::string& path, std::string_view key, const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto flag = node.value_exact<bool>()) return *flag ? "yes" : "no";
  if (const auto whole = node.value_exact<std::int64_t>()) return std::to_string(*whole);
  if (const auto number = node.value_exact<double>()) return format_number(*number);
  refuse(path, node.source(), fmt::format("'{}' is not a text, a number or true/false", key));
}

// [NAME=]PATH[:ARRAY][,option=value,...]
std::string view_text(const std::string& path, const toml::table& view) {
  std::string name, file, array, options;
  for (const auto& [key, node] : view) {
    const std::string value = option_text(path, key.str(), node);
    if (value.find(',') != std::string::npos)
      refuse(path, node.source(),
             fmt::format("'{}' holds a comma, which separates options", key.str()));
    if (key == "name")
      name = value + "=";
    else if (key == "file")
      file = (std::filesystem::path(path).parent_path() / value).string();
    else if (key == "array")
      array = ":" + value;
    else
      options += fmt::format(",{}={}", key.str(), value);
  }
  if (file.empty()) refuse(path, view.source(), "this view has no file");
  return name + file + array + options;
}

toml::table parse(const std::string& path) {
  try {
    return toml::parse_file(path);
  } catch (const toml::parse_error& error) {
    refuse(path, error.source(), std::string(error.description()));
  }
}

}  // namespace

Strings read_manifest(const std::string& path) {
  const toml::table manifest = parse(path);
  for (const auto& [key, node] : manifest)
    if (key != "view") refuse(path, node.source(), fmt::format("unknown key '{}'", key.str()));
  const toml::array* views = manifest["view"].as_array();
  if (views == nullptr || views->empty())
    throw InputError(fmt::format("{}: there is no [[view]]", path), layout);
  Strings texts;
  for (const toml::node& node : *views) {
    const toml::table* view = node.as_table();
    if (view == nullptr) refuse(path, node.source(), "a view is a table");
    texts.push_back(view_text(path, *view));
  }
  return texts;
}

}  // namespace mkc::io
