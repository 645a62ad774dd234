#pragma once

#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace mkc::bench {

/// {"name": "text", "other": 1.5} on one line, for table.py. Texts are ours and need no escapes;
/// the JSON library would be most of the time these programs take to compile.
class JsonLine {
 public:
  JsonLine& add(const char* name, const std::string& text) { return raw(name, '"' + text + '"'); }

  JsonLine& add(const char* name, double number) {
    std::ostringstream digits;
    digits.precision(std::numeric_limits<double>::max_digits10);
    digits << number;
    return raw(name, std::isfinite(number) ? digits.str() : "null");
  }

  std::string str() const { return '{' + text_ + '}'; }

 private:
  JsonLine& raw(const std::string& name, const std::string& value) {
    text_ += (text_.empty() ? "\"" : ", \"") + name + "\": " + value;
    return *this;
  }

  std::string text_;
};

}  // namespace mkc::bench
