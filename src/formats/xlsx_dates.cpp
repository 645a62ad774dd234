#include "formats/xlsx_dates.hpp"

#include <chrono>

#include "base/utf8.hpp"
#include "formats/dates.hpp"

namespace mkc::io {

bool is_date_format(int built_in) {
  return (built_in >= 14 && built_in <= 22) || (built_in >= 27 && built_in <= 36) ||
         (built_in >= 45 && built_in <= 47) || (built_in >= 50 && built_in <= 58);
}

/// Letters of dates outside of quotes, escapes and brackets such as [Red]; [h] and [mm] are times.
bool is_date_format(std::string_view code) {
  if (code == "General") return false;
  const std::string text = lower(code);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' || c == '_' || c == '*') {
      ++i;
    } else if (c == '"') {
      i = std::min(text.find('"', i + 1), text.size());
    } else if (c == '[') {
      const std::size_t end = std::min(text.find(']', i), text.size());
      const std::string_view inside = std::string_view(text).substr(i + 1, end - i - 1);
      if (!inside.empty() && inside.find_first_not_of("hms") == std::string_view::npos) return true;
      i = end;
    } else if (c == 'd' || c == 'm' || c == 'y' || c == 'h' || c == 's') {
      return true;
    }
  }
  return false;
}

std::string iso_date(double days, bool from_1904) {
  constexpr double last_day = 2958465;  // 9999-12-31
  if (!(days >= 0 && days <= last_day)) return "";
  using namespace std::chrono;
  // Day 60 of 1900 is 29 February, which that year did not have: from there on one day less.
  const auto start = from_1904   ? sys_days{year{1904} / 1 / 1}
                     : days < 60 ? sys_days{year{1899} / 12 / 31}
                                 : sys_days{year{1899} / 12 / 30};
  return iso_date(days + static_cast<double>(start.time_since_epoch().count()));
}

}  // namespace mkc::io
