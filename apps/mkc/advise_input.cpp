#include "advise_input.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "base/text.hpp"
#include "files/result_reader.hpp"
#include "mkc/base/error.hpp"
#include "report/result_files.hpp"

namespace mkc::app {

namespace {

// quality.views.NAME.held_out_error of meta_info.json, NaN where it is not there.
Vector stored_view_errors(const report::Json& meta, const Strings& views) {
  Vector errors = Vector::Constant(std::ssize(views), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t m = 0; m < views.size(); ++m) {
    const report::Json* found = &meta;
    for (const std::string& key :
         {std::string("quality"), std::string("views"), views[m], std::string("held_out_error")}) {
      if (!found->is_object() || !found->contains(key)) {
        found = nullptr;
        break;
      }
      found = &(*found)[key];
    }
    if (found != nullptr && found->is_number())
      errors(static_cast<Index>(m)) = found->get<double>();
  }
  return errors;
}

Quality stored_quality(const std::string& folder, const report::ResultFiles& files,
                       const Strings& views) {
  if (!files.errors)
    throw InputError(fmt::format("'{}' has no error estimates", folder),
                     "complete with the method auto, or with --quality");
  Quality quality;
  quality.error = files.errors->error;
  quality.held_out_errors = stored_view_errors(files.meta, views);
  return quality;
}

double cost_in(const std::string& entry, const std::string& text) {
  double cost = 0;
  if (!parse_number(text, cost) || !std::isfinite(cost) || cost <= 0)
    throw OptionError(fmt::format("--cost '{}': '{}' is not a number above 0", entry, text),
                      "for example --cost rna=1,protein=3");
  if (cost < least_cost || cost > most_cost)
    throw OptionError(fmt::format("--cost '{}': '{}' is not between {:g} and {:g}", entry, text,
                                  least_cost, most_cost),
                      "choose another unit of money");
  return cost;
}

AdviseInput stored_factors(const std::string& folder) {
  io::StoredFactors result = io::read_factor_result(folder);
  const report::ResultFiles files = report::read_result_files(folder, result.samples, result.views);
  AdviseInput input{result.samples, result.views, files.observed, result.ids, {}, {}, {}};
  Indices all(result.samples.size());
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<Matrix> factors;
  for (Index m = 0; m < std::ssize(result.views); ++m)
    factors.emplace_back(result.features(m, all).transpose());
  input.factors =
      CompletedFactors{std::move(result.samples), std::move(result.views), std::move(factors),
                       files.observed, stored_quality(folder, files, input.views)};
  return input;
}

}  // namespace

AdviseInput read_stored(const std::string& folder) {
  if (io::is_factor_result(folder)) return stored_factors(folder);
  io::StoredResult result = io::read_result(folder);
  const report::ResultFiles files = report::read_result_files(folder, result.samples, result.views);
  AdviseInput input{result.samples, result.views, files.observed, result.ids, {}, {}, {}};
  input.problem = observed_part(result.samples, result.views, result.kernels, files.observed);
  input.completion.quality = stored_quality(folder, files, result.views);
  input.completion.kernels = std::move(result.kernels);
  return input;
}

Vector parse_costs(const std::string& text, const Strings& views) {
  Vector costs = Vector::Ones(std::ssize(views));
  if (text.empty()) return costs;
  std::vector<bool> given(views.size(), false);
  for (const std::string& entry : split(text, ',')) {
    const auto equals = entry.rfind('=');
    if (equals == std::string::npos)
      throw OptionError(fmt::format("--cost '{}' is not VIEW=COST", entry),
                        "for example --cost rna=1,protein=3");
    const std::string name = entry.substr(0, equals);
    const auto place = std::find(views.begin(), views.end(), name);
    if (place == views.end())
      throw OptionError(
          fmt::format("--cost: there is no view '{}'{}", shown(name), suggestion(name, views)),
          "the views are " + shown(views));
    const auto m = static_cast<std::size_t>(place - views.begin());
    if (given[m]) throw OptionError(fmt::format("--cost: view '{}' is given twice", shown(name)));
    given[m] = true;
    costs(static_cast<Index>(m)) = cost_in(entry, entry.substr(equals + 1));
  }
  return costs;
}

double parse_budget(const std::string& text) {
  if (text.empty()) return std::numeric_limits<double>::infinity();
  double budget = 0;
  if (!parse_number(text, budget) || !std::isfinite(budget) || budget <= 0)
    throw OptionError(fmt::format("--budget: '{}' is not a number above 0", text),
                      "money in the unit of --cost; without --cost the number of assays");
  return budget;
}

}  // namespace mkc::app
