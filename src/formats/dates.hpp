#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mkc::io {

/// The parts of a date as it is written.
struct DateParts {
  enum class Form {
    iso,       // 2021-03-05 or 2021/03/05, also with a time: year, month, day
    dotted,    // 05.03.2021: day first, as wherever dates have points
    slashed,   // 3/5/2021 or 3-5-2021: day or month first
    two_digit  // the same, or with points, and a year of two digits
  };
  Form form;
  int year, first, second;  // iso: month and day
  double time = 0;          // a part of the day, in UTC where an offset is written
};

/// Nothing where the text is no date. Whether there is such a day is not checked.
std::optional<DateParts> parse_date(std::string_view text);

/// Days since 1970-01-01 (negative before); nothing where there is no such day. `day_first` is
/// about slashed and dotted dates.
std::optional<double> days_of(const DateParts& date, bool day_first);

/// "2021-03-05", with the time where it is not midnight ("2021-03-05T06:00:00"), of a number of
/// days since 1970-01-01; "" outside of the years 0 to 9999.
std::string iso_date(double days);

}  // namespace mkc::io
