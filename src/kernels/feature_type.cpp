#include "mkc/kernels/feature_type.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "kernels/feature_census.hpp"
#include "mkc/base/error.hpp"

namespace mkc {

namespace {

// Thresholds, and what they were measured on: docs/decisions/0014-kernels-by-type.md.
constexpr Index few_steps = 12;          // different values of an ordered scale, at the most
constexpr double many_zeros = 0.5;       // zeros of counts that are parts of a whole
constexpr double mostly_zero = 0.8;      // zeros of texts
constexpr double mostly_ones = 0.5;      // of the words in a text: most occur once
constexpr double more_than_steps = 4;    // sparse counts reach this, ordered scales do not
constexpr Index wide = 20, several = 5;  // columns that evidence over columns needs
constexpr double even_weights = 20;      // top / median weight of words; abundances spread wider
constexpr double large_count = 20;       // counts up to here need no logarithm
constexpr double skewed_counts = 1.8, skewed_values = 2;  // asymmetry of columns; 1 is symmetric
constexpr double heavy = 3.4;                             // tails of columns; 2.4 is normal
constexpr double spread_of_unit = 4;     // spread of deviations of columns of the same unit
constexpr double spread_of_shares = 10;  // the same between 0 and 1
constexpr double nearly_all = 0.95;      // of the rows
constexpr double worth_log1p = 1;  // median of positive values: log(1 + x) sees smaller ones as
                                   // zero

// Rounded, but all and none only where it is all and none.
std::string percent(double share) {
  if (share > 0.995 && share < 1) return "over 99 %";
  if (share < 0.005 && share > 0) return "under 1 %";
  return fmt::format("{:.0f} %", 100 * share);
}

std::string range_of(const FeatureCensus& c) {
  constexpr double written_out = 1e9;
  if (c.whole && std::max(-c.low, c.high) < written_out)
    return fmt::format("whole numbers from {:.0f} to {:.0f}", c.low, c.high);
  return fmt::format("{} from {:.4g} to {:.4g}", c.whole ? "whole numbers" : "numbers", c.low,
                     c.high);
}

std::string with_zeros(const FeatureCensus& c) {
  return fmt::format("{}, {} zeros", range_of(c), percent(c.zeros));
}

std::string with_asymmetry(const FeatureCensus& c) {
  return fmt::format("{}, columns reach {} times as far up as down", range_of(c),
                     c.asymmetry < most_asymmetry ? fmt::format("{:.1f}", c.asymmetry)
                                                  : fmt::format("over {}", most_asymmetry));
}

bool has_one_sum(const FeatureCensus& c) { return c.smallest_sum == c.largest_sum; }

bool is_one_unit(const FeatureCensus& c, double same_unit) {
  return c.columns >= several && c.unit_spread <= same_unit;
}

// Columns of one unit keep their sizes: a column that hardly varies says little.
RecognisedFeatures measurements(const FeatureCensus& c, double same_unit) {
  if (is_one_unit(c, same_unit))
    return {FeatureType::one_unit,
            fmt::format("{}, deviations of columns within a factor of {:.1f}", range_of(c),
                        c.unit_spread)};
  return {FeatureType::continuous, range_of(c)};
}

RecognisedFeatures two_values(const FeatureCensus& c) {
  if (has_one_sum(c) && c.columns >= 3)
    return {FeatureType::one_hot, fmt::format("two values, every row adds up to {:.4g}",
                                              c.low == 0 ? c.largest_sum / c.high : c.largest_sum)};
  return {FeatureType::binary,
          fmt::format("only {:.4g} and {:.4g}, {} zeros", c.low, c.high, percent(c.zeros))};
}

RecognisedFeatures with_negatives(const FeatureCensus& c) {
  if (c.tails > heavy)
    return {FeatureType::heavy_tails,
            fmt::format("{}, the middle 90 % are {:.1f} times as wide as the middle half",
                        range_of(c), c.tails)};
  return measurements(c, spread_of_unit);
}

RecognisedFeatures whole_amounts(const FeatureCensus& c) {
  if (has_one_sum(c) && c.columns >= several) {
    if (c.zeros == 0 && c.high <= static_cast<double>(c.columns))
      return {FeatureType::ordinal, fmt::format("ranks: {}, rows of one sum", range_of(c))};
    return {FeatureType::abundances,
            fmt::format("{}, every row adds up to {:.4g}", range_of(c), c.largest_sum)};
  }
  if (c.zeros >= many_zeros && c.columns >= wide && c.high >= more_than_steps) {
    if (c.zeros >= mostly_zero && c.ones >= mostly_ones)
      return {FeatureType::text,
              fmt::format("{}, {} of the others are 1", with_zeros(c), percent(c.ones))};
    return {FeatureType::abundances, with_zeros(c)};
  }
  if (c.columns >= wide && c.asymmetry >= skewed_counts && c.high >= large_count)
    return {FeatureType::counts, with_zeros(c)};
  if (c.columns >= several && c.asymmetry >= skewed_values)
    return {FeatureType::skewed, with_asymmetry(c)};
  return measurements(c, spread_of_unit);
}

RecognisedFeatures decimal_amounts(const FeatureCensus& c) {
  if (c.columns >= 3 && std::max(c.sums_of_1, c.sums_of_100) >= nearly_all)
    return {FeatureType::abundances,
            fmt::format("not negative, rows add up to {}", c.sums_of_1 >= nearly_all ? 1 : 100)};
  if (c.zeros >= mostly_zero && c.columns >= wide) {
    if (c.top_of_nonzero < even_weights * c.median_of_nonzero)
      return {FeatureType::text_weights, with_zeros(c)};
    return {FeatureType::abundances, with_zeros(c)};
  }
  if (c.columns >= several && c.asymmetry >= skewed_values)
    return {FeatureType::skewed, with_asymmetry(c)};
  if (c.high <= 1 && is_one_unit(c, spread_of_shares))
    return {FeatureType::proportions, range_of(c)};
  return measurements(c, spread_of_unit);
}

// ", 3 columns constant": they say nothing, or nearly nothing, whatever they are.
std::string flat_columns(const FeatureCensus& c) {
  std::string text;
  if (c.constant > 0)
    text += fmt::format(", {} column{} constant", c.constant, c.constant == 1 ? "" : "s");
  const bool sparse = c.zeros >= many_zeros;  // then most columns are
  if (c.nearly_constant > 0 && !sparse)
    text += fmt::format(", {} columns nearly constant", c.nearly_constant);
  return text;
}

RecognisedFeatures type_of_values(const FeatureCensus& c) {
  if (c.columns == 0) return {FeatureType::continuous, "all rows are equal"};
  if (c.distinct == 2) return two_values(c);
  const bool sparse_counts = c.zeros >= mostly_zero && c.low == 0 && c.high >= more_than_steps;
  if (c.whole && c.distinct <= few_steps && !sparse_counts)
    return {FeatureType::ordinal, fmt::format("{}, {} different", range_of(c), c.distinct)};
  if (c.low < 0) return with_negatives(c);
  return c.whole ? whole_amounts(c) : decimal_amounts(c);
}

RecognisedFeatures type_by(const FeatureCensus& c) {
  RecognisedFeatures found = type_of_values(c);
  if (c.columns > 0) found.evidence += flat_columns(c);
  return found;
}

struct Recipe {
  LibrarySize library = {LibrarySize::Rule::none, 1};
  Transform transform = Transform::none;
  FeatureScaling scale = FeatureScaling::none;
  KernelKind kernel = KernelKind::rbf;
};

Recipe recipe_of(FeatureType type, const FeatureCensus& c) {
  using enum FeatureType;
  Recipe recipe;
  switch (type) {
    case continuous:
      recipe.scale = FeatureScaling::zscore;
      break;
    case counts:
      recipe.library.rule = LibrarySize::Rule::median;
      recipe.transform = Transform::log1p;
      recipe.scale = FeatureScaling::zscore;
      break;
    case skewed:
      recipe.transform = c.median_of_nonzero >= worth_log1p ? Transform::log1p : Transform::log;
      recipe.scale = FeatureScaling::zscore;
      break;
    case heavy_tails:
      recipe.scale = is_one_unit(c, spread_of_unit) ? FeatureScaling::none : FeatureScaling::zscore;
      recipe.kernel = KernelKind::laplacian;
      break;
    case abundances:
      recipe.library = {LibrarySize::Rule::number, 1};
      recipe.transform = Transform::sqrt;
      recipe.kernel = KernelKind::chi2;
      break;
    case text:
      recipe.transform = Transform::tfidf;
      recipe.kernel = KernelKind::cosine;
      break;
    case text_weights:
      recipe.transform = Transform::sqrt;
      recipe.kernel = KernelKind::cosine;
      break;
    case one_unit:
    case binary:
    case one_hot:
    case proportions:
    case ordinal:
      break;
  }
  return recipe;
}

// kernel=ordinal compares shares of the range.
void settle_named(KernelOptions& options) {
  if (options.kernel == KernelKind::ordinal) {
    if (options.transform != Transform::automatic && options.transform != Transform::minmax)
      throw OptionError(fmt::format("kernel=ordinal brings columns to their range itself, "
                                    "transform={} is not possible with it",
                                    transform_name(options.transform)),
                        "leave it out, or choose another kernel");
    options.transform = Transform::minmax;
  }
  if (options.transform == Transform::automatic) options.transform = Transform::none;
  if (options.library_size.rule == LibrarySize::Rule::automatic)
    options.library_size.rule = LibrarySize::Rule::none;
}

}  // namespace

const std::string& feature_type_name(FeatureType type) {
  static const Strings names{"numbers of different units",
                             "numbers of one unit",
                             "skewed amounts",
                             "numbers with heavy tails",
                             "counts",
                             "parts of a whole",
                             "word counts",
                             "word weights",
                             "two values",
                             "one-hot columns",
                             "proportions",
                             "ordered steps"};
  return names.at(static_cast<std::size_t>(type));
}

RecognisedFeatures recognise_features(const MatrixRef& X) { return type_by(census_of(X)); }

SettledKernel settled(const MatrixRef& X, const KernelOptions& options) {
  SettledKernel result{options, {}};
  KernelOptions& chosen = result.options;
  if (chosen.kernel != KernelKind::automatic) {
    settle_named(chosen);
    return result;
  }
  const FeatureCensus census = census_of(X);
  result.features = type_by(census);
  Recipe recipe = recipe_of(result.features->type, census);
  // A transform that was asked for makes other features of them.
  if (chosen.transform != Transform::automatic && chosen.transform != recipe.transform) {
    recipe = {};
    recipe.transform = chosen.transform;
    recipe.scale = FeatureScaling::automatic;
    if (chosen.transform == Transform::tfidf) recipe.kernel = KernelKind::cosine;
  }
  chosen.transform = recipe.transform;
  chosen.kernel = recipe.kernel;
  if (chosen.library_size.rule == LibrarySize::Rule::automatic)
    chosen.library_size = recipe.library;
  if (chosen.scale == FeatureScaling::automatic) chosen.scale = recipe.scale;
  return result;
}

}  // namespace mkc
