#include "advise/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "mkc/base/error.hpp"

namespace mkc::advice {

namespace {

constexpr double operations_in_all = 3e11;  // for refreshes; some ten seconds
constexpr Index most_refreshes = 250, fewest_refreshes = 12;

/// After how many assays leverages are computed again: after every one of the first `dense` ones,
/// then as often as their number has grown by its `dense`-th part. The first assays, which the
/// budget is spent on, are the most exact ones.
class Schedule {
 public:
  Schedule(const JointModel& model, std::size_t candidates) {
    const double R = static_cast<double>(model.X.cols() + 1);
    const double one = 6.0 * static_cast<double>(model.n_samples() * model.n_views()) * R * R;
    const double allowed =
        std::clamp(operations_in_all / one, double(fewest_refreshes), double(most_refreshes));
    // dense (1 + log(candidates / dense)) refreshes in all
    const double growth = 1 + std::log(std::max(1.0, static_cast<double>(candidates)));
    dense_ = std::max<std::size_t>(1, static_cast<std::size_t>(allowed / growth));
  }

  /// Whether to refresh once `done` assays are taken.
  bool is_due(std::size_t done) {
    if (done < next_) return false;
    next_ = done + std::max<std::size_t>(1, done / dense_);
    return true;
  }

 private:
  std::size_t dense_ = 1, next_ = 1;
};

/// Candidates by gain per cost; ties by names, so that a permuted problem ranks the same.
class Queue {
 public:
  Queue(Expectation& expectation, const JointModel& model, const RankingPlan& plan)
      : expectation_(expectation), model_(model), plan_(plan), of_sample_(at(model.n_samples())) {
    for (std::size_t c = 0; c < plan.candidates.size(); ++c)
      of_sample_[at(plan.candidates[c].sample)].push_back(c);
    scores_.resize(plan.candidates.size());
    refresh();
  }

  void refresh() {
    entries_ = Entries(Later{this});
    for (std::size_t c = 0; c < scores_.size(); ++c)
      if (!is_taken(c)) push(c);
  }

  void refresh_sample(Index sample) {
    for (const std::size_t c : of_sample_[at(sample)])
      if (!is_taken(c)) push(c);
  }

  std::size_t take() {
    for (;;) {
      const Entry entry = entries_.top();
      entries_.pop();
      if (!is_taken(entry.candidate) && entry.score == scores_[entry.candidate])
        return entry.candidate;
    }
  }

 private:
  struct Entry {
    double score;
    std::size_t candidate;
  };
  struct Later {
    const Queue* queue;
    bool operator()(const Entry& a, const Entry& b) const {
      if (a.score != b.score) return a.score < b.score;
      return queue->name_of(b.candidate) < queue->name_of(a.candidate);
    }
  };
  using Entries = std::priority_queue<Entry, std::vector<Entry>, Later>;
  bool is_taken(std::size_t c) const { return !expectation_.is_missing(plan_.candidates[c]); }
  std::pair<const std::string&, const std::string&> name_of(std::size_t c) const {
    const Assay& assay = plan_.candidates[c];
    return {model_.samples[at(assay.sample)], model_.views[at(assay.view)]};
  }
  void push(std::size_t c) {
    const Assay& assay = plan_.candidates[c];
    scores_[c] = expectation_.gain(assay).sum() / plan_.costs(assay.view);
    entries_.push({scores_[c], c});
  }

