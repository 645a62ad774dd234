#include "select/conformal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace mkc {

namespace {

constexpr double smallest = 1e-8;  // signals and errors below this are taken for this

double log_of(double value) { return std::log(std::max(value, smallest)); }

// Least squares of y on two columns under b >= 0: the best of the four sets of active columns.
std::array<double, 2> nonnegative_fit(const Vector& a, const Vector& b, const Vector& y) {
  const double aa = a.squaredNorm(), bb = b.squaredNorm(), ab = a.dot(b);
  const double ay = a.dot(y), by = b.dot(y);
  const double tiny = 1e-12 * static_cast<double>(y.size());
  std::array<double, 2> best = {0, 0};
  double gain = 0;  // reduction of the sum of squares
  const auto consider = [&](double p, double q) {
    if (p < 0 || q < 0) return;
    const double reduced = 2 * (p * ay + q * by) - (p * p * aa + 2 * p * q * ab + q * q * bb);
    if (reduced > gain) {
      gain = reduced;
      best = {p, q};
    }
  };
  if (aa > tiny) consider(ay / aa, 0);
  if (bb > tiny) consider(0, by / bb);
  const double determinant = aa * bb - ab * ab;
  if (determinant > 1e-6 * aa * bb)
    consider((bb * ay - ab * by) / determinant, (aa * by - ab * ay) / determinant);
  return best;
}

// Mean of the values of every view's rows; the mean of these means where a view has no row.
Vector means_of_views(const std::vector<RowSignals>& rows, Index n_views, const Vector& values) {
  Vector sum = Vector::Zero(n_views), count = Vector::Zero(n_views);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    sum(rows[t].view) += values(static_cast<Index>(t));
    count(rows[t].view) += 1;
  }
  const Vector means = sum.cwiseQuotient(count.cwiseMax(1));
  const double used = std::max(1.0, static_cast<double>((count.array() > 0).count()));
  return (count.array() > 0).select(means, means.sum() / used);
}

void subtract_mean_of_views(const std::vector<RowSignals>& rows, Index n_views, Vector& values) {
  const Vector means = means_of_views(rows, n_views, values);
  for (std::size_t t = 0; t < rows.size(); ++t)
    values(static_cast<Index>(t)) -= means(rows[t].view);
}

// Mean log score of every view where views differ more than twice as much as the rows within a
// view; else all 0.
Vector levels_of_views(const std::vector<RowSignals>& rows, Index n_views, Vector log_scores) {
  Vector levels = means_of_views(rows, n_views, log_scores);
  levels.array() -= levels.mean();  // 0 for views without rows
  subtract_mean_of_views(rows, n_views, log_scores);
  const double within = log_scores.squaredNorm() / std::max(1.0, double(rows.size()));
  std::set<Index> views;
  for (const auto& row : rows) views.insert(row.view);
  const double between = levels.squaredNorm() / std::max(1.0, double(views.size()) - 1);
  return between > 4 * within ? levels : Vector(Vector::Zero(n_views));
}

// The k-th smallest of n sorted scores, k counted from 1 and kept within 1..n.
double ranked(const std::vector<double>& sorted, double k) {
  const auto n = static_cast<double>(sorted.size());
  return sorted[static_cast<std::size_t>(std::clamp(k, 1.0, n)) - 1];
}

}  // namespace

ConformalErrors::ConformalErrors(const std::vector<RowSignals>& rows, const Vector& errors,
                                 Index n_views, double coverage, double margin)
    : coverage_(coverage), margin_(margin), by_view_(at(n_views)) {
  fit_powers(rows, errors, n_views);
  add_scores(rows, errors, n_views);
}

// b >= 0 of the scale, by least squares within views.
void ConformalErrors::fit_powers(const std::vector<RowSignals>& rows, const Vector& errors,
                                 Index n_views) {
  const auto n = static_cast<Index>(rows.size());
  for (const auto& row : rows) {
    spread_.include(row.spread);
    variance_.include(row.variance);
  }
  Vector spread(n), variance(n), error(n);
  for (Index t = 0; t < n; ++t) {
    const RowSignals& row = rows[at(t)];
    spread(t) = spread_.log_of(row.spread);
    variance(t) = variance_.log_of(row.variance);
    error(t) = log_of(errors(t));
  }
  for (Vector* values : {&spread, &variance, &error})
    subtract_mean_of_views(rows, n_views, *values);
  const auto powers = nonnegative_fit(spread, variance, error);
  spread_.power = powers[0];
  variance_.power = powers[1];
}

void ConformalErrors::add_scores(const std::vector<RowSignals>& rows, const Vector& errors,
                                 Index n_views) {
  const auto n = static_cast<Index>(rows.size());
  Vector log_scores(n);
  for (Index t = 0; t < n; ++t) log_scores(t) = log_of(errors(t)) - std::log(scale(rows[at(t)]));
  levels_ = levels_of_views(rows, n_views, log_scores).array().exp();
  for (Index t = 0; t < n; ++t) {
    const RowSignals& row = rows[at(t)];
    const double score = errors(t) / scale(row);
    all_.add(score / levels_(row.view), row.sample);
    by_view_[at(row.view)].add(score, row.sample);
    by_count_[{row.view, row.observed_views}].add(score, row.sample);
  }
  const auto sort = [](Stratum& stratum) {
    std::sort(stratum.scores.begin(), stratum.scores.end());
  };
  sort(all_);
  for (auto& stratum : by_view_) sort(stratum);
  for (auto& [key, stratum] : by_count_) sort(stratum);
}

void ConformalErrors::Stratum::add(double score, Index sample) {
  scores.push_back(score);
  samples.insert(sample);
}

bool ConformalErrors::Stratum::enough() const { return std::ssize(samples) >= fewest_samples; }

void ConformalErrors::Signal::include(double value) {
  if (value <= 0) return;
  const double log = mkc::log_of(value);
  least = known == 0 ? log : std::min(least, log);
  most = known == 0 ? log : std::max(most, log);
  sum += log;
  ++known;
}

double ConformalErrors::Signal::log_of(double value) const {
  if (known == 0) return 0;
  return value > 0 ? std::clamp(mkc::log_of(value), least, most) : sum / known;
}

double ConformalErrors::scale(const RowSignals& row) const {
  return std::exp(spread_.power * spread_.log_of(row.spread) +
                  variance_.power * variance_.log_of(row.variance));
}

const ConformalErrors::Stratum& ConformalErrors::stratum(const RowSignals& row) const {
  const auto own = by_count_.find({row.view, row.observed_views});
  if (own != by_count_.end() && own->second.enough()) return own->second;
  const Stratum& view = by_view_[at(row.view)];
  return view.enough() ? view : all_;
}

ErrorEstimate ConformalErrors::estimate(const RowSignals& row) const {
  const Stratum& among = stratum(row);
  const std::vector<double>& scores = among.scores;
  const double sigma = scale(row) * (&among == &all_ ? levels_(row.view) : 1);
  const double n = static_cast<double>(scores.size()), tail = (1 - coverage_) / 2;
  const double outwards = margin_ * std::sqrt(n * tail * (1 - tail));  // in ranks
  const double low = ranked(scores, std::floor((n + 1) * tail - outwards));
  const double high = ranked(scores, std::ceil((n + 1) * (1 - tail) + outwards));
  const double mean =
      std::accumulate(scores.begin(), scores.end(), 0.0,
                      [&](double sum, double x) { return sum + std::clamp(x, low, high); }) /
      n;
  return {sigma * mean, sigma * low, sigma * high};
}

}  // namespace mkc
