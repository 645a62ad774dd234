#include "mkc/problem/verdict.hpp"

#include <cmath>

namespace mkc {

namespace {

constexpr Index fewest_samples = 5;  // with hidden rows: fewer allow no verdict
constexpr double strong_from = 0.5, useful_from = 0.2, weak_from = 0.05;

}  // namespace

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::strong:
      return "strong";
    case Verdict::useful:
      return "useful";
    case Verdict::weak:
      return "weak";
    case Verdict::nothing:
      return "nothing beyond the average row";
    case Verdict::unknown:
      break;
  }
  return "unknown";
}

Verdict verdict_on(const Judged& view) {
  const double certain = view.recovered - view.standard_error;
  if (view.samples < fewest_samples || std::isnan(certain) || std::isnan(view.error))
    return Verdict::unknown;
  if (view.error >= view.average_row || certain < weak_from) return Verdict::nothing;
  if (certain < useful_from) return Verdict::weak;
  return certain < strong_from ? Verdict::useful : Verdict::strong;
}

bool interval_is_known(double high) { return high <= 1; }

}  // namespace mkc
