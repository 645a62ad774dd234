#include <algorithm>
#include <cmath>

#include "methods/single_methods.hpp"
#include "select/auto.hpp"

namespace mkc {

namespace {

enum class Priority {
  always,  // on any budget
  likely,  // often the best, or much of the mixture
  rarely,  // useful: may cost only a little, see allowance()
  named    // only where it is asked for by name
};

// What one run costs: a M^p N^3 + b M^p N^2, in operations of which a nominal core does 1e10 a
// second. Rough, from seconds seen at N = 100 and 200 (latent: at 200 alone) and, for some, N = 720
// or 1000.
struct CostModel {
  const char* name;  // of the candidate; that of the method unless there are variants of it
  const char* spec;
  Priority priority;
  double cubic;
  double quadratic;
  double power_of_views;
  double tuning;           // runs of a 300-sample problem spent on choosing options
  const char* quick = "";  // its usual options, where choosing them takes long
};

// Candidates are added in this order while they fit the budget. The variants of transfer have fixed
// options: their predictions differ, so that a mixture gains from both.
// clang-format off
constexpr CostModel models[] = {
    {"transfer", "transfer", Priority::always,   8, 5e3, 1,  5},
    {"mean",     "mean",     Priority::always,   8, 1e3, 1,  0},
    {"alone",    "alone",    Priority::always,   0,  10, 1,  0},
    {"transfer_kernel",
     "transfer,gamma=0.5,ridge=0.02,intercept=yes,weights=loo,sources=all,target=kernel,diagonal=none",
                             Priority::likely,   8, 5e3, 1,  0},
    {"transfer_log",
     "transfer,gamma=0.5,ridge=0.02,intercept=yes,weights=loo,sources=all,target=log,diagonal=none",
                             Priority::likely,   8, 5e3, 1,  0},
    {"transfer_scale",
     "transfer,gamma=0,intercept=no,weights=loo,sources=observed,target=kernel,diagonal=scale",
                             Priority::likely,  60, 5e3, 1,  1},
    {"latent",   "latent",   Priority::likely,  40, 2e4, 1, 12},
    {"wknn",     "wknn",     Priority::rarely,   4, 1e3, 1,  0},
    {"affine",   "affine",   Priority::rarely,   8, 2e3, 1,  0},
    {"embd_hm",  "embd_hm",  Priority::rarely,  20, 1e3, 1, 14, "embd_hm,ridge=0.01,c2=0.1"},
    {"cvkt",     "cvkt",     Priority::rarely,  10, 1e3, 1,  0},
    {"knn",      "knn",      Priority::rarely,   4, 1e3, 1,  0},
    {"mkmc",     "mkmc",     Priority::rarely,  58, 4e3, 1,  0, "mkmc,tol=0.005"},
    {"embd_ht",  "embd_ht",  Priority::rarely,  12, 1e3, 2,  7,
     "embd_ht,ridge=0.01,c1=0.1,c2=0.03"},
    {"app",      "app",      Priority::rarely,  10, 2e4, 1, 10, "app,c2=0.01"},
    {"em",       "em",       Priority::rarely,  10, 2e3, 1,  0},
    {"sdp",      "sdp",      Priority::rarely, 300, 4e5, 1,  3},
    {"mkkm",     "mkkm",     Priority::named,   13, 5e3, 1, 28},
};
// clang-format on

double gigaflops_of_run(const CostModel& model, double n, Index n_views) {
  return std::pow(double(n_views), model.power_of_views) *
         (model.cubic * n * n * n + model.quadratic * n * n) * 1e-9;
}

double gigaflops(const CostModel& model, Index n_samples, Index n_views, Index copies) {
  const double n = double(n_samples);
  return gigaflops_of_run(model, n, n_views) * double(copies + 1) +
         gigaflops_of_run(model, std::min(n, 300.0), n_views) * model.tuning;
}

Candidate made_candidate(const CostModel& model, Index n_samples, Index n_views, Index copies) {
  return {model.name,
          model.spec,
          model.quick,
          model.priority == Priority::always,
          gigaflops(model, n_samples, n_views, copies),
          gigaflops_of_run(model, double(n_samples), n_views)};
}

// What a candidate that rarely gets much weight may cost: a share of the cost of those before it,
// or of the budget. So a small problem tries all of them, and a larger budget more of them.
double allowance(double spent, double budget) {
  constexpr double share_of_spent = 0.2, share_of_budget = 0.03;
  return std::max(share_of_spent * spent, share_of_budget * budget);
}

}  // namespace

std::vector<Candidate> affordable_candidates(Index n_samples, Index n_views, Index copies,
                                             double budget) {
  // Up to 1500 samples there is one copy at least, and the budget is that of three: what one copy
  // leaves is time saved.
  const Index paid = n_samples <= 1500 ? std::max<Index>(copies, 3) : copies;
  budget *= gigaflops_per_second;
  std::vector<Candidate> chosen;
  double spent = 0;
  for (const CostModel& model : models) {
    if (model.priority == Priority::named) continue;
    const double cost = gigaflops(model, n_samples, n_views, paid);
    if (model.priority != Priority::always && spent + cost > budget) continue;
    if (model.priority == Priority::rarely && cost > allowance(spent, budget)) continue;
    spent += cost;
    chosen.push_back(made_candidate(model, n_samples, n_views, copies));
  }
  return chosen;
}

Candidate named_candidate(const std::string& name, Index n_samples, Index n_views, Index copies) {
  for (const auto& model : models)
    if (name == model.name) return made_candidate(model, n_samples, n_views, copies);
  // every method is in the list above; one that is not would be taken for a short one
  const std::string method = find_method_in(single_methods(), name).name;
  return {method, method, "", true, 0, 0};
}

}  // namespace mkc
