#pragma once

#include <string>
#include <string_view>

#include "mkc/base/types.hpp"

/// Short texts and numbers for the data of a report, so that the page stays small at any N.
namespace mkc::report {

/// The value with this many significant digits; NaN and infinity stay as they are.
double rounded(double value, int digits = 4);

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

/// A name from a user's file, cut after `limit` characters; bytes that are not UTF-8 are replaced.
std::string short_name(const std::string& name, std::size_t limit = 60);

/// The first position of bin c when n positions are cut into `bins` parts of nearly equal length.
inline Index begin_of(Index c, Index n, Index bins) { return c * n / bins; }

}  // namespace mkc::report
