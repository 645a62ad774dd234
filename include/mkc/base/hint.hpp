#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace mkc {

/// One way to fix an input. The library knows neither shell nor Python: advice on an option names
/// it, and each front writes the option as its users do, "--psd clip" or psd='clip'.
struct Advice {
  std::string option;    // "psd"; "command" for another command; "" where no option is meant
  std::string value;     // "clip"; "" for a switch; in capitals where users fill it in: "FILE"
  std::string sentence;  // alone, or what follows the option: "takes the nearest kernel"

  Advice(std::string text) : sentence(std::move(text)) {}  // NOLINT: a sentence is advice
  Advice(const char* text) : sentence(text) {}             // NOLINT
  Advice(std::string name, std::string setting, std::string text)
      : option(std::move(name)), value(std::move(setting)), sentence(std::move(text)) {}
};

/// How to fix an input: pieces of advice, the most useful first.
class Hint {
 public:
  using OptionWriter = std::function<std::string(const Advice&)>;

  Hint() = default;
  Hint(const char* sentence) : Hint(std::string(sentence)) {}  // NOLINT: most hints are a sentence
  Hint(std::string sentence) {                                 // NOLINT
    if (!sentence.empty()) advice_.emplace_back(std::move(sentence));
  }
  Hint(std::initializer_list<Advice> advice) : advice_(advice) {}

  void add(Advice advice) { advice_.push_back(std::move(advice)); }
  bool empty() const { return advice_.empty(); }
  const std::vector<Advice>& advice() const { return advice_; }

  /// One line, options as `write` puts them.
  std::string text(const OptionWriter& write) const;

  /// One line, options as "psd=clip".
  std::string text() const;

 private:
  std::vector<Advice> advice_;
};

}  // namespace mkc
