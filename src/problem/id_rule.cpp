#include "mkc/problem/id_rule.hpp"

#include <algorithm>
#include <charconv>
#include <regex>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "mkc/base/error.hpp"
#include "problem/tcga_barcode.hpp"

namespace mkc {

namespace {

using Kind = IdRule::Kind;

constexpr std::size_t longest_pattern = 200;
constexpr std::size_t longest_id = 400;    // that a pattern is tried on
constexpr Index largest_expansion = 2000;  // states of a pattern, counted repetitions written out

constexpr const char* ids_hint =
    "ids is auto, exact, loose, tcga-patient, tcga-sample, prefix:N (the first N characters name "
    "the sample) or regex:PATTERN (its first group does)";

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw OptionError(fmt::format("ids: '{}' {}", shown(text), why), ids_hint);
}

/// The size of a pattern with its counted repetitions written out: "(ab){3}" is 6 and a bit. Bounds
/// the memory, time and stack that std::regex takes.
class Expansion {
 public:
  explicit Expansion(std::string_view pattern) : text_(pattern) {}

  Index size() {
    Index total = 0;
    while (next_ < text_.size()) {
      if (text_[next_] == ')') {  // of a group, or one too many, which std::regex refuses
        ++next_;
        return total;
      }
      total = std::min(limit, total + repeated(atom()));
    }
    return total;
  }

 private:
  static constexpr Index limit = 1000 * largest_expansion;

  Index atom() {
    const char c = text_[next_++];
    if (c == '\\' && next_ < text_.size()) ++next_;
    if (c == '[') skip_class();
    if (c != '(') return 1;
    if (++depth_ > 20) return limit;
    const Index inside = size();
    --depth_;
    return inside + 2;
  }

  void skip_class() {
    if (next_ < text_.size() && text_[next_] == '^') ++next_;
    bool first = true;
    for (; next_ < text_.size() && (first || text_[next_] != ']'); ++next_, first = false)
      if (text_[next_] == '\\') ++next_;
    if (next_ < text_.size()) ++next_;
  }

  /// "{3}", "{3,}" and "{3,5}" after an atom, also several times.
  Index repeated(Index size) {
    while (next_ < text_.size() && text_[next_] == '{') {
      const auto end = std::min(text_.find('}', next_), text_.size());
      Index most = 1, count = 0;
      for (std::size_t i = next_ + 1; i < end; ++i) {
        count =
            text_[i] >= '0' && text_[i] <= '9' ? std::min(limit, 10 * count + text_[i] - '0') : 0;
        most = std::max(most, count);
      }
      size = std::min(limit, size * std::min(most, limit));
      next_ = std::min(end + 1, text_.size());
    }
    return size;
  }

  std::string_view text_;
  std::size_t next_ = 0;
  int depth_ = 0;
};

/// Matching takes time polynomial in the id and no stack that grows with it, where the C++ library
/// can do so.
std::regex compiled(const std::string& pattern) {
#ifdef __GLIBCXX__
  return std::regex(pattern, std::regex::ECMAScript | std::regex_constants::__polynomial);
#else
  return std::regex(pattern, std::regex::ECMAScript);
#endif
}

std::regex checked_pattern(const std::string& text, const std::string& pattern) {
  if (pattern.empty()) refuse(text, "has no pattern");
  if (pattern.size() > longest_pattern)
    refuse(text, fmt::format("is longer than {} characters", longest_pattern));
  Expansion expansion(pattern);
  if (expansion.size() > largest_expansion) refuse(text, "repeats too much");
  try {
    std::regex regex = compiled(pattern);
    if (regex.mark_count() == 0) refuse(text, "has no group ( ) that names the sample");
    return regex;
  } catch (const std::regex_error& error) {
    if (error.code() == std::regex_constants::error_complexity)
      refuse(text, "uses a back reference, which is not supported");
    refuse(text, "is not a regular expression");
  }
}

Strings sample_types(const std::string& text, const std::string& codes) {
  Strings types = split(codes, '+');
  for (const auto& type : types)
    if (type.size() != 2 ||
        !std::all_of(type.begin(), type.end(), [](char c) { return c >= '0' && c <= '9'; }))
      refuse(text,
             "names no sample type of two digits, such as tcga-patient:01 for primary tumours");
  return types;
}

Index prefix_length(const std::string& text, const std::string& digits) {
  Index length = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, length);
  if (error != std::errc() || stop != end || length < 1 || length > 1000)
    refuse(text, "has no number of characters from 1 to 1000");
  return length;
}

