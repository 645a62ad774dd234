#include "problem/time_left.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mkc {

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

// The residual falls by about the same factor each iteration: a line through the logarithms of the
// later half.
double TimeLeft::iterations_to_converge() const {
  const std::size_t first = std::max<std::size_t>(1, points_.size() / 2);
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = first; i < points_.size(); ++i) {
    if (!(points_[i].residual > 0) || !(last_.tolerance > 0))
      return std::numeric_limits<double>::infinity();
    const double log = std::log(points_[i].residual);
    n += 1;
    x += points_[i].iteration;
    y += log;
    xx += points_[i].iteration * points_[i].iteration;
    xy += points_[i].iteration * log;
  }
  if (n < 2) return std::numeric_limits<double>::infinity();
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  if (!(slope < 0)) return std::numeric_limits<double>::infinity();
  const double level = (y - slope * x) / n;  // of the line, at iteration 0
  const double end = (std::log(last_.tolerance) - level) / slope;
  return std::max(1.0, end - points_.back().iteration);
}

}  // namespace mkc
