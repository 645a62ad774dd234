#include "mkc/problem/sample_ids.hpp"

#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "mkc/base/error.hpp"
#include "mkc/problem/id_spelling.hpp"
#include "problem/sample_types.hpp"
#include "problem/tcga_barcode.hpp"

namespace mkc {

namespace {

using Kind = IdRule::Kind;

[[noreturn]] void refuse_id(const View& view, const std::string& id, const IdRule& rule) {
  const std::string text = id_rule_text(rule);
  switch (rule.kind) {
    case Kind::tcga_patient:
      throw InputError(
          fmt::format("{}: the id '{}' is not a TCGA barcode", place_of(view), shown(id)),
          {{"ids", "loose", "or another rule reads other ids"},
           {"samples_in", "columns", "if the samples are in columns"}});
    case Kind::tcga_sample:
      throw InputError(
          fmt::format("{}: the id '{}' {}", place_of(view), shown(id),
                      parse_tcga_barcode(id) ? "is the barcode of a patient, without a sample type"
                                             : "is not a TCGA barcode"),
          {{"ids", "tcga-patient", "matches barcodes by patient"}});
    default:
      throw InputError(
          fmt::format("{}: the id '{}' does not match {}", place_of(view), shown(id), shown(text)),
          {{"ids", "regex:PATTERN",
            "needs a pattern that every id of every view matches; its first group is "
            "the sample"}});
  }
}

/// A sample map may call samples as it likes: what the rule does not apply to stays.
void rename(View& view, const SampleOfId& sample_of, const IdRule& rule) {
  const bool is_mapped = !view.own_ids.empty();
  const auto renamed = [&](Strings& ids) {
    for (auto& id : ids) {
      auto sample = sample_of(id);
      if (!sample && is_mapped) continue;
      if (!sample) refuse_id(view, id, rule);
      id = std::move(*sample);
    }
  };
  if (view.own_ids.empty()) view.own_ids = view.ids;
  renamed(view.ids);
  renamed(view.all_ids);
}

/// Ids that are samples up to an ending or beginning which all ids have ("S1_label" of "S1").
std::unordered_map<std::string, std::string> samples_without_endings(const Strings& ids,
                                                                     const Strings& samples) {
  std::vector<View> both(2);
  both[0].ids = both[0].all_ids = samples;
  both[1].ids = both[1].all_ids = ids;
  normalize_ids(both);
  std::unordered_map<std::string_view, std::size_t> place;
  for (std::size_t i = 0; i < samples.size(); ++i) place.emplace(both[0].ids[i], i);
  std::unordered_map<std::string, std::string> found;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (const auto at = place.find(both[1].ids[i]); at != place.end())
      found.emplace(ids[i], samples[at->second]);
  return found;
}

}  // namespace

Strings apply_id_rule(std::vector<View>& views, const IdRule& rule) {
  Strings notices;
  if (rule.kind == Kind::loose) {
    if (std::string notice = normalize_ids(views); !notice.empty()) notices.push_back(notice);
  } else if (!rule.is_exact()) {
    const SampleOfId sample_of(rule);
    for (auto& view : views) {
      if (view.numbered) continue;
      if (!rule.sample_types.empty()) keep_sample_types(view, rule.sample_types, notices);
      rename(view, sample_of, rule);
    }
  }
  const bool types_are_chosen = !rule.sample_types.empty();
  check_patients(views);
  if (!types_are_chosen) check_sample_types(views);
  return notices;
}

Strings as_samples(Strings ids, const Strings& samples, const IdRule& rule) {
  if (rule.is_exact()) return ids;
  const std::unordered_set<std::string_view> known(samples.begin(), samples.end());
  std::unordered_map<std::string, std::string> by_spelling;
  for (const auto& sample : samples) by_spelling.emplace(spelling_key(sample), sample);
  const std::unordered_map<std::string, std::string> without_endings =
      rule.kind == Kind::loose ? samples_without_endings(ids, samples)
                               : std::unordered_map<std::string, std::string>();
  const SampleOfId sample_of(rule);
  for (auto& id : ids) {
    if (known.contains(id) || !is_of_types(id, rule.sample_types)) continue;
    const auto sample = sample_of(id);
    if (sample && known.contains(*sample))
      id = *sample;
    else if (const auto alike = by_spelling.find(spelling_key(sample.value_or(id)));
             alike != by_spelling.end())
      id = alike->second;
    else if (const auto stem = without_endings.find(id); stem != without_endings.end())
      id = stem->second;
  }
  return ids;
}

void match_numbered_rows(std::vector<View>& views, bool match_rows) {
  View* first = nullptr;
  for (auto& view : views) {
    if (!view.numbered) continue;
    if (first == nullptr) {
      first = &view;
      continue;
    }
    const bool as_many = view.all_ids.size() == first->all_ids.size();
    const Advice name_them =
        "name the samples: ids in the first column of a table, samples_<view> in an NPZ file";
    if (view.file != first->file && !match_rows)
      throw InputError(
          fmt::format("{} and {} have no sample ids, only row numbers ({} to {} and {} to {}): "
                      "which rows belong together?",
                      place_of(*first), place_of(view), shown(first->all_ids.front()),
                      shown(first->all_ids.back()), shown(view.all_ids.front()),
                      shown(view.all_ids.back())),
          as_many ? Hint{{"match_rows", "", "if row i of every file is the same sample"}, name_them}
                  : Hint{name_them});
    if (!as_many)
      throw InputError(
          fmt::format("{} has {} rows and {} has {}, both without sample ids: which rows belong "
                      "together?",
                      place_of(*first), first->all_ids.size(), place_of(view), view.all_ids.size()),
          "tables without ids need one row per sample, NaN where it is missing; or name the "
          "samples (samples_<view> in an NPZ file)");
    if (view.all_ids == first->all_ids) continue;
    std::unordered_map<std::string, std::string> number;  // of the first view
    for (std::size_t i = 0; i < view.all_ids.size(); ++i)
      number.emplace(view.all_ids[i], first->all_ids[i]);
    for (auto& id : view.ids) id = number.at(id);
    view.all_ids = first->all_ids;
  }
}

}  // namespace mkc
