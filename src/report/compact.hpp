#pragma once

#include <string>
#include <string_view>

#include "mkc/base/types.hpp"

/// Small pieces of the data of a report: short, so that the page stays small at any N.
namespace mkc::report {

/// The value with so many significant digits; what is not finite stays as it is.
double rounded(double value, int digits = 4);

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

/// A name from a user's file, cut after `limit` characters; what is not UTF-8 is replaced.
std::string short_name(const std::string& name, std::size_t limit = 60);

/// Where run c begins when n positions are cut into `cells` runs of nearly equal length.
inline Index begin_of(Index c, Index n, Index cells) {
  return c * n / cells;
}

}  // namespace mkc::report
