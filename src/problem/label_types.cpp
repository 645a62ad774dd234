#include "mkc/problem/label_types.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "mkc/base/error.hpp"
#include "mkc/base/options.hpp"

namespace mkc {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_number_classes = 10;  // whole numbers that are classes unless told
constexpr std::size_t usual_members = 3;         // of such a class
constexpr std::size_t fewest_samples = 10, fewest_events = 5;

std::string column_name(const LabelTexts& texts, std::size_t column) {
  return fmt::format("{}, column '{}'", shown(texts.source), shown(texts.names[column]));
}

const Advice as_classes{"label_type", "classes", "takes every value as a class"};
const Advice as_numbers{"label_type", "numbers", "takes them as numbers to be predicted"};

// What a column holds, for the decision of its type.
struct Census {
  std::size_t labelled = 0, words = 0;
  std::map<double, std::size_t> numbers;  // with their counts
  Strings first_words;                    // some of the words
  bool whole = true;                      // all numbers are whole numbers
  bool all_differ = true;                 // no two samples have the same label

  std::size_t different() const { return numbers.size(); }
};

Census census_of(const Strings& column) {
  Census census;
  std::unordered_set<std::string_view> seen;
  for (const auto& text : column) {
    if (text.empty()) continue;
    ++census.labelled;
    census.all_differ = seen.insert(text).second && census.all_differ;
    double value = 0;
    if (parse_number(text, value) && std::isfinite(value)) {
      ++census.numbers[value];
      census.whole = census.whole && value == std::round(value);
    } else {
      ++census.words;
      if (census.first_words.size() < 3 &&
          std::find(census.first_words.begin(), census.first_words.end(), text) ==
              census.first_words.end())
        census.first_words.push_back(text);
    }
  }
  return census;
}

// How many whole numbers there are from the smallest to the largest.
double span(const Census& census) {
  return census.numbers.rbegin()->first - census.numbers.begin()->first + 1;
}

// 0 or 1, 2, 3, ... without a gap, each several times: the ids of classes look like that.
bool look_like_ids(const Census& census) {
  const double first = census.numbers.begin()->first;
  return (first == 0 || first == 1) && span(census) == static_cast<double>(census.different()) &&
         std::all_of(census.numbers.begin(), census.numbers.end(),
                     [](const auto& entry) { return entry.second >= usual_members; });
}

// Every sample has its own whole number, without a gap: the samples were counted.
bool look_counted(const Census& census) {
  return census.whole && census.different() == census.labelled &&
         span(census) == static_cast<double>(census.different());
}

std::string range_text(const Census& census) {
  return fmt::format("{} different {}numbers from {} to {}", census.different(),
                     census.whole ? "whole " : "", format_number(census.numbers.begin()->first),
                     format_number(census.numbers.rbegin()->first));
}

[[noreturn]] void ask(const std::string& what, const Hint& hint) {
  throw InputError(what + ": classes, or numbers?", hint);
}

// The type of one column, or a question.
LabelType recognise(const LabelTexts& texts, const Census& census) {
  const std::string place = column_name(texts, 0);
  if (census.words > 0) {
    if (census.words < census.labelled / 2 && census.different() > most_number_classes)
      ask(fmt::format("{}: {} of {} values are numbers, but {} is not", place,
                      census.labelled - census.words, census.labelled,
                      first_of(census.first_words)),
          {"leave cells without a number empty", as_classes});
    if (census.all_differ && census.labelled >= fewest_samples)
      throw InputError(fmt::format("{}: each of the {} samples has a label of its own, such as {}",
                                   place, census.labelled, first_of(census.first_words)),
                       {"name the column of the labels", as_classes});
    return LabelType::classes;
  }
  if (census.different() <= 2) return LabelType::classes;
  const auto different = static_cast<double>(census.different());
  const bool often = census.labelled >= usual_members * census.different();
  if (census.different() <= most_number_classes) {
    if (census.whole && often && span(census) <= 2 * different) return LabelType::classes;
    if (census.whole || often)
      ask(fmt::format("{}: {} in {} samples", place, range_text(census), census.labelled),
          {as_classes, as_numbers});
    return LabelType::numbers;
  }
  if (look_counted(census))
    throw InputError(
        fmt::format("{}: {}, without a gap and each once: this looks like a number of the sample",
                    place, range_text(census)),
        {"name the column of the labels", as_numbers});
  if (census.whole && look_like_ids(census))
    ask(fmt::format("{}: {}, each at least {} times", place, range_text(census), usual_members),
        {as_classes, as_numbers});
  return LabelType::numbers;
}

Numbers numbers_of(const LabelTexts& texts, std::size_t column, const Strings& samples) {
  const Strings& cells = texts.columns[column];
  Numbers numbers{Vector::Constant(static_cast<Index>(cells.size()), nan)};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    double& value = numbers.of_sample(static_cast<Index>(i));
    if (cells[i].empty()) continue;
    if (!parse_number(cells[i], value) || !std::isfinite(value))
      throw InputError(fmt::format("{}: '{}' of sample '{}' is not a number",
                                   column_name(texts, column), shown(cells[i]), shown(samples[i])),
                       "leave the cells of samples without a number empty");
  }
  return numbers;
}

// 1 where the text says that the event happened, 0 where it had not; NaN for another text.
double event_of(std::string text) {
  static const std::array<Strings, 2> words = {
      Strings{"0", "false", "no", "alive", "living", "censored", "0:living"},
      Strings{"1", "true", "yes", "dead", "deceased", "event", "1:deceased"}};
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  double number = 0;
  if (parse_number(text, number)) return number == 0 || number == 1 ? number : nan;
  for (std::size_t happened = 0; happened < words.size(); ++happened)
    if (std::find(words[happened].begin(), words[happened].end(), text) != words[happened].end())
      return static_cast<double>(happened);
  return nan;
}

