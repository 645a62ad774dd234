#include "models/latent_tuning.hpp"

#include <fmt/format.h>

namespace mkc::latent {

namespace {

const std::vector<double> ridge_grid = {1e-1, 1e-2, 1e-4};
const std::vector<double> noise_grid = {1, 2, 0.5};
const std::vector<LatentLength> length_grid = {LatentLength::balance, LatentLength::shorten,
                                               LatentLength::full};
constexpr Index most_groups = 4;
constexpr double weak_link = 0.25;   // groups are tried where no link between them is stronger
constexpr Index most_samples = 300;  // to look at domains and links

struct Variant {
  double noise;
  LatentLength length;
};

std::vector<Variant> variants_of(const LatentOptions& options) {
  std::vector<Variant> variants;
  for (const double noise : options.noise ? std::vector{*options.noise} : noise_grid)
    for (const LatentLength length :
         options.length != LatentLength::automatic ? std::vector{options.length} : length_grid)
      variants.push_back({noise, length});
  return variants;
}

std::string words(const Settings& settings, const Variant& variant) {
  const char* lengths[] = {"auto", "shorten", "balance", "full"};
  return fmt::format("domain = {}, ridge = {}, groups = {}, noise = {}, length = {}",
                     settings.log ? "log" : "kernel", settings.ridge, settings.groups,
                     variant.noise, lengths[static_cast<int>(variant.length)]);
}

bool has_log_views(const Problem& problem, std::uint64_t seed) {
  const Problem part = subsample(problem, most_samples, seed);
  for (const ObservedKernel& view : part.views())
    if (view_features(view.block, true, 1).log) return true;
  return false;
}

// Numbers of groups worth trying besides one.
Indices group_counts(const Problem& problem, const Settings& settings, std::uint64_t seed) {
  const Problem part = subsample(problem, most_samples, seed);
  Settings one = settings;
  one.groups = 1;
  const Model model(part, one, 1);
  Indices counts;
  for (Index k = 2; k <= std::min(most_groups, problem.n_views()); ++k)
    if (model.linkage().strongest_cut(model.linkage().cut(k)) < weak_link) counts.push_back(k);
  return counts;
}

}  // namespace

void choose_options(const Problem& problem, LatentOptions& options, const RunOptions& run,
                    SharedProgress& progress, Strings& notices) {
  const std::vector<Variant> variants = variants_of(options);
  const std::vector<double> ridges = options.ridge ? std::vector{*options.ridge} : ridge_grid;
  std::vector<bool> domains = {options.domain == LatentDomain::log};
  if (options.domain == LatentDomain::automatic && has_log_views(problem, run.seed))
    domains.push_back(true);

  Settings base;
  base.rank = options.rank.value_or(0);
  base.groups = options.groups.value_or(1);
  std::vector<Settings> candidates;
  for (const bool log : domains)
    for (const double ridge : ridges) {
      base.log = log;
      base.ridge = ridge;
      candidates.push_back(base);
    }
  if (candidates.size() == 1 && variants.size() == 1 && options.groups) {
    options.ridge = candidates[0].ridge;
    options.noise = variants[0].noise;
    options.length = variants[0].length;
    options.domain = candidates[0].log ? LatentDomain::log : LatentDomain::kernel;
    return;
  }

  const TuningSet tuning(problem, run.seed, options.measure);
  const auto errors = [&](const std::vector<Settings>& settings) {
    return tuning.errors_of_variants(
        settings.size(), variants.size(), run.threads, progress, "latent: choosing options",
        [&](const Problem& copy, std::size_t k, const ProgressCallback&) {
          const Model model(copy, settings[k], 1);
          std::vector<std::vector<Matrix>> kernels;
          for (const Variant& variant : variants)
            kernels.push_back(model.kernels(variant.noise, variant.length));
          return kernels;
        });
  };
  Choice choice = best_row(errors(candidates), progress.stopped());
  Settings best = candidates[choice.best / variants.size()];
  Variant variant = variants[choice.best % variants.size()];

  if (!options.groups && choice.made()) {
    std::vector<Settings> grouped;
    for (const Index k : group_counts(problem, best, run.seed))
      for (const double ridge : ridges) {
        grouped.push_back(best);
        grouped.back().groups = k;
        grouped.back().ridge = ridge;
      }
    const Choice other = best_row(errors(grouped), progress.stopped());
    if (other.made() && other.error < choice.error) {
      choice = other;
      best = grouped[choice.best / variants.size()];
      variant = variants[choice.best % variants.size()];
    }
  }
  options.domain = best.log ? LatentDomain::log : LatentDomain::kernel;
  options.ridge = best.ridge;
  options.groups = best.groups;
  options.noise = variant.noise;
  options.length = variant.length;
  notices.push_back(choice.notice(words(best, variant)));
}

}  // namespace mkc::latent
