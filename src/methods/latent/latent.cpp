#include "methods/latent/latent.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "methods/latent/latent_model.hpp"
#include "methods/latent/latent_tuning.hpp"
#include "methods/make_method.hpp"

namespace mkc {

namespace {

std::string groups_notice(const Problem& problem, const Indices& groups) {
  std::string text = "groups of views:";
  for (Index g = 0; g < problem.n_views(); ++g) {
    Strings names;
    for (Index m = 0; m < problem.n_views(); ++m)
      if (groups[at(m)] == g) names.push_back(problem.view(m).name);
    if (!names.empty()) text += fmt::format(" {{{}}}", fmt::join(names, ", "));
  }
  return text;
}

Completion fit_latent(const Problem& problem, const LatentOptions& given, const RunOptions& run) {
  LatentOptions options = given;
  SharedProgress progress(run);
  Completion completion;
  Strings& notices = completion.info.notices;
  latent::choose_options(problem, options, run, progress, notices);
  if (!options.rank) options.rank = latent::default_rank(problem.n_samples());

  latent::Settings settings;
  settings.log = options.domain == LatentDomain::log;
  settings.rank = *options.rank;
  settings.ridge = *options.ridge;
  settings.groups = *options.groups;
  const latent::Model model(problem, settings, run.threads);
  const Index M = problem.n_views();
  completion.kernels.resize(static_cast<std::size_t>(M));
  completion.uncertainty = Matrix::Zero(problem.n_samples(), M);
  parallel_for(M, run.threads, [&](Index m) {
    latent::CompletedView view = model.view(m, {*options.noise, options.length});
    completion.kernels[at(m)] = std::move(view.kernel);
    for (std::size_t t = 0; t < problem.missing(m).size(); ++t)
      (*completion.uncertainty)(problem.missing(m)[t], m) = view.uncertainty(static_cast<Index>(t));
  });
  completion.relations = model.relations();
  completion.info.iterations = model.iterations();
  if (progress.stopped()) completion.info.status = Status::interrupted;
  if (settings.groups > 1) notices.push_back(groups_notice(problem, model.groups()));
  completion.info.parameters = latent_options().values(options);
  return completion;
}

double working_bytes(Index n_samples, Index n_views, int threads) {
  const auto N = double(n_samples), M = double(n_views);
  const double tuned_on = std::min(N, 300.0);  // samples; each thread has a model of its own
  return 8 * std::max(N * N * M * (M + 2), tuned_on * tuned_on * threads * M * (2.2 * M + 3.5));
}

}  // namespace

OptionTable<LatentOptions> latent_options() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  OptionTable<LatentOptions> table("latent");
  table
      .choice("domain", &LatentOptions::domain, {"auto", "kernel", "log"},
              "where views are related linearly: the kernel's features, or those of -log k")
      .count_or("auto", "rank", &LatentOptions::rank, 1, 1000000,
                "features per view in the joint Gaussian; larger is finer and slower")
      .number_or("auto", "ridge", &LatentOptions::ridge, 0, infinity,
                 "relative ridge on the joint covariance; larger: views less related")
      .number_or("auto", "noise", &LatentOptions::noise, 0, infinity,
                 "factor on the noise found in each view; larger: nearer to the mean")
      .count_or("auto", "groups", &LatentOptions::groups, 1, 1000000,
                "groups of views that share nothing; larger: fewer sources per view")
      .choice("length", &LatentOptions::length, {"auto", "shorten", "balance", "full"},
              "length of completed rows where the diagonal is constant");
  return add_measure(table);
}

Method latent_method() {
  return make_method("one Gaussian over the features of all views; each view read from the others",
                     "M N^3 / 3 per pattern of missing views", "M (M + 2) N^2 doubles",
                     latent_options(), fit_latent, working_bytes);
}

}  // namespace mkc
