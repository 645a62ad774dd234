#include "select/folds.hpp"

#include <numeric>

#include "base/random.hpp"
#include "select/hidden_rows.hpp"

namespace mkc {

namespace {

constexpr int parts = 5;

}  // namespace

std::vector<bool> judging_half(const Strings& samples) {
  std::vector<bool> judges;
  for (const auto& sample : samples) judges.push_back(Random(0, sample, "judge").below(2) == 1);
  return judges;
}

Folds folds_of(const std::vector<HiddenRow>& rows, const Strings& samples) {
  const bool halves =
      !std::all_of(rows.begin(), rows.end(), [](const auto& r) { return r.judges; });
  Folds folds;
  for (const auto& row : rows)
    folds.of_row.push_back(
        halves && row.judges
            ? parts
            : static_cast<int>(Random(0, samples[at(row.sample)], "stack").below(parts)));
  folds.judged = {parts};
  if (!halves) {
    folds.judged.resize(parts);
    std::iota(folds.judged.begin(), folds.judged.end(), 0);
  }
  return folds;
}

}  // namespace mkc
