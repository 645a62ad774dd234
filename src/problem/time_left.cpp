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
  constexpr double disagreement = 2.5;  // from here on one number would pretend too much
  if (points_.size() < 2 || last_.max_iterations == 0) return std::nullopt;
  const Point &middle = points_[points_.size() / 2 - 1], &end = points_.back();
  const double each = (end.time - middle.time) / (end.iteration - middle.iteration);
  const double allowed = static_cast<double>(last_.max_iterations) - end.iteration;
  const Iterations needed = iterations_to_converge();
  const auto seconds = [&](double iterations) { return each * std::min(allowed, iterations); };
  // Without a tolerance it counts what is to be done.
  if (!(needed.usual < allowed))
    return Estimate{seconds(allowed), seconds(allowed), last_.tolerance > 0};
  if (needed.most > disagreement * needed.fewest)
    return Estimate{seconds(needed.fewest), seconds(needed.most), false};
  return Estimate{seconds(needed.usual), seconds(needed.usual), false};
}

// Residuals fall as q^i at best and as i^-p where convergence is slow. Real ones are between, and
// slow down further: a fifth more than the geometric mean of both predictions, each a line through
// the last third of the logarithms. (Chosen on 91 runs of six methods, N = 80 to 320.)
TimeLeft::Iterations TimeLeft::iterations_to_converge() const {
  constexpr double never = std::numeric_limits<double>::infinity();
  constexpr double slows_down = 1.2;
  if (points_.size() < 3 || !(last_.tolerance > 0)) return {never, never, never};
  const std::size_t first = std::min(1 + (points_.size() - 1) * 7 / 10, points_.size() - 2);
  std::vector<double> iterations, logs, log_residuals;
  for (std::size_t i = first; i < points_.size(); ++i) {
    if (!(points_[i].residual > 0)) return {never, never, never};
    iterations.push_back(points_[i].iteration);
    logs.push_back(std::log(points_[i].iteration));
    log_residuals.push_back(std::log(points_[i].residual));
  }
  const double goal = std::log(last_.tolerance), now = points_.back().iteration;
  const double fast = std::max(now + 1, reaches(iterations, log_residuals, goal));
  const double slow = std::max(now + 1, std::exp(reaches(logs, log_residuals, goal)));
  return {std::min(fast, slow) - now, slows_down * (std::sqrt(fast * slow) - now),
          std::max(fast, slow) - now};
}

}  // namespace mkc
