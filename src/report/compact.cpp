#include "report/compact.hpp"

#include <cmath>

#include "base/utf8.hpp"

namespace mkc::report {

double rounded(double value, int digits) {
  if (!std::isfinite(value) || value == 0) return value;
  // Dividing by a power of ten rather than multiplying by a small one: 0.1 stays 0.1.
  const int shift = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
  const double power = std::pow(10.0, std::abs(shift));
  const double result =
      shift >= 0 ? std::round(value * power) / power : std::round(value / power) * power;
  return std::isfinite(result) ? result : value;  // 10^shift was out of range
}

std::string base64(std::string_view bytes) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? digits[bits >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

std::string short_name(const std::string& name, std::size_t limit) {
  const std::u32string code_points = decode_utf8(name);
  std::string text;
  for (std::size_t i = 0; i < std::min(limit, code_points.size()); ++i)
    append_utf8(text, code_points[i]);
  return code_points.size() > limit ? text + "\u2026" : text;
}

}  // namespace mkc::report
