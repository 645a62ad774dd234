#define TOML_IMPLEMENTATION  // of toml++, once
#include "formats/toml_reader.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "mkc/base/error.hpp"
#include "mkc/base/options.hpp"

namespace mkc::io {

namespace {

std::string place(const std::string& path, const toml::source_region& where) {
  return fmt::format("{}, line {}, column {}", path, where.begin.line, where.begin.column);
}

}  // namespace

void refuse_toml(const std::string& path, const toml::source_region& where, const std::string& what,
                 const std::string& hint) {
  throw InputError(fmt::format("{}: {}", place(path, where), what), hint);
}

std::string toml_option_text(const std::string& path, std::string_view key, const toml::node& node,
                             const std::string& hint) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto flag = node.value_exact<bool>()) return *flag ? "yes" : "no";
  if (const auto whole = node.value_exact<std::int64_t>()) return std::to_string(*whole);
  if (const auto number = node.value_exact<double>()) return format_number(*number);
  refuse_toml(path, node.source(),
              fmt::format("'{}' is not a text, a number or true/false", shown(key)), hint);
}

const toml::node* TomlReader::find(const std::string& key) {
  read_.insert(key);
  return table_.get(key);
}

void TomlReader::refuse(const std::string& what) const {
  refuse_toml(path_, table_.source(), what, hint_);
}

void TomlReader::refuse_key(const std::string& key, const std::string& what) const {
  const toml::node* node = table_.get(key);
  refuse_toml(path_, node == nullptr ? table_.source() : node->source(), what, hint_);
}

std::string TomlReader::text(const std::string& key, const std::string& otherwise) {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  if (const auto value = node->value_exact<std::string>()) return *value;
  refuse_key(key, fmt::format("'{}' is not a text", key));
}

bool TomlReader::flag(const std::string& key, bool otherwise) {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  if (const auto value = node->value_exact<bool>()) return *value;
  refuse_key(key, fmt::format("'{}' is not true or false", key));
}

double TomlReader::number(const std::string& key, double otherwise, double low, double high) {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  const auto value = node->value<double>();
  if (value && *value >= low && *value <= high) return *value;
  refuse_key(key, fmt::format("'{}' is not {}", key, detail::number_range(low, high)));
}

Index TomlReader::count(const std::string& key, Index otherwise, Index low, Index high) {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  const auto value = node->value_exact<std::int64_t>();
  if (value && *value >= low && *value <= high) return static_cast<Index>(*value);
  refuse_key(key, fmt::format("'{}' is not {}", key, detail::count_range(low, high)));
}

Strings TomlReader::list(const std::string& key) {
  const toml::node* node = find(key);
  Strings values;
  if (node == nullptr) return values;
  const toml::array* array = node->as_array();
  if (array == nullptr || array->empty())
    refuse_key(key, fmt::format("'{}' is not a list [...] of at least one value", key));
  for (const toml::node& value : *array)
    values.push_back(toml_option_text(path_, key, value, hint_));
  return values;
}

std::vector<double> TomlReader::numbers(const std::string& key, double low, double high) {
  std::vector<double> values;
  for (const auto& text : list(key)) {
    double value = 0;
    if (!parse_number(text, value) || !(value >= low && value <= high))
      refuse_key(key, fmt::format("'{}' in '{}' is not {}", shown(text), key,
                                  detail::number_range(low, high)));
    values.push_back(value);
  }
  return values;
}

Indices TomlReader::counts(const std::string& key, Index low, Index high) {
  Indices values;
  for (const double value : numbers(key, static_cast<double>(low), static_cast<double>(high))) {
    if (value != static_cast<double>(static_cast<Index>(value)))
      refuse_key(key, fmt::format("'{}' in '{}' is not a whole number", value, key));
    values.push_back(static_cast<Index>(value));
  }
  return values;
}

const toml::table* TomlReader::table(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return nullptr;
  if (const toml::table* table = node->as_table()) return table;
  refuse_key(key, fmt::format("'{}' is not a table", key));
}

std::vector<const toml::table*> TomlReader::tables(const std::string& key) {
  const toml::node* node = find(key);
  std::vector<const toml::table*> tables;
  if (node == nullptr) return tables;
  const toml::array* array = node->as_array();
  if (array == nullptr) refuse_key(key, fmt::format("'{0}' is written as tables [[{0}]]", key));
  for (const toml::node& entry : *array) {
    if (entry.as_table() == nullptr)
      refuse_key(key, fmt::format("'{0}' is written as tables [[{0}]]", key));
    tables.push_back(entry.as_table());
  }
  return tables;
}

std::vector<std::pair<std::string, std::string>> TomlReader::rest() {
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [key, node] : table_)
    if (!read_.contains(std::string(key.str()))) {
      read_.insert(std::string(key.str()));
      values.emplace_back(key.str(), toml_option_text(path_, key.str(), node, hint_));
    }
  return values;
}

void TomlReader::done() const {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (read_.contains(name)) continue;
    const Strings known(read_.begin(), read_.end());
    throw OptionError(fmt::format("{}: there is no setting '{}'{}", place(path_, node.source()),
                                  shown(name), suggestion(name, known)),
                      "the settings here are " + join(known));
  }
}

}  // namespace mkc::io
