#include "select/conformal.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "numeric/linalg/cholesky.hpp"

namespace mkc {

namespace {

constexpr double smallest = 1e-8;  // signals and errors below this are taken for this

double log_of(double value) { return std::log(std::max(value, smallest)); }

constexpr double negligible_error = 1e-3;  // low ends below are 0
constexpr double ridge = 15;               // in rows, on signals of unit variance
constexpr std::size_t increasing = 2;      // the first signals: more of them, larger errors

std::array<double, 5> values_of(const RowSignals& row) {
  return {row.spread, row.variance, row.size, static_cast<double>(row.observed_views),
          row.distance};
}

// Ridge regression of y on the columns of X; the first `increasing` powers are not negative: a
// column whose power would be is left out.
Vector powers_of(const Matrix& X, const Vector& y) {
  const Index n = X.cols();
  const Vector deviations =
      (X.colwise().squaredNorm() / std::max<double>(1, double(X.rows()))).cwiseSqrt().transpose();
  std::vector<bool> active;
  for (Index j = 0; j < n; ++j) active.push_back(deviations(j) > 1e-6);
  for (;;) {
    Matrix H = ridge * Matrix::Identity(n, n);
    Vector g = Vector::Zero(n);
    for (Index j = 0; j < n; ++j) {
      if (!active[at(j)]) continue;
      g(j) = X.col(j).dot(y) / deviations(j);
      for (Index k = 0; k < n; ++k)
        if (active[at(k)]) H(j, k) += X.col(j).dot(X.col(k)) / (deviations(j) * deviations(k));
    }
    const Vector b = linalg::Cholesky::factor(H)->solve(g);
    bool changed = false;
    for (std::size_t j = 0; j < increasing; ++j)
      if (active[j] && b(static_cast<Index>(j)) < 0) {
        active[j] = false;
        changed = true;
      }
    if (changed) continue;
    Vector powers = Vector::Zero(n);
    for (Index j = 0; j < n; ++j)
      if (active[at(j)]) powers(j) = b(j) / deviations(j);
    return powers;
  }
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

}  // namespace

ErrorScale::ErrorScale(const std::vector<RowSignals>& rows, const Vector& errors, Index n_views,
                       const std::vector<bool>& use) {
  std::vector<RowSignals> used;
  std::vector<double> logs;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (!use[t]) continue;
    used.push_back(rows[t]);
    logs.push_back(mkc::log_of(errors(static_cast<Index>(t))));
    const auto values = values_of(rows[t]);
    for (std::size_t j = 0; j < n_signals; ++j) signals_[j].include(values[j]);
  }
  const Index n = std::ssize(used);
  Vector error = Eigen::Map<const Vector>(logs.data(), n);
  subtract_mean_of_views(used, n_views, error);
  Matrix X(n, n_signals);
  for (std::size_t j = 0; j < n_signals; ++j) {
    Vector x(n);
    for (Index t = 0; t < n; ++t) x(t) = signals_[j].log_of(values_of(used[at(t)])[j]);
    subtract_mean_of_views(used, n_views, x);
    X.col(static_cast<Index>(j)) = x;
  }
  const Vector powers = powers_of(X, error);
  for (std::size_t j = 0; j < n_signals; ++j) signals_[j].power = powers(static_cast<Index>(j));
}

double ErrorScale::log_of(const RowSignals& row) const {
  const auto values = values_of(row);
  double sum = 0;
  for (std::size_t j = 0; j < n_signals; ++j)
    sum += signals_[j].power * signals_[j].log_of(values[j]);
  return sum;
}

void ErrorScale::Signal::include(double value) {
  if (value <= 0) return;
  const double log = mkc::log_of(value);
  least = known == 0 ? log : std::min(least, log);
  most = known == 0 ? log : std::max(most, log);
  sum += log;
  ++known;
}

double ErrorScale::Signal::log_of(double value) const {
  if (known == 0 || value <= 0) return 0;
  return std::clamp(mkc::log_of(value), least, most) - mean();
}

ConformalErrors::ConformalErrors(const std::vector<RowSignals>& rows, const Vector& errors,
                                 Index n_views, double coverage, double margin, const Folds& folds)
    : coverage_(coverage), margin_(margin), by_view_(at(n_views)) {
  if (folds.judged.empty())
    scales_.emplace_back(rows, errors, n_views, std::vector<bool>(rows.size(), true));
  for (const int fold : folds.judged) {
    std::vector<bool> others;
    for (const int own : folds.of_row) others.push_back(own != fold);
    scales_.emplace_back(rows, errors, n_views, others);
  }
  std::vector<RowSignals> judging;
  std::vector<double> scores;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (!folds.judged.empty() && !folds.judges(t)) continue;
    const auto own = folds.judged.empty() ? 0 : folds.place(t);
    judging.push_back(rows[t]);
    scores.push_back(errors(static_cast<Index>(t)) / std::exp(scales_[own].log_of(rows[t])));
  }
  add_scores(judging, Eigen::Map<const Vector>(scores.data(), std::ssize(scores)), n_views);
}

