#pragma once

#include <optional>
#include <set>

#include <toml++/toml.h>

#include "mkc/base/types.hpp"

/// TOML tables read strictly: an unknown key is an error with its place.
namespace mkc::io {

/// InputError "path, line 3, column 7: what".
[[noreturn]] void refuse_toml(const std::string& path, const toml::source_region& where,
                              const std::string& what, const std::string& hint);

/// A value as it is written after "option="; InputError where it is a list or a table.
std::string toml_option_text(const std::string& path, std::string_view key, const toml::node& node,
                             const std::string& hint);

/// One table. Every key is read once, by the type it must have.
class TomlReader {
 public:
  TomlReader(std::string path, const toml::table& table, std::string hint)
      : path_(std::move(path)), table_(table), hint_(std::move(hint)) {}

  std::string text(const std::string& key, const std::string& otherwise = {});
  bool flag(const std::string& key, bool otherwise = false);
  double number(const std::string& key, double otherwise, double low, double high);
  Index count(const std::string& key, Index otherwise, Index low, Index high);
  /// A list of texts or numbers, each as toml_option_text; empty where the key is not there.
  Strings list(const std::string& key);
  std::vector<double> numbers(const std::string& key, double low, double high);
  Indices counts(const std::string& key, Index low, Index high);
  const toml::table* table(const std::string& key);                // [key], or null
  std::vector<const toml::table*> tables(const std::string& key);  // [[key]]

  bool has(const std::string& key) const { return table_.contains(key); }
  /// All keys that were not read, with their values as texts.
  std::vector<std::pair<std::string, std::string>> rest();
  /// OptionError for the first key that was not read.
  void done() const;

  [[noreturn]] void refuse(const std::string& what) const;
  [[noreturn]] void refuse_key(const std::string& key, const std::string& what) const;
  const std::string& path() const { return path_; }

 private:
  const toml::node* find(const std::string& key);
  std::string path_;
  const toml::table& table_;
  std::string hint_;
  std::set<std::string> read_;
};

}  // namespace mkc::io
