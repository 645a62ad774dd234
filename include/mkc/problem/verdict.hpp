#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// What the completed rows of a view are worth, judged on hidden rows.
enum class Verdict {
  strong,   // at least half of what distinguishes the rows is recovered
  useful,   // at least a fifth
  weak,     // at least a twentieth
  nothing,  // less, or an error that is no smaller than that of the average row
  unknown,  // too few rows could be hidden
};

/// "strong", "useful", "weak", "nothing beyond the average row" or "unknown".
const char* verdict_name(Verdict verdict);

/// What the hidden rows of a view show; NaN where it is not known.
struct Judged {
  double error = 0;           // mean relative error of hidden rows
  double average_row = 0;     // the same of the average row
  double recovered = 0;       // R^2 of centred rows
  double standard_error = 0;  // of `recovered`, over samples
  Index samples = 0;          // with hidden rows
};

/// The verdict on a view. `recovered` counts after its standard error is subtracted, so that few
/// hidden rows do not flatter: strong from 0.5, useful from 0.2, weak from 0.05.
Verdict verdict_on(const Judged& view);

/// Whether the interval of a row says anything: an error of 100 % is that of a row of zeros.
bool interval_is_known(double high);

}  // namespace mkc
