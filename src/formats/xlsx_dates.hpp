#pragma once

#include <string>
#include <string_view>

namespace mkc::io {

/// Whether a number format shows dates or times. Numbers below 164 are built in
/// (ECMA-376, 18.8.30).
bool is_date_format(int built_in);
bool is_date_format(std::string_view code);

/// "2001-09-02", with the time where it is not midnight ("2001-09-02T06:00:00"), of a number of
/// days; "" where the number is no date. Workbooks count from 1900 or from 1904.
std::string iso_date(double days, bool from_1904);

}  // namespace mkc::io
