#pragma once

#include <variant>

#include "mkc/problem/labels.hpp"
#include "mkc/problem/survival.hpp"

namespace mkc {

/// A number for some of the samples.
struct Numbers {
  Vector of_sample;  // (N); NaN = the sample has none

  Indices labelled() const;                       // samples with a number, ascending
  Numbers restricted(const Indices& rows) const;  // for samples rows[0], rows[1], ...
};

enum class LabelType { classes, numbers, survival };

inline const Strings label_type_names = {"classes", "numbers", "survival"};

/// What is to be predicted of the samples; the alternatives are in the order of LabelType.
using Target = std::variant<Labels, Numbers, Survival>;

LabelType type_of(const Target& target);
Indices labelled(const Target& target);
Target restricted(const Target& target, const Indices& rows);

/// Labels as they are written: one column, or time and event of survival.
struct LabelTexts {
  std::string source;            // for messages: "clinical.tsv"
  Strings names;                 // of the columns
  std::vector<Strings> columns;  // (N) texts each; "" = none
};

struct TypedLabels {
  Target target;
  std::string evidence;   // why it is of this type, for the user: "numbers (age: 41 ...)"
  std::string name = {};  // of the column, of survival that of the times
};

/// What the texts are, by their look:
///
/// survival: two columns, times >= 0 and events (0/1, false/true, alive/dead, living/deceased).
/// classes:  words; two values; or at most 10 whole numbers close to each other, each three times
/// on
///           average.
/// numbers:  other numbers.
///
/// InputError, which says what to set, where both are likely: numbers among words; few values, with
/// decimals or far apart; more than 10 whole numbers from 0 or 1 on without a gap that all occur
/// three times or more; whole numbers without a gap that all occur once, as numbers of samples do.
/// `type` is "auto", or one of label_type_names: then nothing is guessed.
TypedLabels typed_labels(const LabelTexts& texts, const Strings& samples,
                         const std::string& type = "auto");

/// InputError unless the labels can be cross-validated: two classes, each with two members or more;
/// 10 samples with numbers that are not all equal; 10 samples with 5 events.
void check_target(const Target& target, const Strings& samples);

}  // namespace mkc
