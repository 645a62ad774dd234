#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// What separates the cells of a line: a tab, comma or semicolon, or (blanks) any run of blanks.
enum class Delimiter : char { tab = '\t', comma = ',', semicolon = ';', blanks = ' ' };

/// The delimiter of a line outside quotes; nothing where it has no tab, comma or semicolon.
std::optional<Delimiter> recognise_delimiter(std::string_view line);

/// The usual words for a missing value, see read_table().
bool is_missing_word(std::string_view cell);

/// Lines without cells: blank ones and comments, which begin with '#'.
bool is_comment_or_blank(std::string_view line);

/// All cells of a line; `place` ("map.csv, line 3") begins the InputError of quotes that do not
/// match.
Strings cells_of(std::string_view line, Delimiter delimiter, const std::string& place);
[[noreturn]] void refuse_quotes(const std::string& place);

/// Reads the cells of one line.
class CellReader {
 public:
  CellReader(std::string_view line, Delimiter delimiter);

  bool done() const { return done_; }

  /// Fast path: reads the next cell if it is a plain number, and otherwise leaves it for text().
  bool number(double& value);

  /// The next cell without surrounding blanks or quotes (RFC 4180, within one line), valid until
  /// the next call. Nothing where a quote is not closed, or text follows the closing quote.
  std::optional<std::string_view> text();

 private:
  bool is_blank(char c) const { return c == ' ' || (c == '\t' && delimiter_ != Delimiter::tab); }
  bool ends_cell(const char* at) const;
  void skip_blanks();
  void pass_delimiter();
  std::optional<std::string_view> quoted_text();

  const char* at_;
  const char* end_;
  Delimiter delimiter_;
  bool done_ = false;
  std::string unquoted_;
};

}  // namespace mkc::io
