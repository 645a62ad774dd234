#pragma once

#include "mkc/complete.hpp"

namespace mkc::test {

/// complete() by the method that owns the table, with its options as a struct.
template <class Options>
Completion complete_with(const OptionTable<Options>& table, const Problem& problem,
                         const std::type_identity_t<Options>& options = {},
                         const RunOptions& run = {}) {
  return complete(problem, format_spec({table.owner(), table.values(options)}), run);
}

}  // namespace mkc::test
