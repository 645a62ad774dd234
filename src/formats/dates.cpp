#include "formats/dates.hpp"

#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace mkc::io {

namespace {

/// Reads digits and signs from the front of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }

  bool take(char c) {
    if (next() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  /// One of these characters; '\0' where none follows.
  char take_one_of(std::string_view characters) {
    const char c = next();
    if (c == '\0' || characters.find(c) == std::string_view::npos) return '\0';
    rest_.remove_prefix(1);
    return c;
  }

  struct Number {
    int value = 0, digits = 0;
  };

  /// Digits, at most nine; none where another character follows.
  Number number() {
    Number read;
    while (next() >= '0' && next() <= '9' && read.digits < 9) {
      read.value = 10 * read.value + (next() - '0');
      ++read.digits;
      rest_.remove_prefix(1);
    }
    return read;
  }

 private:
  std::string_view rest_;
};

bool has_digits(const Scanner::Number& number, int fewest, int most) {
  return number.digits >= fewest && number.digits <= most;
}

constexpr double minutes_per_day = 24 * 60;

/// "+02:00", "-0530", "Z": minutes east of Greenwich; nothing where anything else follows.
std::optional<double> offset(Scanner& text) {
  if (text.take('Z') || text.done()) return 0;
  const char sign = text.take_one_of("+-");
  const auto hours = text.number();
  if (sign == '\0') return std::nullopt;
  double minutes = 0;
  if (hours.digits == 4) {
    minutes = hours.value / 100 * 60 + hours.value % 100;
  } else if (hours.digits == 2) {
    const auto rest = text.take(':') ? text.number() : Scanner::Number{0, 2};
    if (rest.digits != 2) return std::nullopt;
    minutes = 60 * hours.value + rest.value;
  } else {
    return std::nullopt;
  }
  return sign == '+' ? minutes : -minutes;
}

/// " 13:05", "T13:05:30.25Z": the part of the day; nothing where the text is no time.
std::optional<double> time_of_day(Scanner& text) {
  if (text.done()) return 0;
  if (text.take_one_of("T ") == '\0') return std::nullopt;
  const auto hours = text.number();
  if (!has_digits(hours, 1, 2) || hours.value > 23 || !text.take(':')) return std::nullopt;
  const auto minutes = text.number();
  if (minutes.digits != 2 || minutes.value > 59) return std::nullopt;
  double seconds = 0;
  if (text.take(':')) {
    const auto whole = text.number();
    if (whole.digits != 2 || whole.value > 60) return std::nullopt;
    seconds = whole.value;
    if (text.take('.')) {
      const auto fraction = text.number();
      if (fraction.digits == 0) return std::nullopt;
      double part = fraction.value;
      for (int i = 0; i < fraction.digits; ++i) part /= 10;
      seconds += part;
    }
  }
  const auto east = offset(text);
  if (!east || !text.done()) return std::nullopt;
  return (60.0 * hours.value + minutes.value + seconds / 60 - *east) / minutes_per_day;
}

}  // namespace

std::optional<DateParts> parse_date(std::string_view text) {
  using Form = DateParts::Form;
  Scanner scanner(text);
  const auto first = scanner.number();
  const char sign = scanner.take_one_of("-/.");
  const auto second = scanner.number();
  if (sign == '\0' || !has_digits(second, 1, 2) || !scanner.take(sign)) return std::nullopt;
  const auto third = scanner.number();
  const bool year_first = first.digits == 4 && has_digits(third, 1, 2);
  const bool year_last = has_digits(first, 1, 2) && (third.digits == 4 || third.digits == 2);
  if (!year_first && !year_last) return std::nullopt;
  const auto time = time_of_day(scanner);
  if (!time) return std::nullopt;
  if (year_first) return DateParts{Form::iso, first.value, second.value, third.value, *time};
  const Form form = third.digits == 2 ? Form::two_digit
                    : sign == '.'     ? Form::dotted
                                      : Form::slashed;
  return DateParts{form, third.value, first.value, second.value, *time};
}

std::optional<double> days_of(const DateParts& date, bool day_first) {
  using namespace std::chrono;
  const bool month_first = date.form == DateParts::Form::iso || !day_first;
  const int month_number = month_first ? date.first : date.second,
            day_number = month_first ? date.second : date.first;
  const year_month_day day{year{date.year}, month{static_cast<unsigned>(month_number)},
                           std::chrono::day{static_cast<unsigned>(day_number)}};
  if (!day.ok()) return std::nullopt;
  return static_cast<double>(sys_days{day}.time_since_epoch().count()) + date.time;
}

std::string iso_date(double days) {
  using namespace std::chrono;
  constexpr double first_day = -719528, last_day = 2932896;  // 0000-01-01, 9999-12-31
  constexpr long seconds_per_day = 86400;
  if (!(days >= first_day && days <= last_day)) return "";
  double whole = std::floor(days);
  long rest = std::lround((days - whole) * seconds_per_day);
  if (rest == seconds_per_day) {
    whole += 1;
    rest = 0;
  }
  const year_month_day date{sys_days{std::chrono::days{static_cast<int>(whole)}}};
  std::string text =
      fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  if (rest > 0) text += fmt::format("T{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
  return text;
}

}  // namespace mkc::io
