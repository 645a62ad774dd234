#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "mkc/base/error.hpp"
#include "mkc/problem/id_spelling.hpp"
#include "mkc/problem/sample_ids.hpp"
#include "problem/tcga_barcode.hpp"

namespace mkc {

namespace {

constexpr Index fewest_matched = 3;
constexpr std::size_t longest_prefix = 40;

/// The samples of one view, distinct.
using Samples = std::unordered_set<std::string>;

struct Counts {
  Indices matched;  // per view: samples that another view has too
  Indices distinct;
  Index total_matched = 0, total = 0;
};

Counts counted(const std::vector<Samples>& views) {
  std::unordered_map<std::string_view, Index> views_with;
  for (const auto& samples : views)
    for (const auto& sample : samples) ++views_with[sample];
  Counts counts;
  for (const auto& samples : views) {
    const Index matched = std::count_if(samples.begin(), samples.end(), [&](const auto& sample) {
      return views_with.at(sample) > 1;
    });
    counts.matched.push_back(matched);
    counts.distinct.push_back(std::ssize(samples));
    counts.total_matched += matched;
    counts.total += std::ssize(samples);
  }
  return counts;
}

/// Whether some view has more than twice as many samples in common as by the ids as they are.
bool is_far_better(const Counts& rule, const Counts& exact) {
  for (std::size_t v = 0; v < exact.matched.size(); ++v)
    if (rule.matched[v] >= fewest_matched && rule.matched[v] > 2 * exact.matched[v]) return true;
  return false;
}

struct Candidate {
  std::string rule, agreement;
  std::vector<Samples> samples;
};

/// Views with ids only.
struct NamedIds {
  std::string name;
  Strings ids;
};

using SampleOf = std::function<std::string(const std::string& id)>;

Candidate candidate_of(const std::vector<NamedIds>& views, const std::string& rule,
                       const std::string& agreement, const SampleOf& sample_of) {
  Candidate candidate{rule, agreement, {}};
  for (const auto& view : views) {
    Samples samples;
    for (const auto& id : view.ids) samples.insert(sample_of(id));
    candidate.samples.push_back(std::move(samples));
  }
  return candidate;
}

/// A rule for barcodes; nothing where some ids are none.
void add_tcga(const std::vector<NamedIds>& views, std::vector<Candidate>& candidates) {
  bool all_have_types = true, mixed = false;
  std::unordered_map<std::string, std::string> type_of;  // patient
  std::unordered_map<std::string, Index> types;
  for (const auto& view : views)
    for (const auto& id : view.ids) {
      const auto barcode = parse_tcga_barcode(id);
      if (!barcode) return;
      if (barcode->sample_type.empty()) {
        all_have_types = false;
        continue;
      }
      ++types[barcode->sample_type];
      const auto& type = type_of.emplace(barcode->patient, barcode->sample_type).first->second;
      mixed = mixed || type != barcode->sample_type;
    }
  if (mixed && all_have_types) {
    candidates.push_back(
        candidate_of(views, "tcga-sample", "TCGA barcodes agree in their first 15 characters",
                     [](const std::string& id) { return parse_tcga_barcode(id)->sample(); }));
    return;
  }
  std::string rule = "tcga-patient";
  if (mixed) {
    const auto most =
        std::max_element(types.begin(), types.end(), [](const auto& a, const auto& b) {
          return std::pair(a.second, b.first) < std::pair(b.second, a.first);
        });
    rule += ":" + most->first;
  }
  candidates.push_back(
      candidate_of(views, rule, "TCGA barcodes agree in their first 12 characters",
                   [](const std::string& id) { return parse_tcga_barcode(id)->patient; }));
}

void add_loose(const std::vector<NamedIds>& views, std::vector<Candidate>& candidates) {
  std::vector<View> alike;
  for (const auto& view : views) {
    alike.emplace_back();
    alike.back().name = view.name;
    alike.back().ids = alike.back().all_ids = view.ids;
  }
  normalize_ids(alike);
  Candidate candidate{
      "loose", "ids agree up to case, separators and an ending or beginning of each view", {}};
  for (const auto& view : alike) candidate.samples.emplace_back(view.ids.begin(), view.ids.end());
  candidates.push_back(std::move(candidate));
}

bool is_separator(char c) {
  return c == '-' || c == '_' || c == '.' || c == ' ' || c == ':' || c == '#';
}

/// The prefix by which most ids match; of equal ones that which ends before a separator, else the
/// longest.
void add_prefix(const std::vector<NamedIds>& views, std::vector<Candidate>& candidates) {
  std::size_t longest = 0;
  for (const auto& view : views)
    for (const auto& id : view.ids) longest = std::max(longest, id.size());
  std::optional<Candidate> best;
  std::pair<Index, bool> best_score{0, false};
  for (std::size_t n = 3; n < std::min(longest, longest_prefix); ++n) {
    bool ends_at_separator = true, is_text = true;
    for (const auto& view : views)
      for (const auto& id : view.ids) {
        ends_at_separator = ends_at_separator && (id.size() <= n || is_separator(id[n]));
        is_text = is_text && std::all_of(id.begin(), id.end(), [](char c) { return c > 0; });
      }
    if (!is_text) return;  // bytes are not characters
    Candidate candidate = candidate_of(views, fmt::format("prefix:{}", n),
                                       fmt::format("ids agree in their first {} characters", n),
                                       [n](const std::string& id) { return id.substr(0, n); });
    const std::pair<Index, bool> score{counted(candidate.samples).total_matched, ends_at_separator};
    if (score < best_score || score.first == 0) continue;
    best_score = score;
    best = std::move(candidate);
  }
  if (best) candidates.push_back(std::move(*best));
}

void add_first_parts(const std::vector<NamedIds>& views, std::vector<Candidate>& candidates) {
  for (const auto& [separator, pattern] : {std::pair('_', "^([^_]+)"), std::pair('-', "^([^-]+)"),
                                           std::pair('.', "^([^.]+)"), std::pair(':', "^([^:]+)")})
    candidates.push_back(
        candidate_of(views, fmt::format("regex:{}", pattern),
                     fmt::format("ids agree in what is before their first '{}'", separator),
                     [separator = separator](const std::string& id) {
                       return id.starts_with(separator) ? id : id.substr(0, id.find(separator));
                     }));
}

/// A run of ten or more of A, C, G, T and N, and the number of its well: "ACGTACGTACGT-1".
std::string cell_barcode(const std::string& id) {
  std::size_t begin = 0;
  while (begin < id.size()) {
    const std::size_t end = std::min(id.find_first_not_of("ACGTN", begin), id.size());
    if (end - begin >= 10) {
      std::size_t stop = end;
      if (stop + 1 < id.size() && id[stop] == '-' && id[stop + 1] >= '0' && id[stop + 1] <= '9') {
        ++stop;
        while (stop < id.size() && id[stop] >= '0' && id[stop] <= '9') ++stop;
      }
      return id.substr(begin, stop - begin);
    }
    begin = end + 1;
  }
  return {};
}

void add_cell_barcodes(const std::vector<NamedIds>& views, std::vector<Candidate>& candidates) {
  for (const auto& view : views)
    if (std::any_of(view.ids.begin(), view.ids.end(),
                    [](const std::string& id) { return cell_barcode(id).empty(); }))
      return;
  candidates.push_back(candidate_of(views, "regex:([ACGTN]{10,}(?:-[0-9]+)?)",
                                    "ids agree in their cell barcode", cell_barcode));
  candidates.push_back(candidate_of(views, "regex:([ACGTN]{10,})",
                                    "ids agree in the bases of their cell barcode",
                                    [](const std::string& id) {
                                      const std::string barcode = cell_barcode(id);
                                      return barcode.substr(0, barcode.find('-'));
                                    }));
}

/// Ids of one view that a rule makes one are several rows of a sample. Where it does so with many,
/// it is no rule for samples.
bool keeps_ids_apart(const Counts& rule, const Counts& exact) {
  for (std::size_t v = 0; v < exact.distinct.size(); ++v)
    if (5 * rule.distinct[v] < 4 * exact.distinct[v]) return false;
  return true;
}

}  // namespace

std::optional<IdProposal> propose_id_rule(const std::vector<View>& all) {
  std::vector<NamedIds> views;
  for (const auto& view : all)
    if (!view.numbered) views.push_back({view.name, view.all_ids});
  if (views.size() < 2) return std::nullopt;
  const Counts exact =
      counted(candidate_of(views, "exact", "", [](const std::string& id) { return id; }).samples);
  bool may_be_better = false;
  for (std::size_t v = 0; v < views.size(); ++v)
    may_be_better = may_be_better || 2 * exact.matched[v] < exact.distinct[v];
  if (!may_be_better) return std::nullopt;

  std::vector<Candidate> candidates;
  add_tcga(views, candidates);
  // Of barcodes, other rules would forget the sample type.
  if (candidates.empty()) {
    add_loose(views, candidates);
    add_prefix(views, candidates);
    add_cell_barcodes(views, candidates);
    add_first_parts(views, candidates);
  }
  std::optional<IdProposal> best;
  for (const auto& candidate : candidates) {
    const Counts counts = counted(candidate.samples);
    const bool is_tcga = candidate.rule.starts_with("tcga");
    if (!is_far_better(counts, exact) || !(is_tcga || keeps_ids_apart(counts, exact))) continue;
    // A later rule is less certain: it must match clearly more.
    if (best && 10 * counts.total_matched <= 11 * best->matched) continue;
    best = IdProposal{
        candidate.rule,
        fmt::format("{}: {} of {}", candidate.agreement, counts.total_matched, counts.total),
        exact.total_matched,
        counts.total_matched,
        counts.total,
        counts.total < exact.total};
  }
  return best;
}

InputError id_question(const IdProposal& proposal) {
  Hint hint{{"ids", proposal.rule, "matches them so"}};
  if (proposal.repeated)
    hint.add({"replicates", proposal.rule.starts_with("tcga") ? "broad" : "mean",
              "is needed too: some samples have several rows then"});
  hint.add({"ids", "exact", "goes on with the ids as they are"});
  return InputError(
      fmt::format("views have few sample ids in common ({} of {} ids are in another view too), but "
                  "{}",
                  proposal.exact, proposal.of, proposal.evidence),
      hint);
}

}  // namespace mkc
