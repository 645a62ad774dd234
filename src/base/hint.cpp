#include "mkc/base/hint.hpp"

#include "base/text.hpp"

namespace mkc {

std::string Hint::text(const OptionWriter& write) const {
  std::string line;
  for (const Advice& advice : advice_) {
    if (!line.empty()) line += "; ";
    if (!advice.option.empty()) line += write(advice) + " ";
    line += advice.sentence;
  }
  return printable(line);
}

std::string Hint::text() const {
  return text([](const Advice& advice) {
    return advice.value.empty() ? advice.option : advice.option + "=" + advice.value;
  });
}

}  // namespace mkc
