#include <algorithm>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "factor/plan_data.hpp"
#include "mkc/base/error.hpp"

namespace mkc::factor {

namespace {

constexpr Index tile = 2048;  // rows whose features are in memory at a time, per thread

// Rows of a block that are not in the sample, tile after tile.
RoundSums block_sums(const Plan& plan, const Model::Data& model, const Source& source,
                     Index block) {
  const Plan::Data& data = plan.data();
  RoundSums sums;
  const Index end = plan.first_row(block) + plan.rows_of(block);
  for (Index first = plan.first_row(block); first < end; first += tile) {
    const Index count = std::min(tile, end - first);
    Rows rows = features_of_rows(data, source, first, count);
    Indices kept;
    for (Index i = 0; i < count; ++i)
      if (!std::binary_search(data.settings.skipped.begin(), data.settings.skipped.end(),
                              first + i))
        kept.push_back(i);
    if (std::ssize(kept) < count) rows = rows.chosen(kept);
    if (model.rounds_done == 0) {
      sums.gaussian.add(rows, data.settings.widths);
      continue;
    }
    add_round_sums(model.stages, model.prepared, rows, sums.regressions);
  }
  return sums;
}

// a + b, in the place of a where nobody else has it.
std::shared_ptr<const RoundSums> sum_of(std::shared_ptr<const RoundSums> a, const RoundSums& b) {
  auto sum = a.use_count() == 1 ? std::const_pointer_cast<RoundSums>(std::move(a))
                                : std::make_shared<RoundSums>(*a);
  sum->add(b);
  return sum;
}

}  // namespace

void RoundSums::add(const RoundSums& other) {
  if (!other.gaussian.totals.empty()) gaussian.add(other.gaussian);
  if (regressions.empty()) regressions.resize(other.regressions.size());
  for (std::size_t k = 0; k < other.regressions.size(); ++k)
    regressions[k].add(other.regressions[k]);
}

void Moments::Data::add(Node node, std::shared_ptr<const RoundSums> sums) {
  const Index end = node.second + (Index{1} << node.first);
  for (const auto& [other, unused] : nodes) {
    const Index other_end = other.second + (Index{1} << other.first);
    const Index common = std::max(node.second, other.second);
    if (common < std::min(end, other_end))
      throw InputError(fmt::format("moments: block {} (counted from 0) is there twice", common),
                       "give every shard once");
  }
  for (;;) {
    const bool left = (node.second >> node.first) % 2 == 0;
    const Index width = Index{1} << node.first;
    const auto neighbour =
        nodes.find({node.first, left ? node.second + width : node.second - width});
    if (neighbour == nodes.end()) break;
    auto other = std::move(neighbour->second);
    nodes.erase(neighbour);
    sums = left ? sum_of(std::move(sums), *other) : sum_of(std::move(other), *sums);
    node = {node.first + 1, left ? node.second : node.second - width};
  }
  nodes.emplace(node, std::move(sums));
}

RoundSums Moments::Data::total() const {
  std::map<Index, const RoundSums*> in_order;
  for (const auto& [node, sums] : nodes) in_order[node.second] = sums.get();
  RoundSums all;
  for (const auto& [first, sums] : in_order) all.add(*sums);
  return all;
}

const std::string& Moments::plan_id() const { return data_->plan_id; }
const std::string& Moments::model_id() const { return data_->model_id; }
Index Moments::round() const { return data_->round; }

std::vector<std::pair<Index, Index>> Moments::missing_blocks() const {
  std::map<Index, Index> ranges;
  for (const auto& [node, sums] : data_->nodes)
    ranges[node.second] = node.second + (Index{1} << node.first);
  std::vector<std::pair<Index, Index>> missing;
  Index next = 0;
  for (const auto& [first, last] : ranges) {
    if (first > next) missing.emplace_back(next, first);
    next = last;
  }
  if (next < data_->n_blocks) missing.emplace_back(next, data_->n_blocks);
  return missing;
}

Moments Moments::as_block(Index block, Index count) const {
  auto data = std::make_shared<Data>(*data_);
  data->n_blocks = count;
  data->nodes = {{{0, block}, std::make_shared<RoundSums>(data_->total())}};
  return Moments(std::move(data));
}

Moments moments(const Plan& plan, const Model& model, const Source& source, Index first, Index last,
                const RunOptions& run) {
  if (first < 0 || last > plan.n_blocks() || first > last)
    throw InputError(fmt::format("moments: blocks {} to {} of {}", first, last, plan.n_blocks()));
  if (model.rounds_done() >= plan.rounds())
    throw InputError("moments: the model is finished and needs no more");
  auto data = std::make_shared<Moments::Data>();
  data->plan_id = plan.id();
  data->model_id = model.id();
  data->round = model.rounds_done() + 1;
  data->n_blocks = plan.n_blocks();
  const Index together = std::max(1, run.threads);
  for (Index at_once = first; at_once < last; at_once += together) {
    const Index count = std::min(together, last - at_once);
    std::vector<RoundSums> sums(at(count));
    if (!plan.data().whole)
      parallel_for(count, run.threads, [&](Index k) {
        sums[at(k)] = block_sums(plan, model.data(), source, at_once + k);
      });
    for (Index k = 0; k < count; ++k)
      data->add({0, at_once + k}, std::make_shared<RoundSums>(std::move(sums[at(k)])));
    if (run.progress) {
      Progress progress;
      progress.phase = fmt::format("moments, round {} of {}", data->round, plan.rounds());
      progress.share =
          static_cast<double>(at_once + count - first) / static_cast<double>(last - first);
      if (!run.progress(progress))
        throw InterruptedError("interrupted while moments were added up");
    }
  }
  return Moments(std::move(data));
}

Moments merge(std::vector<Moments> parts) {
  if (parts.empty()) throw InputError("moments: there is nothing to merge");
  auto all = std::make_shared<Moments::Data>(parts.front().data());
  all->nodes.clear();
  for (Moments& part : parts) {
    const Moments::Data& data = part.data();
    if (data.plan_id != all->plan_id || data.n_blocks != all->n_blocks)
      throw InputError(
          fmt::format("moments: parts of two plans, {} and {}", all->plan_id, data.plan_id));
    if (data.round != all->round || data.model_id != all->model_id)
      throw InputError(fmt::format("moments: parts of round {} and round {}, or of two models",
                                   all->round, data.round));
    auto nodes = data.nodes;
    part = Moments(nullptr);  // sums that nobody else has are added to in their place
    for (auto& [node, sums] : nodes) all->add(node, std::move(sums));
  }
  return Moments(std::move(all));
}

}  // namespace mkc::factor
