#include "methods/latent/latent_tuning.hpp"

#include "base/text.hpp"

namespace mkc::latent {

namespace {

constexpr double first_ridge = 0.1;  // with which domains are compared
const std::vector<double> noise_grid = {1, 2, 0.5};
const std::vector<LatentLength> length_grid = {LatentLength::balance, LatentLength::shorten,
                                               LatentLength::full};
constexpr Index most_groups = 4;
constexpr Index few_samples = 60;
constexpr double weak_link = 0.1,
                 weak_link_of_few =
                     0.25;           // groups are tried where no link between them is stronger
constexpr Index most_samples = 300;  // to look at domains and links

std::vector<Variant> variants_of(const LatentOptions& options) {
  std::vector<Variant> variants;
  for (const double noise : options.noise ? std::vector{*options.noise} : noise_grid)
    for (const LatentLength length :
         options.length != LatentLength::automatic ? std::vector{options.length} : length_grid)
      variants.push_back({noise, length});
  return variants;
}

// "domain = log, ridge = 0.1, ..." of the options that are chosen here.
std::string words(const LatentOptions& options) {
  Strings chosen;
  for (const auto& [name, value] : latent_options().values(options))
    if (name != "rank" && name != "measure") chosen.push_back(name + " = " + value);
  return join(chosen);
}

bool has_log_views(const Problem& problem, std::uint64_t seed) {
  const Problem part = subsample(problem, most_samples, seed);
  for (const ObservedKernel& view : part.views())
    if (view_features(view.block, true, 1).log) return true;
  return false;
}

// Tried after the first: exact relations want a small ridge, which few samples can make sure of.
std::vector<double> smaller_ridges(const Problem& problem, const LatentOptions& options) {
  if (options.ridge) return {};
  return problem.n_samples() <= few_samples ? std::vector{1e-2, 1e-4} : std::vector{1e-3};
}

// Numbers of groups worth trying besides one.
Indices group_counts(const Problem& problem, const Settings& settings, std::uint64_t seed) {
  const Problem part = subsample(problem, most_samples, seed);
  Settings one = settings;
  one.groups = 1;
  const Model model(part, one, 1);
  const double weak = problem.n_samples() <= few_samples ? weak_link_of_few : weak_link;
  Indices counts;
  for (Index k = 2; k <= std::min(most_groups, problem.n_views()); ++k)
    if (model.linkage().strongest_cut(model.linkage().cut(k)) < weak) counts.push_back(k);
  return counts;
}

}  // namespace

void choose_options(const Problem& problem, LatentOptions& options, const RunOptions& run,
                    SharedProgress& progress, Strings& notices) {
  const std::vector<Variant> variants = variants_of(options);
  Settings best;
  best.log = options.domain == LatentDomain::log;
  best.rank = options.rank.value_or(0);
  best.ridge = options.ridge.value_or(first_ridge);
  best.groups = options.groups.value_or(1);
  Variant variant = variants[0];
  Choice choice;

  // Compares settings with the best so far, in every variant.
  const TuningSet tuning(problem, run.seed, options.measure);
  const auto compare = [&](const std::vector<Settings>& candidates) {
    if (candidates.empty() || progress.stopped()) return;
    const Matrix errors = tuning.errors_of_variants(
        candidates.size(), variants.size(), run.threads, progress, "latent: choosing options",
        [&](const Problem& copy, std::size_t k, const ProgressCallback&) {
          return Model(copy, candidates[k], 1).kernels(variants);
        });
    const Choice here = best_row(errors, progress.stopped());
    if (here.stopped) choice.stopped = true;
    if (!here.made() || here.error >= choice.error) return;
    choice = here;
    best = candidates[here.best / variants.size()];
    variant = variants[here.best % variants.size()];
  };

  const bool both_domains =
      options.domain == LatentDomain::automatic && has_log_views(problem, run.seed);
  std::vector<Settings> candidates = {best};
  if (both_domains) {
    candidates.push_back(best);
    candidates.back().log = true;
  }
  if (candidates.size() > 1 || variants.size() > 1 || !options.ridge || !options.groups)
    compare(candidates);

  const std::vector<double> ridges = smaller_ridges(problem, options);
  candidates.clear();
  for (const double ridge : ridges) {
    candidates.push_back(best);
    candidates.back().ridge = ridge;
  }
  compare(candidates);

  candidates.clear();
  if (!options.groups && choice.made())
    for (const Index k : group_counts(problem, best, run.seed)) {
      Settings grouped = best;
      grouped.groups = k;
      candidates.push_back(grouped);
      for (const double ridge : ridges) {
        if (ridge == best.ridge) continue;
        grouped.ridge = ridge;
        candidates.push_back(grouped);
      }
    }
  compare(candidates);

  const bool chosen =
      !(options.ridge && options.noise && options.groups &&
        options.domain != LatentDomain::automatic && options.length != LatentLength::automatic);
  options.domain = best.log ? LatentDomain::log : LatentDomain::kernel;
  options.ridge = best.ridge;
  options.groups = best.groups;
  options.noise = variant.noise;
  options.length = variant.length;
  if (chosen) notices.push_back(choice.notice(words(options)));
}

}  // namespace mkc::latent
