#include "mkc/problem/label_types.hpp"

#include <cmath>

#include "support/expect_message.hpp"

namespace mkc {
namespace {

Strings sample_names(std::size_t n) {
  Strings result;
  for (std::size_t i = 0; i < n; ++i) result.push_back("s" + std::to_string(i));
  return result;
}

TypedLabels typed(const Strings& column, const std::string& type = "auto") {
  return typed_labels({"y.tsv", {"label"}, {column}}, sample_names(column.size()), type);
}

TypedLabels typed_survival(const Strings& times, const Strings& events) {
  return typed_labels({"y.tsv", {"time", "event"}, {times, events}}, sample_names(times.size()));
}

// n texts, each a value of `make`.
template <class Make>
Strings texts(Index n, Make make) {
  Strings column;
  for (Index i = 0; i < n; ++i) column.push_back(fmt::format("{}", make(i)));
  return column;
}

LabelType type_by_look(const Strings& column) { return type_of(typed(column).target); }

void expect_question(const Strings& column) {
  test::expect_message([&] { typed(column); }, "classes, or numbers?");
}

TEST(LabelTypes, WordsAreClasses) {
  EXPECT_EQ(type_by_look({"a", "b", "", "a"}), LabelType::classes);
  EXPECT_EQ(type_by_look({"stage 1", "2", "3", "unknown"}), LabelType::classes);
  EXPECT_EQ(typed({"a", "b"}).evidence, "classes (label: 2 different words)");
}

TEST(LabelTypes, ManyNumbersAreNumbers) {
  EXPECT_EQ(type_by_look(texts(40, [](Index i) { return 0.5 + 1.25 * double(i); })),
            LabelType::numbers);
  const TypedLabels ages = typed(texts(60, [](Index i) { return 30 + (7 * i) % 41; }));
  EXPECT_EQ(type_of(ages.target), LabelType::numbers);
  EXPECT_EQ(ages.evidence, "numbers (label: 41 different whole numbers from 30 to 70)");
  EXPECT_EQ(type_by_look({"0.1", "0.2", "0.31", "0.7"}), LabelType::numbers);
}

TEST(LabelTypes, FewWholeNumbersAreClasses) {
  EXPECT_EQ(type_by_look(texts(30, [](Index i) { return i % 3; })), LabelType::classes);
  EXPECT_EQ(type_by_look({"0", "1", "1", "0"}), LabelType::classes);
  EXPECT_EQ(type_by_look({"-1.5", "2.5"}), LabelType::classes);  // two values
  EXPECT_EQ(typed(texts(30, [](Index i) { return 1 + i % 4; })).evidence,
            "classes (label: 4 different whole numbers from 1 to 4)");
}

TEST(LabelTypes, WeakEvidenceIsAQuestion) {
  expect_question(texts(12, [](Index i) { return i % 6; }));                         // twice each
  expect_question(texts(60, [](Index i) { return 0.5 * double(i % 4); }));           // doses?
  expect_question(texts(400, [](Index i) { return 1 + i % 40; }));                   // 40 persons?
  expect_question({"0", "0", "0", "0", "1", "1", "1", "2", "2", "50", "52", "52"});  // far apart
  Strings mixed = texts(40, [](Index i) { return double(i) + 0.5; });
  mixed[3] = "unknown";
  test::expect_message([&] { typed(mixed); }, "39 of 40 values are numbers, but 'unknown' is not");
}

TEST(LabelTypes, NamesOfSamplesAreNoLabels) {
  Strings names;
  for (int i = 0; i < 12; ++i) names.push_back("P" + std::to_string(i));
  test::expect_message([&] { typed(names); }, "each of the 12 samples has a label of its own");
  EXPECT_EQ(type_of(typed(names, "classes").target), LabelType::classes);
  names[3] = names[4];
  EXPECT_EQ(type_by_look(names), LabelType::classes);
}

TEST(LabelTypes, NumbersOfSamplesAreNoLabels) {
  const Strings counted = texts(30, [](Index i) { return 1000 + i; });
  test::expect_message([&] { typed(counted); }, "this looks like a number of the sample");
  EXPECT_EQ(type_of(typed(counted, "numbers").target), LabelType::numbers);
  Strings gap = counted;
  gap[4] = "2000";
  EXPECT_EQ(type_by_look(gap), LabelType::numbers);
}

TEST(LabelTypes, ATypeThatIsGivenIsTaken) {
  const Strings ids = texts(400, [](Index i) { return 1 + i % 40; });
  EXPECT_EQ(std::get<Labels>(typed(ids, "classes").target).classes.size(), 40u);
  const Target numbers = typed({"3", "", "1"}, "numbers").target;
  EXPECT_EQ(labelled(numbers), (Indices{0, 2}));
  EXPECT_EQ(std::get<Numbers>(restricted(numbers, {2, 0})).of_sample, (Vector{{1, 3}}));
  test::expect_message([] { typed({"3", "x"}, "numbers"); }, "'x' of sample 's1' is not a number");
  test::expect_message([] { typed({"3", "4"}, "survival"); }, "one column for labels of type");
  test::expect_message([] { typed({"3"}, "number"); }, "did you mean 'numbers'?");
}

TEST(LabelTypes, TwoColumnsAreSurvival) {
  const TypedLabels found =
      typed_survival({"5", "2.5", "", "7", "1"}, {"1", "Alive", "1", "", "TRUE"});
  const auto& survival = std::get<Survival>(found.target);
  EXPECT_EQ(survival.labelled(), (Indices{0, 1, 4}));
  EXPECT_EQ(survival.restricted({0, 1, 4}).event, (Vector{{1, 0, 1}}));
  EXPECT_EQ(found.evidence, "survival (time 'time', event 'event': 2 events, 1 censored)");
}

TEST(LabelTypes, WrongSurvivalIsRefused) {
  test::expect_message([] { typed_survival({"5", "-2"}, {"1", "0"}); },
                       "the time -2 of sample 's1' is negative");
  test::expect_message([] { typed_survival({"5", "2"}, {"1", "2"}); },
                       "column 'event': '2' of sample 's1' is no event");
  test::expect_message([] { typed_survival({"5", "x"}, {"1", "0"}); }, "'x' of sample 's1'");
  test::expect_message([] { typed_survival({"5", "", ""}, {"1", "0", "0"}); },
                       "none of the 2 censored samples has a time");
}

TEST(LabelTypes, TargetsThatCannotBeCrossValidatedAreRefused) {
  const auto check = [](const Target& target, std::size_t n) {
    check_target(target, sample_names(n));
  };
  test::expect_message([&] { check(typed({"a", "a"}).target, 2); }, "of class 'a'");
  Strings few = texts(30, [](Index i) { return i < 8 ? fmt::format("{}.5", i) : ""; });
  test::expect_message([&] { check(typed(few).target, 30); }, "8 of 30 samples have a label");
  test::expect_message([&] { check(typed(Strings(12, "3"), "numbers").target, 12); },
                       "all 12 labelled samples have the number 3");
  const Strings times = texts(12, [](Index i) { return i; });
  test::expect_message([&] { check(typed_survival(times, Strings(12, "0")).target, 12); },
                       "0 of 12 samples have an event");
  EXPECT_NO_THROW(check(typed_survival(times, Strings(12, "1")).target, 12));
}

}  // namespace
}  // namespace mkc
