#include "stored_input.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "files/result_reader.hpp"
#include "mkc/base/error.hpp"

namespace mkc::app {

bool is_stored_result(const Strings& views) {
  std::error_code error;
  return views.size() == 1 && std::filesystem::is_directory(views[0], error);
}

void refuse_options_of_views(const std::vector<OptionRecord>& options) {
  for (const auto& option : options) {
    if (option.positional() || option.key() == "config" || option.key() == "ids") continue;
    const bool flag = option.takes == Takes::nothing;
    if (option.get() == (flag ? "no" : option.default_value)) continue;
    throw OptionError(fmt::format("{} with a stored result, which is used as it was completed",
                                  option.spellings().back()),
                      "leave the option out, or give the views instead of the result");
  }
}

Strings stored_inputs(const std::string& folder) {
  Strings paths = io::result_inputs(folder);
  for (const char* name : {"observed.tsv", "quality.tsv", "meta_info.json"}) {
    const std::string path = (std::filesystem::path(folder) / name).string();
    std::error_code error;
    if (std::filesystem::exists(path, error) &&
        std::find(paths.begin(), paths.end(), path) == paths.end())
      paths.push_back(path);
  }
  return paths;
}

}  // namespace mkc::app
