#pragma once

#include <string>

namespace mkc::io {

/// "2026-01-31T09:30:00Z": when a result was made.
std::string now_utc();

}  // namespace mkc::io
