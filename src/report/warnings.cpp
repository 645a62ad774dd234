#include "report/warnings.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "mkc/problem/inspection.hpp"
#include "report/compact.hpp"
#include "select/conformal.hpp"

namespace mkc::report {

namespace {

using Kind = Warning::Kind;
using Warnings = std::vector<Warning>;

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

// Version 0.1 called it the mean fill.
double mean_of_others_error(const Json& errors) {
  return number(
      errors, errors.contains("mean_of_others_error") ? "mean_of_others_error" : "mean_fill_error");
}

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

void serious(Warnings& warnings, std::string text) {
  warnings.push_back({Kind::serious, std::move(text)});
}

void note(Warnings& warnings, std::string text) {
  warnings.push_back({Kind::note, std::move(text)});
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

void add_status(const Json& meta, Warnings& warnings) {
  const std::string status = text(meta, "status");
  if (status == "max_iterations")
    serious(warnings,
            fmt::format("The method did not converge: it stopped after {:.0f} iterations, "
                        "and the best point found is shown. Allow more iterations, or use "
                        "another method.",
                        number(meta, "iterations")));
  if (status == "interrupted")
    serious(warnings, "The run was interrupted: this is the best result found so far.");
}

// Whether `auto` gave the mean of the other views all the weight in view m.
bool is_mean_of_others(const Json& meta, std::size_t m) {
  for (const Json& candidate : meta.value("candidates", Json::array()))
    if (text(candidate, "method") == "mean" && candidate.at("weights").size() > m &&
        candidate.at("weights")[m].is_number())
      return candidate.at("weights")[m].get<double>() > 0.99;
  return false;
}

// Views whose hidden rows were not completed well, each with its errors.
struct WeakViews {
  Strings no_better, means, large, unknown;
};

WeakViews weak_views(const ResultFiles& files) {
  const Json& meta = files.meta;
  WeakViews weak;
  std::size_t next = 0;
  for (const auto& [view, errors] : meta["quality"].at("views").items()) {
    const std::size_t m = next++;
    const bool is_mean = is_mean_of_others(meta, m);
    const double error = number(errors, "held_out_error"), mean = mean_of_others_error(errors);
    const std::string name = short_name(view);
    const bool worse = !is_mean && error >= mean && text(meta, "method") != "mean";
    if (std::isnan(error)) {  // none of its rows was hidden
      if (!files.observed.col(static_cast<Index>(m)).all())
        weak.unknown.push_back(fmt::format("'{}'", name));
      continue;
    }
    if (is_mean) weak.means.push_back(fmt::format("'{}' ({:.0f} % error)", name, 100 * mean));
    if (worse)
      weak.no_better.push_back(
          fmt::format("'{}' ({:.0f} % error against {:.0f} %)", name, 100 * error, 100 * mean));
    else if (error > large_error)
      weak.large.push_back(fmt::format("'{}' ({:.0f} % error)", name, 100 * error));
  }
  return weak;
}

// What version 0.1 left to its report: later versions store their warnings.
void add_old_warnings(const WeakViews& weak, Warnings& warnings) {
  if (!weak.unknown.empty())
    serious(warnings, "No row could be hidden in " + listed(weak.unknown) +
                          ": the errors given for completed rows there are those of other views.");
  if (!weak.no_better.empty())
    serious(warnings, "Completion was no better than filling in the mean of the other views in " +
                          listed(weak.no_better) + ".");
}

std::vector<Json> shown_in_full(const Json& meta) {
  constexpr std::size_t most = 5;
  std::vector<Json> shown;
  for (const Json& warning : meta.value("warnings", Json::array()))
    if (warning.is_string() && shown.size() < most) shown.push_back(warning);
  return shown;
}

// The warnings of the run, the first few in full; the others are among its notes.
void add_own_warnings(const Json& meta, Warnings& warnings) {
  for (const auto& text : shown_in_full(meta))
    serious(warnings, capitalised(short_name(text, 500)) + ".");
  const std::size_t more = meta["warnings"].size() - shown_in_full(meta).size();
  if (more > 0)
    serious(warnings, fmt::format("{} more warnings are among the notes from the run.", more));
}

void add_errors(const ResultFiles& files, Warnings& warnings) {
  const WeakViews weak = weak_views(files);
  if (!files.meta.contains("warnings")) add_old_warnings(weak, warnings);
  if (!weak.means.empty())
    note(warnings, "Nothing did better than the mean of the other views in " + listed(weak.means) +
                       ", so that mean was filled in.");
  if (!weak.large.empty())
    serious(warnings, "The error of hidden rows is large in " + listed(weak.large) +
                          ": completed rows there are not reliable.");
  const double hidden = number(files.meta["quality"], "hidden_samples");
  if (hidden < ConformalErrors::fewest_samples)
    note(warnings, fmt::format("The errors are estimated on rows of only {:.0f} samples: they and "
                               "their intervals are rough.",
                               hidden));
}

void add_missing(const ResultFiles& files, Warnings& warnings) {
  const Mask& observed = files.observed;
  const auto n = static_cast<double>(observed.rows());
  if (observed.all()) {
    note(warnings, "Nothing was missing: the kernels are the given ones.");
    return;
  }
  Strings few, apart;
  const Indices shared = shared_with_others(observed);
  for (Index m = 0; m < observed.cols(); ++m) {
    const auto share = static_cast<double>(observed.col(m).count()) / n;
    const std::string name =
        short_name(text(files.meta["views"].at(static_cast<std::size_t>(m)), "name"));
    if (share < few_observed)
      few.push_back(fmt::format("'{}' ({:.0f} % of the samples)", name, 100 * share));
    if (observed.cols() > 1 && shared[at(m)] < enough_shared)
      apart.push_back(fmt::format("'{}' ({} samples)", name, shared[at(m)]));
  }
  if (!apart.empty())
    serious(warnings, "Few samples are shared with other views in " + listed(apart) +
                          ": rows completed from so few are not reliable, and neither are their "
                          "error estimates.");
  if (!few.empty())
    serious(warnings,
            "Few samples are observed in " + listed(few) + ": most of the kernel is completed.");
  Index alone = 0;
  for (Index i = 0; i < observed.rows(); ++i)
    alone += observed.cols() > 2 && observed.row(i).count() == 1;
  if (alone > 0)
    note(warnings, fmt::format("{} sample{} in one view only: the other views are completed from "
                               "that one.",
                               alone, alone == 1 ? " is" : "s are"));
}

}  // namespace

void add_notices(const Json& meta, Warnings& warnings) {
  const std::vector<Json> shown = shown_in_full(meta);
  for (const auto& notice : meta.value("notices", Json::array()))
    if (notice.is_string() && std::find(shown.begin(), shown.end(), notice) == shown.end())
      warnings.push_back({Kind::log, short_name(notice, 500)});
}

Json warnings_json(const Warnings& warnings) {
  static constexpr std::array kinds = {"serious", "note", "log"};
  Json list = Json::array();
  for (const auto& warning : warnings)
    list.push_back(
        {{"kind", kinds[static_cast<std::size_t>(warning.kind)]}, {"text", warning.text}});
  return list;
}

std::vector<Warning> completion_warnings(const ResultFiles& files) {
  std::vector<Warning> warnings;
  add_status(files.meta, warnings);
  if (files.meta.contains("warnings")) add_own_warnings(files.meta, warnings);
  if (files.meta.contains("quality"))
    add_errors(files, warnings);
  else if (!files.observed.all())
    note(warnings,
         text(files.meta, "method") == "auto"
             ? "The error of the completed rows could not be estimated: see the notes of "
               "the run."
             : "The error of the completed rows was not estimated: run with --quality, or "
               "with the method auto, to estimate it.");
  add_missing(files, warnings);
  if (files.meta.value("fitted", false))
    note(warnings,
         "The kernels are those of the model (--fitted): observed entries are fitted "
         "values too.");
  add_notices(files.meta, warnings);
  std::stable_sort(warnings.begin(), warnings.end(),
                   [](const Warning& a, const Warning& b) { return a.kind < b.kind; });
  return warnings;
}

}  // namespace mkc::report
