#include "experiments/protocol.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/random.hpp"
#include "mkc/base/error.hpp"

namespace mkc {

namespace {

// `items` in an order that depends on seed, purpose and their names only.
template <class Name>
Indices shuffled(Indices items, std::uint64_t seed, const std::string& purpose, Name name) {
  std::vector<std::pair<std::uint64_t, Index>> keyed;
  for (const Index i : items) keyed.emplace_back(Random(seed, name(i), purpose).next(), i);
  std::sort(keyed.begin(), keyed.end());
  for (std::size_t k = 0; k < items.size(); ++k) items[k] = keyed[k].second;
  return items;
}

Indices first_to(Index first, Index end) {
  Indices result;
  for (Index i = first; i < end; ++i) result.push_back(i);
  return result;
}

Indices ascending(Indices items) {
  std::sort(items.begin(), items.end());
  return items;
}

Index share_of(double share, Index count) {
  return static_cast<Index>(std::lround(share * static_cast<double>(count)));
}

Indices joined(const Indices& a, const Indices& b) {
  Indices both = a;
  both.insert(both.end(), b.begin(), b.end());
  return ascending(std::move(both));
}

Task task_on(const Problem& data, const Indices& samples, const Mask& hidden) {
  Mask rows(static_cast<Index>(samples.size()), hidden.cols());
  for (std::size_t i = 0; i < samples.size(); ++i)
    rows.row(static_cast<Index>(i)) = hidden.row(samples[i]);
  Problem truth = restricted(data, samples);
  HeldOut visible = hide_pairs(truth, rows);
  return {std::move(truth), std::move(visible)};
}

}  // namespace

Partition draw_partition(const Problem& data, const Protocol& protocol, std::uint64_t seed,
                         Index number) {
  const Index N = data.n_samples();
  const Index whole = share_of(protocol.whole, N), tuning = share_of(protocol.tuning, N);
  if (whole < 3 || whole >= tuning || tuning >= N)
    throw OptionError(
        fmt::format("{} samples cannot be split: {} would stay whole, {} would be for tuning "
                    "and {} for the test",
                    N, whole, tuning - whole, N - tuning),
        "3 whole samples and one of each other kind are needed: change 'whole' or 'tuning'");
  const Indices order =
      shuffled(first_to(0, N), seed, fmt::format("partition {}", number),
               [&](Index i) -> const std::string& { return data.samples()[at(i)]; });
  const auto begin = order.begin();
  Index tuning_end = tuning;
  if (protocol.most_tuning > 0) tuning_end = std::min(tuning, whole + protocol.most_tuning);
  return {ascending({begin, begin + whole}), ascending({begin + whole, begin + tuning_end}),
          ascending({begin + tuning, order.end()})};
}

Split draw_losses(const Problem& data, Partition partition, const Protocol& protocol,
                  std::uint64_t seed, Index number) {
  const Index M = data.n_views();
  const Indices candidates = first_to(protocol.first_view_complete ? 1 : 0, M);
  const bool all =
      protocol.views_missing >= M || protocol.views_missing > static_cast<Index>(candidates.size());
  if (protocol.views_missing < 1 || all)
    throw OptionError(
        fmt::format("{} of {} views cannot be missing{}", protocol.views_missing, M,
                    protocol.first_view_complete ? " where the first one is complete" : ""),
        "a sample keeps at least one view");
  Mask hidden = Mask::Constant(data.n_samples(), M, false);
  const std::string draw = fmt::format("losses {}", number);
  const auto sample_name = [&](Index i) -> const std::string& { return data.samples()[at(i)]; };
  for (const Indices* set : {&partition.tuning, &partition.test}) {
    Indices losing = shuffled(*set, seed, draw, sample_name);
    losing.resize(at(share_of(protocol.losing, static_cast<Index>(losing.size()))));
    for (const Index i : losing) {
      const Indices views =
          shuffled(candidates, seed, draw + " of " + sample_name(i),
                   [&](Index m) -> const std::string& { return data.view(m).name; });
      for (Index v = 0; v < protocol.views_missing; ++v) hidden(i, views[at(v)]) = true;
    }
  }
  return {std::move(partition), std::move(hidden)};
}

Task tuning_task(const Problem& data, const Split& split) {
  return task_on(data, joined(split.partition.whole, split.partition.tuning), split.hidden);
}

Task test_task(const Problem& data, const Split& split) {
  return task_on(data, joined(split.partition.whole, split.partition.test), split.hidden);
}

}  // namespace mkc
