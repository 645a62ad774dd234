#pragma once

#include <string>
#include <string_view>

namespace mkc::fuzz {

/// A damaged ZIP archive with the right check sums of the entries that are not compressed: without
/// them nearly every damage ends at the sums, and the readers of what is inside are never reached.
/// One archive in eight, chosen by its bytes, stays as it is.
std::string with_right_sums(std::string_view archive);

}  // namespace mkc::fuzz
