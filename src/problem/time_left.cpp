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
    const double ago = time - (last_.share > 0 ? last_time_ : points_.back().time);
    estimate->from = std::max(0.0, estimate->from - ago);
    estimate->to = std::max(0.0, estimate->to - ago);
  }
  return estimate;
}

std::optional<TimeLeft::Estimate> TimeLeft::by_share() const {
  if (last_.share <= first_share_) return std::nullopt;
  const double speed = (last_.share - first_share_) / (last_time_ - share_start_);
  const double seconds = (1 - last_.share) / speed;
  return Estimate{seconds, seconds, false};
}

std::optional<TimeLeft::Estimate> TimeLeft::by_iterations() const {
  if (points_.size() < 2 || last_.max_iterations == 0) return std::nullopt;
  const Point &middle = points_[points_.size() / 2 - 1], &end = points_.back();
  const double each = (end.time - middle.time) / (end.iteration - middle.iteration);
  const double allowed = static_cast<double>(last_.max_iterations) - end.iteration;
  const Iterations needed = iterations_to_converge();
  // Without a tolerance it counts what is to be done.
  if (!(needed.fewest < allowed))
    return Estimate{each * allowed, each * allowed, last_.tolerance > 0};
  const Iterations shown = narrowed({needed.fewest, std::min(needed.most, allowed)});
  return Estimate{each * shown.fewest, each * shown.most, false};
}

// Residuals fall as q^i at best and as i^-p where convergence is slow. Real ones are between, jump,
// and slow down further. So four lines predict the end: of log r over i and over log i, through the
// last fifth and the last half of the residuals. Half as many iterations again are added to the
// most.
TimeLeft::Iterations TimeLeft::iterations_to_converge() const {
  constexpr double never = std::numeric_limits<double>::infinity();
  constexpr double speeds_up = 0.7, slows_down = 1.5;
  constexpr std::size_t least = 3;  // residuals of a line
  if (points_.size() < 3 || !(last_.tolerance > 0)) return {never, never};
  const double goal = std::log(last_.tolerance), now = points_.back().iteration;
  Iterations found{never, 0};
  for (const double part : {0.2, 0.5}) {
    const auto n = static_cast<double>(points_.size() - 1);  // without the beginning of the phase
    const auto count = std::max(least, static_cast<std::size_t>(std::ceil(part * n)));
    std::vector<double> iterations, logs, log_residuals;
    for (std::size_t i = points_.size() - std::min(count, points_.size() - 1); i < points_.size();
         ++i) {
      if (!(points_[i].residual > 0)) continue;  // not known
      iterations.push_back(points_[i].iteration);
      logs.push_back(std::log(points_[i].iteration));
      log_residuals.push_back(std::log(points_[i].residual));
    }
    if (logs.size() < 2) continue;
    for (const double end :
         {reaches(iterations, log_residuals, goal), std::exp(reaches(logs, log_residuals, goal))}) {
      const double left = std::max(now + 1, end) - now;
      found.fewest = std::min(found.fewest, speeds_up * left);
      found.most = std::max(found.most, slows_down * left);
    }
  }
  return found;
}

// What is worth to be shown. Predictions that are close are one number; of those far apart the
// range keeps a part, rather the upper one. (Chosen with benchmarks/time_left on its first 12
// problems.)
TimeLeft::Iterations TimeLeft::narrowed(Iterations range) {
  constexpr double close = 1.5, widest = 4, upper = 0.6;
  if (range.most <= close * range.fewest) {
    const double middle = std::sqrt(range.fewest * range.most);
    return {middle, middle};
  }
  if (range.most <= widest * range.fewest) return range;
  const double centre = std::pow(range.fewest, 1 - upper) * std::pow(range.most, upper);
  const double from = centre / std::pow(widest, upper);
  return {from, widest * from};
}

}  // namespace mkc
