#pragma once

#include <utility>

#include "gather.hpp"

namespace mkc::python {

/// Views as they come, before they are put together.
struct Views {
  std::vector<View> list;

  void add(std::string name, std::string source, Strings ids, Strings features, const Table& table,
           bool is_kernel, const std::optional<std::vector<bool>>& observed, OptionValues options,
           const std::vector<std::pair<Index, Strings>>& categories, OptionValues common) {
    list.push_back(gather_view(std::move(name), std::move(source), std::move(ids),
                               std::move(features), table, is_kernel, observed,
                               std::move(options)));
    for (const auto& [column, levels] : categories)
      list.back().categories.push_back({column, levels});
    list.back().common_options = std::move(common);
  }
};

}  // namespace mkc::python
