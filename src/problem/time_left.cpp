#include "problem/time_left.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mkc {

namespace {

// Where the line of least squares through the points comes down to y = goal; infinite where it does
// not fall.
double reaches(const std::vector<double>& x, const std::vector<double>& y, double goal) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    n += 1;
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    sxy += x[i] * y[i];
  }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  if (!(slope < 0)) return std::numeric_limits<double>::infinity();
  return (goal - (sy - slope * sx) / n) / slope;
}

}  // namespace

void TimeLeft::add(double time, const Progress& progress) {
  if (progress.phase != phase_) {
    phase_ = progress.phase;
    points_ = {{time, 0, 0}};
  }
  if (first_share_ == 0 && progress.share > 0) {
    share_start_ = time;
    first_share_ = progress.share;
  }
  const auto iteration = static_cast<double>(progress.iteration);
  if (iteration > points_.back().iteration) points_.push_back({time, iteration, progress.residual});
  last_ = progress;
  last_time_ = time;
}

std::optional<TimeLeft::Estimate> TimeLeft::at(double time) const {
  std::optional<Estimate> estimate = last_.share > 0 ? by_share() : by_iterations();
  if (estimate) {
    const double reported = last_.share > 0 ? last_time_ : points_.back().time;
    estimate->seconds = std::max(0.0, estimate->seconds - (time - reported));
  }
  return estimate;
}

std::optional<TimeLeft::Estimate> TimeLeft::by_share() const {
  if (last_.share <= first_share_) return std::nullopt;
  const double speed = (last_.share - first_share_) / (last_time_ - share_start_);
  return Estimate{(1 - last_.share) / speed, false};
}

std::optional<TimeLeft::Estimate> TimeLeft::by_iterations() const {
  if (points_.size() < 2 || last_.max_iterations == 0) return std::nullopt;
  const Point &middle = points_[points_.size() / 2 - 1], &end = points_.back();
  const double each = (end.time - middle.time) / (end.iteration - middle.iteration);
  const double most = static_cast<double>(last_.max_iterations) - end.iteration;
  const double needed = iterations_to_converge();
  // Without a tolerance it counts what is to be done.
  return Estimate{each * std::min(most, needed), last_.tolerance > 0 && !(needed < most)};
}

// Residuals fall as q^i at best and as i^-p where convergence is slow. Real ones are between: the
// geometric mean of both predictions, each a line through the later half of the logarithms.
double TimeLeft::iterations_to_converge() const {
  constexpr double never = std::numeric_limits<double>::infinity();
  if (points_.size() < 3 || !(last_.tolerance > 0)) return never;
  const std::size_t first = std::min(1 + (points_.size() - 1) / 2, points_.size() - 2);
  std::vector<double> iterations, logs, log_residuals;
  for (std::size_t i = first; i < points_.size(); ++i) {
    if (!(points_[i].residual > 0)) return never;
    iterations.push_back(points_[i].iteration);
    logs.push_back(std::log(points_[i].iteration));
    log_residuals.push_back(std::log(points_[i].residual));
  }
  const double goal = std::log(last_.tolerance), next = points_.back().iteration + 1;
  const double fast = std::max(next, reaches(iterations, log_residuals, goal));
  const double slow = std::max(next, std::exp(reaches(logs, log_residuals, goal)));
  return std::sqrt(fast * slow) - points_.back().iteration;
}

}  // namespace mkc
