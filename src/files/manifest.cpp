#include "files/manifest.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/files.hpp"
#include "formats/toml_reader.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr const char* layout = "a manifest holds tables [[view]] with file = \"PATH\" and options";

[[noreturn]] void refuse(const std::string& path, const toml::source_region& where,
                         const std::string& what) {
  refuse_toml(path, where, what, layout);
}

std::string option_text(const std::string& path, std::string_view key, const toml::node& node) {
  return toml_option_text(path, key, node, layout);
}

Configuration::Setting setting_of(const std::string& path, std::string_view key,
                                  const toml::node& node) {
  Configuration::Setting setting{
      std::string(key), {}, node.is_array(), static_cast<Index>(node.source().begin.line)};
  if (!setting.is_list) {
    setting.values = {option_text(path, key, node)};
    return setting;
  }
  for (const toml::node& value : *node.as_array())
    setting.values.push_back(option_text(path, key, value));
  return setting;
}

ViewSpec view_of(const std::string& path, const toml::table& view) {
  std::string name, file, array;
  OptionValues options;
  for (const auto& [key, node] : view) {
    const std::string value = option_text(path, key.str(), node);
    if (key == "name")
      name = value;
    else if (key == "file")
      file = value;
    else if (key == "array")
      array = value;
    else
      options.emplace_back(key.str(), value);
  }
  if (file.empty()) refuse(path, view.source(), "this view has no file");
  try {
    return make_view_spec(name, (std::filesystem::path(path).parent_path() / file).string(), array,
                          options);
  } catch (const OptionError& error) {
    throw OptionError(fmt::format("{}, line {}: {}", path, view.source().begin.line, error.what()),
                      error.hint());
  }
}

toml::table parse(const std::string& path) {
  try {
    return toml::parse(read_whole_file(path), path);
  } catch (const toml::parse_error& error) {
    refuse(path, error.source(), std::string(error.description()));
  }
}

}  // namespace

Configuration read_configuration(const std::string& path) {
  const toml::table file = parse(path);
  Configuration configuration;
  for (const auto& [key, node] : file) {
    if (key == "view") continue;
    configuration.settings.push_back(setting_of(path, key.str(), node));
  }
  if (!file.contains("view")) return configuration;
  const toml::array* views = file["view"].as_array();
  if (views == nullptr) refuse(path, file.get("view")->source(), "views are tables [[view]]");
  for (const toml::node& node : *views) {
    const toml::table* view = node.as_table();
    if (view == nullptr) refuse(path, node.source(), "a view is a table");
    configuration.views.push_back(view_of(path, *view));
  }
  return configuration;
}

std::vector<ViewSpec> read_manifest(const std::string& path) {
  Configuration configuration = read_configuration(path);
  if (!configuration.settings.empty())
    throw InputError(
        fmt::format("{}, line {}: '{}' is not a view", path, configuration.settings.front().line,
                    shown(configuration.settings.front().key)),
        {{"config", path, "takes a file with settings"}});
  if (configuration.views.empty())
    throw InputError(fmt::format("{}: there is no [[view]]", path), layout);
  return std::move(configuration.views);
}

}  // namespace mkc::io
