#pragma once

#include "mkc/problem/problem.hpp"
#include "mkc/problem/synthetic.hpp"

namespace mkc {

/// How the synthetic sets of the paper are made.
enum class ToyRecipe {
  paper,     // as in section 5
  released,  // as the authors' released files are
};

inline const Strings toy_recipe_names = {"paper", "released"};

/// TOYL, TOYG1, TOYG0.1, TOYLG1.
const Strings& toy_names();

/// Five complete views. The first samples of every view are basis points; the others are
/// x_i = sum_j a_ij b_j with weights a_ij uniform in [0, 1], the same for all views of a group.
///
///              samples  basis                             groups of views
///   paper      100      10, uniform in [-1, 1]^d,         {1, 2}, {3, 4, 5}
///                       d = 5, 5, 10, 10, 10
///   released   50       5, uniform in [0, 1]^10           {1, 3}, {2, 4, 5}
///
/// The points are the same for all four sets of a seed; the kernels differ. TOYL: linear. TOYG1 and
/// TOYG0.1: exp(-||x - y||^2 / width), width 1 and 0.1. TOYLG1: linear in views 1 to 3, Gaussian of
/// width 1 in views 4 and 5. Linear kernels are scaled to unit diagonal, because the paper's models
/// and the released files have normalised kernels. The paper does not state the interval of the
/// weights; [0, 1] fits the released files. Draws are keyed by seed, sample and view name.
Example make_toy(const std::string& name, ToyRecipe recipe, std::uint64_t seed);

/// Its kernels. OptionError where there is no such set.
Problem toy_problem(const std::string& name, ToyRecipe recipe, std::uint64_t seed);

}  // namespace mkc
