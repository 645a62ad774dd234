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
// groups are tried where no link between them is stronger
constexpr double weak_link = 0.1, weak_link_of_few = 0.25;
constexpr Index most_samples = 300;  // to look at domains and links
constexpr Index tuning_rows = 60;    // learn weights while options are compared

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

bool nothing_open(const LatentOptions& options) {
  return options.ridge && options.noise && options.groups &&
         options.domain != LatentDomain::automatic && options.length != LatentLength::automatic;
}

/// The best settings and variant so far.
class Search {
 public:
  Search(const Problem& problem, const LatentOptions& given, const RunOptions& run,
         SharedProgress& progress)
      : problem_(problem),
        given_(given),
        run_(run),
        progress_(progress),
        tuning_(problem, run.seed, given.measure),
        ridges_(smaller_ridges(problem, given)),
        variants_(variants_of(given)),
        variant_(variants_[0]) {
    best_.log = given.domain == LatentDomain::log;
    best_.rank = given.rank.value_or(0);
    best_.learning_rows = tuning_rows;
    best_.ridge = given.ridge.value_or(first_ridge);
    best_.groups = given.groups.value_or(1);
  }

  void compare_domains() {
    std::vector<Settings> candidates = {best_};
    if (given_.domain == LatentDomain::automatic && has_log_views(problem_, run_.seed)) {
      candidates.push_back(best_);
      candidates.back().log = true;
    }
    if (candidates.size() > 1 || variants_.size() > 1 || !given_.ridge || !given_.groups)
      compare(candidates);
  }

  void compare_ridges() {
    std::vector<Settings> candidates;
    for (const double ridge : ridges_) {
      candidates.push_back(best_);
      candidates.back().ridge = ridge;
    }
    compare(candidates);
  }

  void compare_groups() {
    if (given_.groups || !choice_.made()) return;
    std::vector<Settings> candidates;
    for (const Index k : group_counts(problem_, best_, run_.seed)) {
      Settings grouped = best_;
      grouped.groups = k;
      candidates.push_back(grouped);
      for (const double ridge : ridges_) {
        if (ridge == best_.ridge) continue;
        grouped.ridge = ridge;
        candidates.push_back(grouped);
      }
    }
    compare(candidates);
  }

  void fill_in(LatentOptions& options) const {
    options.domain = best_.log ? LatentDomain::log : LatentDomain::kernel;
    options.ridge = best_.ridge;
    options.groups = best_.groups;
    options.noise = variant_.noise;
    options.length = variant_.length;
  }

  const Choice& choice() const { return choice_; }

 private:
  // Compares settings with the best so far, in every variant.
  void compare(const std::vector<Settings>& candidates) {
    if (candidates.empty() || progress_.stopped()) return;
    const std::vector<Trial> trials = tuning_.race(
        candidates.size(), variants_.size(), run_.threads, progress_, "latent: choosing options",
        [&](const Problem& copy, std::size_t k, const ProgressCallback&) {
          return Model(copy, candidates[k], 1).kernels(variants_);
        },
        best_trial_ ? &best_trial_->errors : nullptr);
    const Choice here = best_row(means_of(trials), progress_.stopped());
    if (here.stopped) choice_.stopped = true;
    if (!here.made() || here.error >= choice_.error) return;
    choice_ = here;
    best_ = candidates[here.best / variants_.size()];
    variant_ = variants_[here.best % variants_.size()];
    best_trial_ = trials[here.best];
    keep_variants(trials, here.best / variants_.size());
  }

  // Further settings are compared in those variants only that were not dropped with these.
  void keep_variants(const std::vector<Trial>& trials, std::size_t settings) {
    std::vector<Variant> kept;
    for (std::size_t v = 0; v < variants_.size(); ++v)
      if (!trials[settings * variants_.size() + v].dropped) kept.push_back(variants_[v]);
    variants_ = std::move(kept);
  }

  const Problem& problem_;
  const LatentOptions given_;
  const RunOptions& run_;
  SharedProgress& progress_;
  const TuningSet tuning_;
  const std::vector<double> ridges_;
  std::vector<Variant> variants_;
  Settings best_;
  Variant variant_;
  std::optional<Trial> best_trial_;
  Choice choice_;
};

}  // namespace

void choose_options(const Problem& problem, LatentOptions& options, const RunOptions& run,
                    SharedProgress& progress, Strings& notices) {
  if (nothing_open(options)) return;
  Search search(problem, options, run, progress);
  search.compare_domains();
  search.compare_ridges();
  search.compare_groups();
  search.fill_in(options);
  notices.push_back(search.choice().notice(words(options)));
}

}  // namespace mkc::latent