/// The first characters of a UTF-8 text, all of a shorter one.
std::string first_characters(const std::string& text, Index count) {
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    const bool continues = (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80;
    if (!continues && count-- == 0) break;
  }
  return text.substr(0, end);
}

}  // namespace

const char* const id_rule_range =
    "auto|exact|loose|tcga-patient[:TYPES]|tcga-sample|prefix:N|regex:PATTERN";

IdRule parse_id_rule(const std::string& text) {
  const auto colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const std::string value = colon == std::string::npos ? "" : text.substr(colon + 1);
  const bool has_value = colon != std::string::npos;
  if (name == "prefix" && has_value) return {Kind::prefix, {}, prefix_length(text, value), ""};
  if (name == "regex" && has_value) {
    checked_pattern(text, value);
    return {Kind::regex, {}, 0, value};
  }
  if (name == "tcga-patient" && has_value)
    return {Kind::tcga_patient, sample_types(text, value), 0, ""};
  if (text == "auto") return {Kind::automatic};
  if (text == "exact") return {Kind::exact};
  if (text == "loose") return {Kind::loose};
  if (text == "tcga-patient") return {Kind::tcga_patient};
  if (text == "tcga-sample") return {Kind::tcga_sample};
  refuse(text,
         "is not a rule for ids" + suggestion(name, {"auto", "exact", "loose", "tcga-patient",
                                                     "tcga-sample", "prefix:N", "regex:PATTERN"}));
}

std::string id_rule_text(const IdRule& rule) {
  switch (rule.kind) {
    case Kind::automatic:
      return "auto";
    case Kind::exact:
      return "exact";
    case Kind::loose:
      return "loose";
    case Kind::tcga_patient:
      return rule.sample_types.empty() ? "tcga-patient"
                                       : "tcga-patient:" + join(rule.sample_types, "+");
    case Kind::tcga_sample:
      return "tcga-sample";
    case Kind::prefix:
      return fmt::format("prefix:{}", rule.length);
    case Kind::regex:
      return "regex:" + rule.pattern;
  }
  return "auto";
}

struct SampleOfId::Pattern {
  std::regex regex;
};

SampleOfId::SampleOfId(const IdRule& rule) : rule_(rule) {
  if (rule.kind == Kind::regex)
    pattern_ =
        std::make_unique<Pattern>(Pattern{checked_pattern(id_rule_text(rule), rule.pattern)});
}

SampleOfId::~SampleOfId() = default;

std::optional<std::string> SampleOfId::operator()(const std::string& id) const {
  switch (rule_.kind) {
    case Kind::automatic:
    case Kind::exact:
    case Kind::loose:
      return id;
    case Kind::tcga_patient: {
      const auto barcode = parse_tcga_barcode(id);
      return barcode ? std::optional(barcode->patient) : std::nullopt;
    }
    case Kind::tcga_sample: {
      const auto barcode = parse_tcga_barcode(id);
      if (!barcode || barcode->sample_type.empty()) return std::nullopt;
      return barcode->sample();
    }
    case Kind::prefix:
      return first_characters(id, rule_.length);
    case Kind::regex: {
      std::smatch match;
      if (id.size() > longest_id || !std::regex_search(id, match, pattern_->regex) ||
          match.length(1) == 0 || !is_utf8(match.str(1)))
        return std::nullopt;
      return match.str(1);
    }
  }
  return id;
}

}  // namespace mkc
