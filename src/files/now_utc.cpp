#include "files/now_utc.hpp"

#include <chrono>

#include <fmt/chrono.h>

namespace mkc::io {

std::string now_utc() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

}  // namespace mkc::io
