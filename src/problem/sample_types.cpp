#include "problem/sample_types.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "mkc/base/error.hpp"
#include "problem/tcga_barcode.hpp"

namespace mkc {

namespace {

/// What the file calls a row.
const std::string& own_id(const View& view, std::size_t row) {
  return view.own_ids.empty() ? view.ids[row] : view.own_ids[row];
}

/// "" for what is no barcode, and for the barcode of a patient.
std::string sample_type_of(const std::string& id) {
  const auto barcode = parse_tcga_barcode(id);
  return barcode ? barcode->sample_type : "";
}

/// A row whose barcode has a sample type.
struct TypedRow {
  std::string id, type;
  const View* view;

  std::string text() const {
    const std::string name = sample_type_name(type);
    return fmt::format("'{}' of type {}{} in view '{}'", shown(id), type,
                       name.empty() ? "" : fmt::format(" ({})", name), view->name);
  }
};

/// What is known of the types while rows are looked at.
struct TypesFound {
  std::unordered_map<std::string, TypedRow> first;  // row of a sample
  std::unordered_set<std::string> mixed;            // samples of several types
  std::map<std::string, Index> rows;                // of a type
  std::string example;

  void add(const std::string& sample, TypedRow row) {
    ++rows[row.type];
    const TypedRow& known = first.emplace(sample, row).first->second;
    if (known.type == row.type) return;
    if (mixed.empty())
      example = fmt::format("sample '{}' has {} and {}", shown(sample), known.text(), row.text());
    mixed.insert(sample);
  }
};

/// Removes the samples that have lost all their rows.
void forget_lost_samples(View& view, const Strings& before) {
  const std::unordered_set<std::string_view> had(before.begin(), before.end());
  const std::unordered_set<std::string_view> has(view.ids.begin(), view.ids.end());
  std::erase_if(view.all_ids,
                [&](const std::string& id) { return had.contains(id) && !has.contains(id); });
}

}  // namespace

bool is_of_types(const std::string& id, const Strings& types) {
  const std::string type = types.empty() ? "" : sample_type_of(id);
  return type.empty() || std::find(types.begin(), types.end(), type) != types.end();
}

void keep_sample_types(View& view, const Strings& types, Strings& notices) {
  std::map<std::string, Index> left_out;  // by type
  Indices kept;
  for (std::size_t i = 0; i < view.ids.size(); ++i) {
    const std::string& id = own_id(view, i);
    if (is_of_types(id, types))
      kept.push_back(static_cast<Index>(i));
    else
      ++left_out[sample_type_of(id)];
  }
  // Rows without values are in all_ids only, under their own names where no map renamed them.
  std::erase_if(view.all_ids, [&](const std::string& id) { return !is_of_types(id, types); });
  if (left_out.empty()) return;
  Strings counts;
  for (const auto& [type, count] : left_out)
    counts.push_back(fmt::format("{} of type {}", count, type));
  if (kept.empty())
    throw InputError(fmt::format("{}: no aliquot is of sample type {}; the file has {}",
                                 place_of(view), join(types, " or "), join(counts)),
                     {{"ids", "tcga-patient:" + left_out.begin()->first, "keeps these"}});
  const Strings before = view.ids;
  keep_samples(view, kept);
  forget_lost_samples(view, before);
  notices.push_back(fmt::format("{}: aliquots of other sample types than {} are left out: {}",
                                place_of(view), join(types, ", "), join(counts)));
}

void check_patients(const std::vector<View>& views) {
  std::unordered_map<std::string_view, const std::string*> first;  // barcode of a sample
  for (const auto& view : views)
    for (std::size_t i = 0; i < view.ids.size(); ++i) {
      const std::string& id = own_id(view, i);
      const auto barcode = parse_tcga_barcode(id);
      if (!barcode) continue;
      const std::string& known = *first.emplace(view.ids[i], &id).first->second;
      if (parse_tcga_barcode(known)->patient != barcode->patient)
        throw InputError(
            fmt::format("sample '{}' has '{}' and '{}' in view '{}': different patients are not "
                        "one sample",
                        shown(view.ids[i]), shown(known), shown(id), view.name),
            {{"ids", "tcga-patient", "names the patients of TCGA barcodes"}});
    }
}

void check_sample_types(const std::vector<View>& views) {
  TypesFound found;
  for (const auto& view : views)
    for (std::size_t i = 0; i < view.ids.size(); ++i) {
      const std::string& id = own_id(view, i);
      if (std::string type = sample_type_of(id); !type.empty())
        found.add(view.ids[i], {id, std::move(type), &view});
    }
  if (found.mixed.empty()) return;
  const auto most =
      std::max_element(found.rows.begin(), found.rows.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  Strings all;
  for (const auto& [type, count] : found.rows) all.push_back(type);
  const std::size_t more = found.mixed.size() - 1;
  throw InputError(
      fmt::format(
          "{}{}: different sample types are not one sample", found.example,
          more == 0 ? "" : fmt::format(", and {} more sample{} so", more, more == 1 ? "" : "s")),
      {{"ids", "tcga-patient:" + most->first, "keeps only this type"},
       {"ids", "tcga-sample", "keeps the types apart, as samples of their own (without a map)"},
       {"ids", "tcga-patient:" + join(all, "+"), "takes all as one sample"}});
}

}  // namespace mkc
