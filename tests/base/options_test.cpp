#include "mkc/base/options.hpp"

#include <limits>

#include "base/text.hpp"
#include "support/expect_message.hpp"

namespace mkc {
namespace {

using test::expect_message;

enum class Start { loo, identity };

struct Sample {
  double c1 = 0.1;
  std::optional<double> c2;
  Index k = 5;
  bool free = true;
  Start start = Start::identity;
};

OptionTable<Sample> table() {
  OptionTable<Sample> t("test");
  t.number("c1", &Sample::c1, 0, 10, "weight");
  t.number_or("auto", "c2", &Sample::c2, 0, 1, "weight");
  t.count("k", &Sample::k, 1, 9, "neighbours");
  t.flag("free", &Sample::free, "free");
  t.choice("start", &Sample::start, {"loo", "identity"}, "start");
  return t;
}

TEST(Options, ParsesEveryKindOfValue) {
  const Sample s =
      table().parse({{"c1", "2.5"}, {"c2", "1e-1"}, {"k", "7"}, {"free", "no"}, {"start", "loo"}});
  EXPECT_EQ(s.c1, 2.5);
  EXPECT_EQ(s.c2, 0.1);
  EXPECT_EQ(s.k, 7);
  EXPECT_FALSE(s.free);
  EXPECT_EQ(s.start, Start::loo);
  EXPECT_EQ(table().parse({{"c2", "auto"}}).c2, std::nullopt);
}

TEST(Options, ValuesReadBackAsTheSameOptions) {
  Sample s;
  s.c1 = 0.1 + 0.2;  // not a short decimal
  const Sample back = table().parse(table().values(s));
  EXPECT_EQ(back.c1, s.c1);
  EXPECT_EQ(table().describe()[3].default_value, "yes");
}

TEST(Options, RefuseValuesOutsideTheirRange) {
  expect_message([] { table().parse({{"k", "0"}}); },
                 "option 'k': '0' is not a whole number from 1 to 9");
  expect_message([] { table().parse({{"k", "2.5"}}); }, "option 'k'");
  expect_message([] { table().parse({{"c1", "nan"}}); }, "option 'c1'");
  expect_message([] { table().parse({{"free", "maybe"}}); }, "is not yes or no");
  expect_message([] { table().parse({{"start", "lo"}}); }, "did you mean 'loo'?");
  expect_message([] { table().parse({{"sart", "loo"}}); },
                 "test has no option 'sart' (did you mean 'start'?)");
  // 2^63 fits the limit as a double, but not as a whole number.
  OptionTable<Sample> wide("test");
  wide.count("k", &Sample::k, 1, std::numeric_limits<Index>::max(), "neighbours");
  expect_message([&] { wide.parse({{"k", "9223372036854775808"}}); }, "option 'k'");
  Sample s;
  s.c1 = -1;
  expect_message([&] { table().verify(s); }, "option 'c1': '-1'");
}

TEST(Spec, SplitsNameAndOptions) {
  const Spec spec = parse_spec("knn,k=5,x=a=b");
  EXPECT_EQ(spec.name, "knn");
  EXPECT_EQ(spec.options, (OptionValues{{"k", "5"}, {"x", "a=b"}}));
  EXPECT_EQ(format_spec(spec), "knn,k=5,x=a=b");
  expect_message([] { parse_spec("knn,k"); }, "expected option=value, found 'k'");
}

TEST(Text, EditDistanceCountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("knn", "knn"), 0);
  EXPECT_EQ(edit_distance("knn", "wknn"), 1);
  EXPECT_EQ(edit_distance("mena", "mean"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(closest("completer", {"complete", "kernel"}), "complete");
  EXPECT_EQ(closest("xyz", {"complete", "kernel"}), "");
}

TEST(Text, NamesInMessagesAreShortAndPrintable) {
  EXPECT_EQ(shown(Strings{"a", "b\033c"}), "a, b\\u001bc");
  EXPECT_EQ(shown(Strings(21, "x")).substr(48), "x, x, x, x, ...");
  EXPECT_EQ(suggestion("an", {"a\n"}), " (did you mean 'a\\n'?)");
}

TEST(Text, NumbersAreReadWholeOrNotAtAll) {
  double value = 0;
  EXPECT_TRUE(parse_number("+1.5e3", value));
  EXPECT_EQ(value, 1500);
  EXPECT_FALSE(parse_number("1.5x", value));
  EXPECT_FALSE(parse_number("", value));
  EXPECT_TRUE(parse_number(format_number(0.1 + 0.2), value));
  EXPECT_EQ(value, 0.1 + 0.2);
}

}  // namespace
}  // namespace mkc
