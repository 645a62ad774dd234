#include "formats/dates.hpp"

#include <chrono>
#include <cmath>

namespace mkc::io {
namespace {

double days(const std::string& text, bool day_first = true) {
  const auto date = parse_date(text);
  if (!date) return std::nan("");
  return days_of(*date, day_first).value_or(std::nan(""));
}

TEST(Dates, AreDaysSince1970) {
  EXPECT_EQ(days("1970-01-01"), 0);
  EXPECT_EQ(days("1970-01-02"), 1);
  EXPECT_EQ(days("1969-12-31"), -1);
  EXPECT_EQ(days("2021-03-05"), 18691);
  EXPECT_EQ(days("2021/3/5"), 18691);
  EXPECT_EQ(days("05.03.2021"), 18691);
  EXPECT_EQ(days("5/3/2021", true), 18691);
  EXPECT_EQ(days("3/5/2021", false), 18691);
  EXPECT_EQ(days("3-5-2021", false), 18691);
}

TEST(Dates, EveryDayOfACentury) {
  using namespace std::chrono;
  for (sys_days day = sys_days{year{1950} / 1 / 1}; day < sys_days{year{2050} / 1 / 1};
       day += std::chrono::days{13}) {
    const year_month_day date{day};
    const auto y = static_cast<int>(date.year());
    const auto m = static_cast<unsigned>(date.month()), d = static_cast<unsigned>(date.day());
    const auto expected = static_cast<double>(day.time_since_epoch().count());
    const std::string iso = fmt::format("{:04}-{:02}-{:02}", y, m, d);
    EXPECT_EQ(days(iso), expected);
    EXPECT_EQ(iso_date(expected), iso);
    EXPECT_EQ(days(fmt::format("{}.{}.{:04}", d, m, y)), expected);
    EXPECT_EQ(days(fmt::format("{}/{}/{:04}", m, d, y), false), expected);
  }
}

TEST(Dates, TimesArePartsOfTheDayInUtc) {
  EXPECT_EQ(days("1970-01-01T06:00:00"), 0.25);
  EXPECT_EQ(days("1970-01-01 18:00"), 0.75);
  EXPECT_EQ(days("1970-01-01T06:00:00Z"), 0.25);
  EXPECT_EQ(days("1970-01-01T06:00:00+06:00"), 0);
  EXPECT_EQ(days("1970-01-01T00:00:00-1200"), 0.5);
  EXPECT_NEAR(days("1970-01-01T00:00:00.5"), 0.5 / 86400, 1e-15);
}

TEST(Dates, AreWrittenSoThatTheyReadBack) {
  for (const double day : {-719528.0, -40000.25, -0.5, 0.0, 18691.75, 2932896.0})
    EXPECT_EQ(days(iso_date(day)), day) << day;
  EXPECT_EQ(iso_date(18691.75), "2021-03-05T18:00:00");
  EXPECT_EQ(iso_date(-719529), "");
  EXPECT_EQ(iso_date(std::nan("")), "");
}

TEST(Dates, OtherTextIsNone) {
  for (const char* text : {"",
                           "x",
                           "2021",
                           "2021-03",
                           "3/5",
                           "20210305",
                           "2021-03-05x",
                           "2021-03/05",
                           "1.5",
                           "12,5",
                           "a-b-c",
                           "2021-03-05T",
                           "2021-03-05T25:00",
                           "2021-03-05T10:61",
                           "2021-03-05 10",
                           "T1-2-2021",
                           "123-1-2021",
                           "1-2-202",
                           "-1-2-2021",
                           "12:30",
                           "2021-03-05T10:00+1",
                           "99999999999-1-1"})
    EXPECT_FALSE(parse_date(text)) << text;
}

TEST(Dates, DaysThatDoNotExist) {
  for (const char* text : {"2021-02-29", "2021-13-01", "2021-00-10", "31.04.2021", "0.1.2021"}) {
    EXPECT_TRUE(parse_date(text)) << text;
    EXPECT_TRUE(std::isnan(days(text))) << text;
  }
  EXPECT_EQ(days("2020-02-29"), 18321);
}

TEST(Dates, FormsAreTold) {
  using Form = DateParts::Form;
  EXPECT_EQ(parse_date("2021-03-05")->form, Form::iso);
  EXPECT_EQ(parse_date("5.3.2021")->form, Form::dotted);
  EXPECT_EQ(parse_date("5/3/2021")->form, Form::slashed);
  EXPECT_EQ(parse_date("05-03-2021")->form, Form::slashed);
  EXPECT_EQ(parse_date("5/3/21")->form, Form::two_digit);
}

}  // namespace
}  // namespace mkc::io