Survival survival_of(const LabelTexts& texts, const Strings& samples) {
  Survival found{numbers_of(texts, 0, samples).of_sample, Vector::Zero(0)};
  const Strings& events = texts.columns[1];
  found.event = Vector::Zero(found.time.size());
  std::size_t censored = 0, censored_without_time = 0;
  for (std::size_t s = 0; s < events.size(); ++s) {
    const auto i = static_cast<Index>(s);
    if (found.time(i) < 0)
      throw InputError(
          fmt::format("{}: the time {} of sample '{}' is negative", column_name(texts, 0),
                      format_number(found.time(i)), shown(samples[s])),
          "times are counted from the same start on for all samples");
    if (events[s].empty()) {
      found.time(i) = nan;
      continue;
    }
    const double event = event_of(events[s]);
    if (std::isnan(event))
      throw InputError(fmt::format("{}: '{}' of sample '{}' is no event", column_name(texts, 1),
                                   shown(events[s]), shown(samples[s])),
                       "write 1 where the event happened and 0 where the sample was censored; "
                       "columns are given as TIME,EVENT");
    found.event(i) = event;
    if (event == 0) (std::isnan(found.time(i)) ? censored_without_time : censored) += 1;
  }
  if (censored == 0 && censored_without_time > 0)
    throw InputError(
        fmt::format("{}: none of the {} censored samples has a time", column_name(texts, 0),
                    censored_without_time),
        "their time of last follow-up may be in another column: TIME+FOLLOWUP,EVENT takes "
        "the first of the two that is there");
  return found;
}

std::string event_counts(const Survival& survival) {
  const Indices rows = survival.labelled();
  const double events = survival.event(rows).sum();
  return fmt::format("{} events, {} censored", events, static_cast<double>(rows.size()) - events);
}

std::string class_evidence(const Labels& labels, const Census& census) {
  if (census.words == 0 && !census.numbers.empty())
    return census.different() == 1 ? std::string("one number") : range_text(census);
  return fmt::format("{} different words", labels.classes.size());
}

}  // namespace

Indices Numbers::labelled() const {
  Indices rows;
  for (Index i = 0; i < of_sample.size(); ++i)
    if (!std::isnan(of_sample(i))) rows.push_back(i);
  return rows;
}

Numbers Numbers::restricted(const Indices& rows) const { return {of_sample(rows)}; }

LabelType type_of(const Target& target) { return static_cast<LabelType>(target.index()); }

Indices labelled(const Target& target) {
  return std::visit([](const auto& labels) { return labels.labelled(); }, target);
}

Target restricted(const Target& target, const Indices& rows) {
  return std::visit([&](const auto& labels) { return Target(labels.restricted(rows)); }, target);
}

TypedLabels typed_labels(const LabelTexts& texts, const Strings& samples, const std::string& type) {
  const bool pair = texts.columns.size() == 2;
  const auto place = [&] { return fmt::format("{}:{}", texts.source, join(texts.names, ",")); };
  if (type != "auto" && (detail::to_choice("label_type", type, label_type_names) ==
                         static_cast<std::size_t>(LabelType::survival)) != pair)
    throw InputError(
        fmt::format("{}: {} for labels of type {}", shown(place()),
                    pair ? "two columns" : "one column", type),
        {"survival has two columns, time and event (FILE:TIME,EVENT); other labels have one"});
  if (pair) {
    const Survival found = survival_of(texts, samples);
    return {found,
            fmt::format("survival (time '{}', event '{}': {})", shown(texts.names[0]),
                        shown(texts.names[1]), event_counts(found)),
            texts.names[0]};
  }
  const Census census = census_of(texts.columns[0]);
  const LabelType chosen =
      type == "auto"
          ? recognise(texts, census)
          : static_cast<LabelType>(detail::to_choice("label_type", type, label_type_names));
  if (chosen == LabelType::numbers)
    return {numbers_of(texts, 0, samples),
            fmt::format("numbers ({}: {})", shown(texts.names[0]),
                        census.numbers.empty() ? "none" : range_text(census)),
            texts.names[0]};
  Labels labels = make_labels(texts.columns[0]);
  std::string evidence =
      fmt::format("classes ({}: {})", shown(texts.names[0]), class_evidence(labels, census));
  return {std::move(labels), std::move(evidence), texts.names[0]};
}

void check_target(const Target& target, const Strings& samples) {
  if (const auto* classes = std::get_if<Labels>(&target)) return check_classes(*classes, samples);
  const Indices rows = labelled(target);
  if (rows.size() < fewest_samples)
    throw InputError(fmt::format("{} of {} samples have a label: at least {} are needed",
                                 rows.size(), samples.size(), fewest_samples),
                     "check that the ids of the labels are those of the views");
  if (const auto* numbers = std::get_if<Numbers>(&target)) {
    const Vector known = numbers->of_sample(rows);
    if (known.minCoeff() == known.maxCoeff())
      throw InputError(fmt::format("all {} labelled samples have the number {}", rows.size(),
                                   format_number(known(0))),
                       "there is nothing to predict");
    return;
  }
  const Survival known = std::get<Survival>(target).restricted(rows);
  if (known.event.sum() < static_cast<double>(fewest_events))
    throw InputError(fmt::format("{} of {} samples have an event: at least {} are needed",
                                 known.event.sum(), rows.size(), fewest_events),
                     "check that 1 means an event and 0 a censored time");
}

}  // namespace mkc
