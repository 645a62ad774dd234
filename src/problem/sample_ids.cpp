#include "mkc/problem/sample_ids.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "mkc/base/error.hpp"
#include "mkc/problem/id_spelling.hpp"
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

/// Leaves out rows whose sample type is not among those asked for.
void keep_sample_types(View& view, const Strings& types, Strings& notices) {
  std::map<std::string, Index> left_out;  // by type
  const auto is_kept = [&](const std::string& id) {
    const auto barcode = parse_tcga_barcode(id);
    return !barcode || barcode->sample_type.empty() ||
           std::find(types.begin(), types.end(), barcode->sample_type) != types.end();
  };
  Indices kept;
  for (std::size_t i = 0; i < view.ids.size(); ++i) {
    if (is_kept(view.ids[i]))
      kept.push_back(static_cast<Index>(i));
    else
      ++left_out[parse_tcga_barcode(view.ids[i])->sample_type];
  }
  if (left_out.empty()) return;
  Strings counts;
  for (const auto& [type, count] : left_out)
    counts.push_back(fmt::format("{} of type {}", count, type));
  if (kept.empty())
    throw InputError(fmt::format("{}: no aliquot is of sample type {}; the file has {}",
                                 place_of(view), join(types, " or "), join(counts)),
                     {{"ids", "tcga-patient:" + left_out.begin()->first, "keeps these"}});
  keep_samples(view, kept);
  std::erase_if(view.all_ids, [&](const std::string& id) { return !is_kept(id); });
  notices.push_back(fmt::format("{}: aliquots of other sample types than {} are left out: {}",
                                place_of(view), join(types, ", "), join(counts)));
}

std::string described(const std::string& id, const std::string& type, const View& view) {
  const std::string name = sample_type_name(type);
  return fmt::format("'{}' of type {}{} in view '{}'", shown(id), type,
                     name.empty() ? "" : fmt::format(" ({})", name), view.name);
}

/// Tumour and normal tissue of a patient are not the same sample.
void check_sample_types(const std::vector<View>& views) {
  struct First {
    std::string id, type;
    const View* view;
  };
  std::unordered_map<std::string, First> first;
  std::unordered_set<std::string> mixed;
  std::map<std::string, Index> types;
  std::string example;
  for (const auto& view : views)
    for (const auto& id : view.ids) {
      const auto barcode = parse_tcga_barcode(id);
      if (!barcode || barcode->sample_type.empty()) continue;
      ++types[barcode->sample_type];
      const auto& known =
          first.emplace(barcode->patient, First{id, barcode->sample_type, &view}).first->second;
      if (known.type == barcode->sample_type) continue;
      if (mixed.empty())
        example = fmt::format("patient '{}' has {} and {}", barcode->patient,
                              described(known.id, known.type, *known.view),
                              described(id, barcode->sample_type, view));
      mixed.insert(barcode->patient);
    }
  if (mixed.empty()) return;
  const auto most = std::max_element(
      types.begin(), types.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  Strings all;
  for (const auto& [type, count] : types) all.push_back(type);
  throw InputError(
      fmt::format(
          "{}{}: different sample types are not one sample", example,
          mixed.size() == 1 ? "" : fmt::format(", and {} more patients so", mixed.size() - 1)),
      {{"ids", "tcga-patient:" + most->first, "keeps only this type"},
       {"ids", "tcga-sample", "keeps the types apart, as samples of their own"},
       {"ids", "tcga-patient:" + join(all, "+"), "takes all as one sample"}});
}

void rename(View& view, const SampleOfId& sample_of, const IdRule& rule) {
  const auto renamed = [&](Strings& ids) {
    for (auto& id : ids) {
      auto sample = sample_of(id);
      if (!sample) refuse_id(view, id, rule);
      id = std::move(*sample);
    }
  };
  if (view.own_ids.empty()) view.own_ids = view.ids;
  renamed(view.ids);
  renamed(view.all_ids);
}

}  // namespace

Strings apply_id_rule(std::vector<View>& views, const IdRule& rule) {
  Strings notices;
  if (rule.is_exact()) return notices;
  if (rule.kind == Kind::loose) {
    if (std::string notice = normalize_ids(views); !notice.empty()) notices.push_back(notice);
    return notices;
  }
  const SampleOfId sample_of(rule);
  if (rule.kind == Kind::tcga_patient) {
    if (rule.sample_types.empty()) check_sample_types(views);
    for (auto& view : views)
      if (!rule.sample_types.empty() && !view.numbered)
        keep_sample_types(view, rule.sample_types, notices);
  }
  for (auto& view : views)
    if (!view.numbered) rename(view, sample_of, rule);
  return notices;
}

Strings as_samples(Strings ids, const Strings& samples, const IdRule& rule) {
  if (rule.is_exact()) return ids;
  const std::unordered_set<std::string_view> known(samples.begin(), samples.end());
  std::unordered_map<std::string, std::string> by_spelling;
  for (const auto& sample : samples) by_spelling.emplace(spelling_key(sample), sample);
  const SampleOfId sample_of(rule);
  for (auto& id : ids) {
    if (known.contains(id)) continue;
    const auto sample = sample_of(id);
    if (sample && known.contains(*sample))
      id = *sample;
    else if (const auto alike = by_spelling.find(spelling_key(sample.value_or(id)));
             alike != by_spelling.end())
      id = alike->second;
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
    if (view.file != first->file && !match_rows)
      throw InputError(
          fmt::format("{} and {} have no sample ids, only row numbers ({} to {} and {} to {}): "
                      "which rows belong together?",
                      place_of(*first), place_of(view), shown(first->all_ids.front()),
                      shown(first->all_ids.back()), shown(view.all_ids.front()),
                      shown(view.all_ids.back())),
          {{"match_rows", "", "if row i of every file is the same sample"},
           "else name the samples: ids in the first column of a table, samples_<view> in an NPZ "
           "file"});
    if (view.all_ids.size() != first->all_ids.size())
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
