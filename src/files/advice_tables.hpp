#pragma once

#include "mkc/advise/advise.hpp"
#include "mkc/problem/id_rule.hpp"

/// What `mkc advise` reads and writes beside views (docs/advise.md).
namespace mkc::io {

/// A table of missing pairs, with the columns sample and view (others are ignored). InputError with
/// the line where a name is not known. `ids`: which sample an id names.
std::vector<Assay> read_candidates(const std::string& path, const Strings& samples,
                                   const Strings& views, const IdRule& ids);

/// advice.tsv: rank, sample, view, cost, gain and its parts, gain_per_cost, within_budget.
std::string advice_table(const AssayAdvice& advice, const Strings& samples, const Strings& views);

/// curve.tsv: assays, money, expected_error.
std::string curve_table(const AssayAdvice& advice);

/// observed_value.tsv: rank, sample, view, value, value_per_cost; those that told least first.
std::string observed_value_table(const AssayAdvice& advice, const Strings& samples,
                                 const Strings& views);

}  // namespace mkc::io
