#include "report/warnings.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "select/conformal.hpp"
#include "base/text.hpp"
#include "report/compact.hpp"

namespace mkc::report {

namespace {

using Kind = Warning::Kind;

constexpr double large_error = 0.6;   // of hidden rows, relative
constexpr double few_observed = 0.3;  // of the samples

double number(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : std::nan("");
}

std::string text(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// "view 'a' (...)", or "7 views: 'a' (...), 'b' (...), 'c' (...) and 4 more".
std::string listed(const Strings& views) {
  if (views.size() == 1) return "view " + views.front();
  const std::size_t shown = std::min<std::size_t>(views.size(), 4);
  const std::string names =
      join(Strings(views.begin(), views.begin() + static_cast<std::ptrdiff_t>(shown)));
  return fmt::format("{} views: {}{}", views.size(), names,
                     shown < views.size() ? fmt::format(" and {} more", views.size() - shown) : "");
}

// Did the method reach its end?
void add_status(const Json& meta, std::vector<Warning>& warnings) {
  const std::string status = text(meta, "status");
  if (status == "max_iterations")
    warnings.push_back(
        {Kind::serious,
         fmt::format("The method did not converge: it stopped after {:.0f} iterations, and "
                     "the best point found is shown. Allow it more iterations, or take "
                     "another method.",
                     number(meta, "iterations"))});
  if (status == "interrupted")
    warnings.push_back(
        {Kind::serious, "The run was interrupted: this is the best result it had found so far."});
}

// Whether `auto` gave the mean fill all the weight in view m.
bool is_mean_fill(const Json& meta, std::size_t m) {
  for (const Json& candidate : meta.value("candidates", Json::array()))
    if (text(candidate, "method") == "mean" && candidate.at("weights").size() > m &&
        candidate.at("weights")[m].is_number())
      return candidate.at("weights")[m].get<double>() > 0.99;
  return false;
}

void add_errors(const ResultFiles& files, std::vector<Warning>& warnings) {
  const bool is_auto = text(files.meta, "method") == "auto";
  if (!files.meta.contains("quality")) {
    if (!files.observed.all())
      warnings.push_back({Kind::note, is_auto
                                          ? "The error of the completed rows could not be "
                                            "estimated: the notices of the run say why."
                                          : "The error of the completed rows was not estimated: "
                                            "run with --quality, or with the method auto, to "
                                            "see it."});
    return;
  }
  const Json& quality = files.meta["quality"];
  Strings no_better, mean_fills, large;
  std::size_t m = 0;
  for (const auto& [view, errors] : quality.at("views").items()) {
    const bool mean_fill = is_mean_fill(files.meta, m++);
    const double error = number(errors, "held_out_error"), mean = number(errors, "mean_fill_error");
    const std::string name = short_name(view);
    const bool worse = !mean_fill && error >= mean && text(files.meta, "method") != "mean";
    if (std::isnan(error)) continue;  // nothing is missing there
    if (mean_fill) mean_fills.push_back(fmt::format("'{}' ({:.0f} % error)", name, 100 * mean));
    if (worse)
      no_better.push_back(
          fmt::format("'{}' ({:.0f} % error against {:.0f} %)", name, 100 * error, 100 * mean));
    else if (error > large_error)
      large.push_back(fmt::format("'{}' ({:.0f} % error)", name, 100 * error));
  }
  if (!no_better.empty())
    warnings.push_back(
        {Kind::serious, "Completion was no better than filling in the mean of the other views in " +
                            listed(no_better) + "."});
  if (!mean_fills.empty())
    warnings.push_back({Kind::note, "Nothing did better than the mean of the other views in " +
                                        listed(mean_fills) + ", so that is what was filled in."});
  if (!large.empty())
    warnings.push_back({Kind::serious, "Rows that were hidden came back far off in " +
                                           listed(large) + ": completed rows say little there."});
  const double hidden = number(quality, "hidden_samples");
  if (hidden < ConformalErrors::fewest_samples)
    warnings.push_back(
        {Kind::note, fmt::format("The errors rest on rows of {:.0f} samples only: they and their "
                                 "intervals are rough.",
                                 hidden)});
}

void add_missing(const ResultFiles& files, std::vector<Warning>& warnings) {
  const Mask& observed = files.observed;
  const auto n = static_cast<double>(observed.rows());
  if (observed.all()) {
    warnings.push_back({Kind::note, "Nothing was missing: the kernels are those that came in."});
    return;
  }
  Strings few;
  for (Index m = 0; m < observed.cols(); ++m) {
    const auto share = static_cast<double>(observed.col(m).count()) / n;
    if (share < few_observed)
      few.push_back(
          fmt::format("'{}' ({:.0f} % of the samples)",
                      short_name(text(files.meta["views"].at(static_cast<std::size_t>(m)), "name")),
                      100 * share));
  }
  if (!few.empty())
    warnings.push_back({Kind::serious, "Few samples are observed in " + listed(few) +
                                           ": most of the kernel is completed."});
  Index alone = 0;
  for (Index i = 0; i < observed.rows(); ++i)
    alone += observed.cols() > 2 && observed.row(i).count() == 1;
  if (alone > 0)
    warnings.push_back({Kind::note, fmt::format("{} sample{} in one view only: the other views are "
                                                "completed from that one.",
                                                alone, alone == 1 ? " is" : "s are")});
}

}  // namespace

std::vector<Warning> warnings_of(const ResultFiles& files) {
  std::vector<Warning> warnings;
  add_status(files.meta, warnings);
  add_errors(files, warnings);
  add_missing(files, warnings);
  if (files.meta.value("fitted", false))
    warnings.push_back({Kind::note,
                        "The kernels are the model's own (--fitted): the observed part, too, "
                        "is as the model sees it."});
  for (const auto& notice : files.meta.value("notices", Json::array()))
    if (notice.is_string()) warnings.push_back({Kind::log, short_name(notice, 500)});
  std::stable_sort(warnings.begin(), warnings.end(),
                   [](const Warning& a, const Warning& b) { return a.kind < b.kind; });
  return warnings;
}

}  // namespace mkc::report
