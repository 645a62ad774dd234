#include "config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "arguments.hpp"
#include "base/text.hpp"
#include "files/manifest.hpp"
#include "mkc/base/error.hpp"
#include "mkc/version.hpp"

namespace mkc::app {

namespace fs = std::filesystem;

namespace {

// Options that do not affect the result, and --budget, which is written as part of the method.
const Strings not_in_config = {"config", "output",  "force",  "dry_run",     "quiet",
                               "json",   "verbose", "memory", "no_progress", "threads",
                               "strict", "budget",  "report", "save_model"};

const OptionRecord* find(const std::vector<OptionRecord>& options, const std::string& key) {
  const auto found = std::find_if(options.begin(), options.end(), [&](const OptionRecord& option) {
    return !option.positional() && option.key() == key;
  });
  return found == options.end() ? nullptr : &*found;
}

// OptionError if no command has an option of this name.
void check_key(const std::string& place, const std::string& key,
               const std::vector<std::shared_ptr<CommandRecord>>& commands) {
  Strings keys;
  for (const auto& command : commands) {
    if (find(command->options, key) != nullptr) return;
    for (const auto& option : command->options)
      if (!option.positional()) keys.push_back(option.key());
  }
  throw OptionError(fmt::format("{}: there is no option '{}'{}", place, key, suggestion(key, keys)),
                    "keys are the long names of options with _ for -; views are [[view]] tables");
}

bool is_path(const OptionRecord& option, const std::string& value) {
  if (option.takes == Takes::choice_or_file)
    return std::find(option.choices.begin(), option.choices.end(), value) == option.choices.end();
  return option.takes == Takes::file || option.takes == Takes::folder;
}

std::string toml_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result + "\"";
}

std::string path_from(const fs::path& folder, const std::string& path) {
  if (path.empty() || fs::path(path).is_absolute()) return path;
  const fs::path there = fs::weakly_canonical(fs::absolute(path));
  return there.lexically_relative(fs::weakly_canonical(fs::absolute(folder))).string();
}

std::string line(const std::string& key, const std::string& value) {
  return fmt::format("{} = {}\n", key, value);
}

std::string toml_list(const Strings& values) {
  Strings texts;
  for (const auto& value : values) texts.push_back(toml_text(value));
  return "[" + join(texts) + "]";
}

// "" if the option has no value.
std::string setting(const OptionRecord& option, const Strings& methods, const fs::path& folder) {
  if (option.get_all) {
    const Strings values = option.takes == Takes::method ? methods : option.get_all();
    return values.empty() ? "" : line(option.key(), toml_list(values));
  }
  std::string value = option.takes == Takes::method ? methods.front() : option.get();
  if (value.empty()) return "";
  if (option.takes == Takes::nothing) return line(option.key(), value == "yes" ? "true" : "false");
  if (option.takes == Takes::number) return line(option.key(), value);
  if (is_path(option, value)) value = path_from(folder, value);
  return line(option.key(), toml_text(value));
}

// One value, or a list if the option takes several.
void set_option(const OptionRecord& option, const io::Configuration::Setting& entry,
                const fs::path& folder) {
  if (entry.is_list && !option.set_all)
    throw OptionError(fmt::format("'{}' takes one value, not a list", entry.key));
  if (option.set_all) return option.set_all(entry.values);
  const std::string& value = entry.values.front();
  const bool relative = is_path(option, value) && !value.empty();
  option.set(relative ? (folder / value).string() : value);
}

std::string view_table(const io::ViewSpec& view, const fs::path& folder) {
  std::string text = "\n[[view]]\n";
  if (!view.name.empty()) text += line("name", toml_text(view.name));
  text += line("file", toml_text(path_from(folder, view.path)));
  if (!view.array.empty()) text += line("array", toml_text(view.array));
  if (view.kind) text += line("kind", toml_text(view_kind_name(*view.kind)));
  for (const auto& options : {view.kernel_options, view.read_options})
    for (const auto& [name, value] : options) text += line(name, toml_text(value));
  return text;
}

}  // namespace

void apply_config(const std::string& path, const std::vector<const OptionRecord*>& unset,
                  const std::vector<std::shared_ptr<CommandRecord>>& commands) {
  require_file(path, "a configuration is a TOML file: --config FILE.toml");
  const io::Configuration config = io::read_configuration(path);
  for (const auto& entry : config.settings) {
    const std::string key = replaced(entry.key, '-', '_');
    const std::string place = fmt::format("{}, line {}", path, entry.line);
    // A file that someone else wrote must not replace results.
    if (key == "force")
      throw OptionError(fmt::format("{}: 'force' cannot be set in a configuration", place),
                        "leave it out here; give --force on the command line");
    check_key(place, key, commands);
    const auto option = std::find_if(unset.begin(), unset.end(), [&](const OptionRecord* record) {
      return !record->positional() && record->key() == key;
    });
    if (option == unset.end()) continue;
    try {
      set_option(**option, entry, fs::path(path).parent_path());
    } catch (const OptionError& error) {
      throw OptionError(fmt::format("{}: {}", place, error.what()), error.hint());
    }
  }
  for (const OptionRecord* option : unset)
    if (option->takes == Takes::views && !config.views.empty()) option->set(path);
}

std::string effective_config(const CommandRecord& command, const Strings& methods,
                             const std::vector<io::ViewSpec>& views, const fs::path& folder) {
  std::string text =
      fmt::format("# mkc {}; to repeat this run: mkc {} --config config.toml -o NEW\n\n", version,
                  command.name);
  for (const auto& option : command.options) {
    const bool kept = !option.positional() && std::find(not_in_config.begin(), not_in_config.end(),
                                                        option.key()) == not_in_config.end();
    if (kept) text += setting(option, methods, folder);
  }
  for (const auto& view : views) text += view_table(view, folder);
  return text;
}

}  // namespace mkc::app