  Expectation& expectation_;
  const JointModel& model_;
  const RankingPlan& plan_;
  std::vector<std::vector<std::size_t>> of_sample_;
  std::vector<double> scores_;  // the newest; older entries of a candidate are passed over
  Entries entries_{Later{this}};
};

RankedAssay described(const Assay& assay, const Parts& parts, double cost) {
  return {assay, cost, parts.sum(), parts.own, parts.same_sample, parts.others, parts.sum() / cost};
}

// All candidates by their gains now.
std::vector<RankedAssay> ranked_alone(Expectation& expectation, const JointModel& model,
                                      const RankingPlan& plan) {
  std::vector<RankedAssay> ranked;
  for (const Assay& assay : plan.candidates)
    ranked.push_back(described(assay, expectation.gain(assay), plan.costs(assay.view)));
  std::sort(ranked.begin(), ranked.end(), [&](const RankedAssay& a, const RankedAssay& b) {
    if (a.gain_per_cost != b.gain_per_cost) return a.gain_per_cost > b.gain_per_cost;
    const auto &name_a = model.samples[at(a.assay.sample)],
               &name_b = model.samples[at(b.assay.sample)];
    if (name_a != name_b) return name_a < name_b;
    return model.views[at(a.assay.view)] < model.views[at(b.assay.view)];
  });
  return ranked;
}

void report(const ProgressCallback& progress, std::size_t done, std::size_t all) {
  if (progress && !progress({.phase = "ranking", .share = static_cast<double>(done) / double(all)}))
    throw InterruptedError("interrupted while ranking");
}

// Which fit the budget, in their order. A dear one that does not fit leaves room for cheaper ones.
void mark_budget(double budget, Ranking& ranking) {
  constexpr double rounding = 1e-9;  // sums of costs such as 0.1
  for (RankedAssay& one : ranking.assays)
    if (ranking.spent + one.cost <= budget * (1 + rounding)) {
      one.within_budget = true;
      ranking.spent += one.cost;
    }
}

// What is expected to be left if the assays within the budget are measured and no others.
double error_within_budget(const Expectation& start, const Ranking& ranking) {
  const bool all = std::all_of(ranking.assays.begin(), ranking.assays.end(),
                               [](const RankedAssay& one) { return one.within_budget; });
  if (all) return ranking.curve.back().error;
  Expectation some = start;
  for (const RankedAssay& one : ranking.assays)
    if (one.within_budget) some.measure(one.assay);
  some.refresh();
  return some.total();
}

}  // namespace

Ranking rank(Expectation& expectation, const JointModel& model, const RankingPlan& plan) {
  const Expectation start = expectation;
  Schedule schedule(model, plan.candidates.size());
  Ranking ranking;
  std::optional<Queue> queue;
  if (plan.batch)
    queue.emplace(expectation, model, plan);
  else
    ranking.assays = ranked_alone(expectation, model, plan);
  ranking.curve.push_back({0, 0, expectation.total()});
  for (std::size_t k = 0; k < plan.candidates.size(); ++k) {
    if (plan.batch) {
      const Assay& best = plan.candidates[queue->take()];
      ranking.assays.push_back(described(best, expectation.gain(best), plan.costs(best.view)));
    }
    const RankedAssay& one = ranking.assays[k];
    const double left =
        std::max(0.0, ranking.curve.back().error - expectation.gain(one.assay).sum());
    expectation.measure(one.assay);
    ranking.curve.push_back(
        {static_cast<Index>(k) + 1, ranking.curve.back().money + one.cost, left});
    if (plan.batch) queue->refresh_sample(one.assay.sample);
    if (!schedule.is_due(k + 1) && k + 1 < plan.candidates.size()) continue;
    report(plan.progress, k + 1, plan.candidates.size());
    expectation.refresh();
    // to first order the effects of a block are added up; now they are known exactly
    ranking.curve.back().error =
        std::min(expectation.total(), ranking.curve[ranking.curve.size() - 2].error);
    if (plan.batch) queue->refresh();
  }
  mark_budget(plan.budget, ranking);
  ranking.error_after = error_within_budget(start, ranking);
  return ranking;
}

std::optional<CurvePoint> point_of_enough(const std::vector<CurvePoint>& curve) {
  const CurvePoint &first = curve.front(), &last = curve.back();
  const double fall = first.error - last.error;
  if (!(fall > 0) || curve.size() < 3) return std::nullopt;
  double most = fall / 20;
  std::optional<CurvePoint> found;
  for (const CurvePoint& point : curve) {
    const double share = point.money / last.money;
    const double below = first.error - share * fall - point.error;
    if (below > most) {
      most = below;
      found = point;
    }
  }
  return found;
}

}  // namespace mkc::advice
