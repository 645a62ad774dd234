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
  std::string name;
  std::string spec;   // method and options
  std::string quick;  // one without options to choose, for a first look, or ""
  bool always;        // not left out, whatever it contributes
  double gigaflops;   // of all its runs on this problem, by a model in N and M; never by the clock
  double gigaflops_of_run;  // one run with options that are chosen
};

/// The candidates for a problem of this size that fit the budget, most useful first; at
/// least `transfer`, `mean` and `alone`. `copies`: held-out copies each has to complete.
std::vector<Candidate> affordable_candidates(Index n_samples, Index n_views, Index copies,
                                             double budget);

/// A candidate by its name, or a method that is none, whatever the budget. Throws OptionError.
Candidate named_candidate(const std::string& name, Index n_samples, Index n_views, Index copies);

/// Operations, in thousand millions, that a nominal core does in a second.
constexpr double gigaflops_per_second = 10;

/// Working memory of `auto` with these options: that of the candidates which it tries.
double auto_bytes(const OptionValues& options, Index n_samples, Index n_views, int threads);

}  // namespace mkc
