#pragma once

#include <string>
#include <string_view>

#include "mkc/base/types.hpp"

namespace mkc {

/// Number of single-character edits (insert, delete, replace, swap neighbours) between two words.
Index edit_distance(std::string_view a, std::string_view b);

/// The candidate closest to a mistyped word, or "" where none is close.
std::string closest(std::string_view word, const Strings& candidates);

/// " (did you mean 'knn'?)" where a candidate is close to the word, else "".
std::string suggestion(std::string_view word, const Strings& candidates);

/// "a, b, c"
std::string join(const Strings& words, std::string_view separator = ", ");

/// Whole text as a number; false where any character is left over. Accepts nan and inf.
bool parse_number(std::string_view text, double& value);

/// Shortest text that reads back as the same number.
std::string format_number(double value);

/// Text cut at every separator: "a,b" -> {"a", "b"}; "" -> {""}.
Strings split(std::string_view text, char separator);

/// Text that is safe to show: one line, in which characters that steer a terminal are escaped as in
/// JSON (\u001b) and bytes that are not UTF-8 as \xff. Escaping twice changes nothing more.
std::string printable(std::string_view text);

/// The same for text of several lines: ends of lines and tabs stay.
std::string printable_lines(std::string_view text);

/// Text of a cell or a name as shown in a message: printable and shortened.
std::string shown(std::string_view text);

/// "a, b, c": many names as shown in a message, at most 20 of them.
std::string shown(const Strings& names);

/// "'a', 'b', 'c', ...": the first few of many names, for messages.
std::string first_of(const Strings& names);

}  // namespace mkc