void ConformalErrors::add_scores(const std::vector<RowSignals>& rows, const Vector& scores,
                                 Index n_views) {
  Vector log_scores = scores.unaryExpr([](double score) { return log_of(score); });
  levels_ = levels_of_views(rows, n_views, std::move(log_scores)).array().exp();
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const RowSignals& row = rows[t];
    const double score = scores(static_cast<Index>(t));
    all_.add(score / levels_(row.view), row);
    by_view_[at(row.view)].add(score, row);
    by_count_[{row.view, row.observed_views}].add(score, row);
  }
  const auto sort = [](Stratum& stratum) {
    std::sort(stratum.scores.begin(), stratum.scores.end());
  };
  sort(all_);
  for (auto& stratum : by_view_) sort(stratum);
  for (auto& [key, stratum] : by_count_) sort(stratum);
}

void ConformalErrors::Stratum::add(double score, const RowSignals& row) {
  scores.emplace_back(score, row.odds);
  samples.insert(row.sample);
  odds += row.odds;
  squares += row.odds * row.odds;
}

double ConformalErrors::Stratum::last_within(double mass) const {
  double sum = 0, found = scores.front().first;
  for (const auto& [score, weight] : scores) {
    sum += weight;
    if (sum > mass) break;
    found = score;
  }
  return found;
}

double ConformalErrors::Stratum::first_reaching(double mass) const {
  double sum = 0;
  for (const auto& [score, weight] : scores) {
    sum += weight;
    if (sum >= mass) return score;
  }
  return scores.back().first;
}

bool ConformalErrors::Stratum::enough() const { return std::ssize(samples) >= fewest_samples; }

double ConformalErrors::scale(const RowSignals& row) const {
  double sum = 0;
  for (const ErrorScale& scale : scales_) sum += scale.log_of(row);
  return std::exp(sum / static_cast<double>(scales_.size()));
}

const ConformalErrors::Stratum& ConformalErrors::stratum(const RowSignals& row) const {
  const auto own = by_count_.find({row.view, row.observed_views});
  if (own != by_count_.end() && own->second.enough()) return own->second;
  const Stratum& view = by_view_[at(row.view)];
  return view.enough() ? view : all_;
}

ErrorEstimate ConformalErrors::estimate(const RowSignals& row) const {
  const Stratum& among = stratum(row);
  const double sigma = scale(row) * (&among == &all_ ? levels_(row.view) : 1);
  // The new row counts at infinity. `rank` is what a rank weighs: n = odds^2 / squares rows would
  // say as much if all weighed the same.
  const double tail = (1 - coverage_) / 2, mass = among.odds + row.odds;
  const double n = among.odds * among.odds / among.squares, rank = among.squares / among.odds;
  const double outwards = margin_ * std::sqrt(n * tail * (1 - tail)) * rank;
  const double low = among.last_within(mass * tail - outwards);
  const double high = among.first_reaching(mass * (1 - tail) + outwards);
  double mean = 0;
  for (const auto& [score, odds] : among.scores) mean += odds * std::clamp(score, low, high);
  mean /= among.odds;
  return {sigma * mean, sigma * low < negligible_error ? 0 : sigma * low, sigma * high};
}

}  // namespace mkc
