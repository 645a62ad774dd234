#pragma once

#include "mkc/methods/method.hpp"

namespace mkc {

/// Options of `auto`.
struct AutoOptions {
  double budget = 120;             // nominal seconds on one core: which candidates are tried
  std::string candidates = "all";  // or names joined by '+'
};

/// `auto`: the candidates that fit the budget, stacked per view on hidden rows
/// (stacking.hpp).
Method auto_method();

/// A method `auto` may try, and what it would cost.
struct Candidate {
  const char* name;
  const char* spec;  // method and options
  double gigaflops;  // of all its runs on this problem, by a model in N and M; never by the clock
  double gigaflops_of_run;  // one run with options that are chosen
};

/// The candidates for a problem of this size that fit the budget, most useful first; at
/// least `transfer`, `mean` and `alone`. `copies`: held-out copies each has to complete.
std::vector<Candidate> affordable_candidates(Index n_samples, Index n_views, Index copies,
                                             double budget);

/// The method text of a candidate, or of a method that is none. Throws OptionError.
std::string candidate_spec(const std::string& name);

}  // namespace mkc
