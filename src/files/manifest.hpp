#pragma once

#include <string>

#include "mkc/files/view_spec.hpp"

namespace mkc::io {

/// A TOML file with views and, for a whole run, settings:
///
///   method = "knn,k=7"    # settings: options of the tool, text, number or true/false; [...] where
///                         # an option may be repeated
///
///   [[view]]
///   name = "rna"          # optional
///   file = "rna.csv"      # relative to this file
///   array = "K"           # optional, one array of a file that holds several
///   kernel = "rbf"        # any option of a view: text, number or true/false
///   gamma = 0.1
struct Configuration {
  struct Setting {
    std::string key;
    Strings values;  // one, unless it is a list
    bool is_list;
    Index line;
  };
  std::vector<Setting> settings;
  std::vector<ViewSpec> views;
};

/// InputError or OptionError with line and column where TOML or this layout does not allow a line.
/// The settings are not checked.
Configuration read_configuration(const std::string& path);

/// The views of a file that holds nothing else, at least one.
std::vector<ViewSpec> read_manifest(const std::string& path);

}  // namespace mkc::io
