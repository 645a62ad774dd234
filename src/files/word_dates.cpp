#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/text.hpp"
#include "files/word_table.hpp"
#include "formats/dates.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

using Form = DateParts::Form;

/// A cell of a column of dates.
struct DateCell {
  Cell cell;
  DateParts date;
};

std::vector<DateCell> dates_of(const WordTable& words, Index column) {
  std::vector<DateCell> dates;
  for (const Cell& cell : words.cells(column)) {
    const auto date = parse_date(words.word(cell));
    if (!date)
      throw InputError(
          fmt::format("{}: '{}' is not a date, as the other cells of '{}' are", words.place(cell),
                      shown(words.word(cell)), shown(words.table().column_names[at(column)])),
          {"write 2021-03-05, or NA where the date is not known",
           {"na_values", shown(words.word(cell)), "if that means a missing value"}});
    if (date->form == Form::two_digit)
      throw InputError(fmt::format("{}: '{}' is a date whose year has two digits",
                                   words.place(cell), shown(words.word(cell))),
                       "write the year with four digits: 2021-03-05");
    dates.push_back({cell, *date});
  }
  return dates;
}

/// Whether days come before months where the form leaves it open.
bool is_day_first(const WordTable& words, const std::vector<DateCell>& dates) {
  const auto asked = words.table().read.dates;
  if (asked != DateOrder::automatic) return asked == DateOrder::dmy;
  const auto is_open = [](const DateCell& one) { return one.date.form == Form::slashed; };
  const auto day_first = std::find_if(dates.begin(), dates.end(), [](const DateCell& one) {
    return one.date.form != Form::iso && one.date.first > 12;
  });
  const auto month_first = std::find_if(dates.begin(), dates.end(), [](const DateCell& one) {
    return one.date.form != Form::iso && one.date.second > 12;
  });
  const auto open = std::find_if(dates.begin(), dates.end(), is_open);
  const bool both = day_first != dates.end() && month_first != dates.end();
  const bool neither = day_first == dates.end() && month_first == dates.end();
  if (both || (neither && open != dates.end())) {
    const Cell& cell = both ? month_first->cell : open->cell;
    throw InputError(fmt::format("{}: '{}' may begin with the day or with the month{}",
                                 words.place(cell), shown(words.word(cell)),
                                 both ? fmt::format("; '{}' begins with the day",
                                                    shown(words.word(day_first->cell)))
                                      : ", and so may every other date of the column"),
                     {{"dates", "dmy", "or mdy decides"}, "or write dates as 2021-03-05"});
  }
  return month_first == dates.end();
}

}  // namespace

bool is_of_dates(const WordTable& words, Index column) {
  const auto& cells = words.cells(column);
  const auto dates = std::count_if(cells.begin(), cells.end(), [&](const Cell& cell) {
    return parse_date(words.word(cell)).has_value();
  });
  return dates > 0 && 10 * dates >= 9 * std::ssize(cells);
}

Vector days_in(const WordTable& words, Index column) {
  if (words.numbers_in(column) > 0) {
    const Cell& first = words.cells(column).front();
    throw InputError(
        fmt::format("{}: '{}' is a date, but {} cells of '{}' are numbers", words.place(first),
                    shown(words.word(first)), words.numbers_in(column),
                    shown(words.table().column_names[at(column)])),
        "write every cell of the column as a date, 2021-03-05, or leave it out");
  }
  const std::vector<DateCell> dates = dates_of(words, column);
  const bool day_first = is_day_first(words, dates);
  Vector days =
      Vector::Constant(words.table().values.rows(), std::numeric_limits<double>::quiet_NaN());
  for (const auto& [cell, date] : dates) {
    const auto day = days_of(date, day_first);
    if (!day)
      throw InputError(
          fmt::format("{}: there is no day '{}'{}", words.place(cell), shown(words.word(cell)),
                      date.form == Form::iso ? ""
                      : day_first            ? " with the day first"
                                             : " with the month first"),
          date.form == Form::iso ? Hint{"write 2021-03-05, or NA where the date is not known"}
                                 : Hint{{"dates", day_first ? "mdy" : "dmy", "changes the order"}});
    days(cell.row) = *day;
  }
  return days;
}

}  // namespace mkc::io
