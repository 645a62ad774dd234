#include <cmath>

#include "mkc/stack/auto.hpp"

namespace mkc {

namespace {

// What one run costs: a M^p N^3 + b M^p N^2, in operations of which a nominal core does 1e10 a
// second. Rough, from seconds seen at N = 200 (latent: there alone) and, for some, N = 720 or 1000.
struct CostModel {
  const char* name;  // of the candidate; that of the method unless there are variants of it
  const char* spec;
  double cubic;
  double quadratic;
  double power_of_views;
  double tuning;  // runs of a 300-sample problem spent on choosing options
};

// In the order of their promise: what the budget cannot pay is dropped from the end. The variants
// of transfer have fixed options: what they predict differs, so that a mixture gains from both.
// clang-format off
constexpr CostModel models[] = {
    {"transfer", "transfer",   8, 5e3, 1,  5},
    {"mean",     "mean",       8, 1e3, 1,  0},
    {"alone",    "alone",      0,  10, 1,  0},
    {"transfer_kernel",
     "transfer,gamma=0.5,ridge=0.02,intercept=yes,weights=loo,sources=all,target=kernel,diagonal=none",
                               8, 5e3, 1,  0},
    {"transfer_log",
     "transfer,gamma=0.5,ridge=0.02,intercept=yes,weights=loo,sources=all,target=log,diagonal=none",
                               8, 5e3, 1,  0},
    {"transfer_scale",
     "transfer,gamma=0,intercept=no,weights=loo,sources=observed,target=kernel,diagonal=scale",
                              60, 5e3, 1,  1},
    {"latent",   "latent",    40, 2e4, 1, 12},
    {"wknn",     "wknn",       4, 1e3, 1,  0},
    {"affine",   "affine",     8, 2e3, 1,  0},
    {"embd_hm",  "embd_hm",   20, 1e3, 1, 14},
    {"cvkt",     "cvkt",      10, 1e3, 1,  0},
    {"knn",      "knn",        4, 1e3, 1,  0},
    {"mkmc",     "mkmc",      58, 4e3, 1,  0},
    {"embd_ht",  "embd_ht",   12, 1e3, 2,  7},
};
// clang-format on

double runs(double per_run, double tuning_run, double copies, double tuning) {
  return per_run * (copies + 1) + tuning_run * tuning;
}

double gigaflops(const CostModel& model, Index n_samples, Index n_views, Index copies) {
  const auto cost = [&](double n) {
    return std::pow(double(n_views), model.power_of_views) *
           (model.cubic * n * n * n + model.quadratic * n * n) * 1e-9;
  };
  const double n = double(n_samples);
  return runs(cost(n), cost(std::min(n, 300.0)), double(copies), model.tuning);
}

// By place in the list: those before `always` run on any budget. Those from `promising` on, after
// latent, seldom get much weight, so none may cost more than a share of what stands before it.
constexpr std::size_t always = 3, promising = 7;
constexpr double largest_share = 0.2;
constexpr double gigaflops_per_second = 10;  // a nominal core

}  // namespace

std::vector<Candidate> affordable_candidates(Index n_samples, Index n_views, Index copies,
                                             double budget) {
  std::vector<Candidate> chosen;
  double spent = 0;
  for (std::size_t k = 0; k < std::size(models); ++k) {
    const double cost = gigaflops(models[k], n_samples, n_views, copies);
    if (k >= always && spent + cost > budget * gigaflops_per_second) continue;
    if (k >= promising && cost > largest_share * spent) continue;
    spent += cost;
    chosen.push_back({models[k].name, models[k].spec, cost});
  }
  return chosen;
}

std::string candidate_spec(const std::string& name) {
  for (const auto& model : models)
    if (name == model.name) return model.spec;
  return find_method(name).name;
}

}  // namespace mkc
