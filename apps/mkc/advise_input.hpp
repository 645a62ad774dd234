#pragma once

#include <optional>

#include "mkc/advise/advise.hpp"
#include "mkc/problem/id_rule.hpp"

namespace mkc::app {

/// What `mkc advise` works on: a problem and its completion, of which the error estimates count; or
/// a completion in factor form.
struct AdviseInput {
  Strings samples, views;
  Mask observed;
  IdRule ids;
  std::optional<Problem> problem;
  Completion completion;
  std::optional<CompletedFactors> factors;
};

/// From the folder of `mkc complete` or `mkc demo`. InputError where it is none, or has no error
/// estimates.
AdviseInput read_stored(const std::string& folder);

/// "rna=1,protein=3": costs of all views, 1 where not given. OptionError naming the view.
Vector parse_costs(const std::string& text, const Strings& views);

/// "50", or "" = no limit.
double parse_budget(const std::string& text);

}  // namespace mkc::app
