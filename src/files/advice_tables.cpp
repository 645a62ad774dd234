#include "files/advice_tables.hpp"

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "formats/tables_out.hpp"
#include "formats/text_table.hpp"
#include "mkc/base/error.hpp"
#include "mkc/problem/sample_ids.hpp"

namespace mkc::io {

namespace {

constexpr const char* candidate_layout =
    "a table of candidates has the columns sample and view, one missing pair per row";

std::string pair_cells(const Assay& assay, const Strings& samples, const Strings& views) {
  return tsv_cell(samples[at(assay.sample)]) + "\t" + tsv_cell(views[at(assay.view)]);
}

Index place_of_name(const Places& places, const std::string& name, const Strings& names,
                    const std::string& what, const std::string& where) {
  const auto found = places.find(name);
  if (found == places.end())
    throw InputError(
        fmt::format("{}: there is no {} '{}'{}", where, what, shown(name), suggestion(name, names)),
        candidate_layout);
  return found->second;
}

}  // namespace

std::vector<Assay> read_candidates(const std::string& path, const Strings& samples,
                                   const Strings& views, const IdRule& ids) {
  const TextTable table = read_text_table(path);
  const std::size_t sample = column_of(table, "sample", candidate_layout),
                    view = column_of(table, "view", candidate_layout);
  if (table.rows.empty())
    throw InputError(fmt::format("{}: a header, but no rows follow it", path), candidate_layout);
  Strings given;
  for (const auto& row : table.rows) given.push_back(row[sample]);
  given = as_samples(std::move(given), samples, ids);
  const Places row_of = places_of(samples), column_of_view = places_of(views);
  std::vector<Assay> candidates;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::string where = fmt::format("{}, line {}", path, table.lines[r]);
    candidates.push_back(
        {place_of_name(row_of, given[r], samples, "sample", where),
         place_of_name(column_of_view, table.rows[r][view], views, "view", where)});
  }
  return candidates;
}

std::string advice_table(const AssayAdvice& advice, const Strings& samples, const Strings& views) {
  std::string text =
      "rank\tsample\tview\tcost\tgain\town\tsame_sample\tothers\tgain_per_cost\twithin_budget\n";
  for (std::size_t k = 0; k < advice.ranking.size(); ++k) {
    const RankedAssay& one = advice.ranking[k];
    text += fmt::format("{}\t{}\t{}\t{:.6g}\t{:.6g}\t{:.6g}\t{:.6g}\t{:.6g}\t{}\n", k + 1,
                        pair_cells(one.assay, samples, views), one.cost, one.gain, one.own,
                        one.same_sample, one.others, one.gain_per_cost,
                        one.within_budget ? "yes" : "no");
  }
  return text;
}

std::string curve_table(const AssayAdvice& advice) {
  std::string text = "assays\tmoney\texpected_error\n";
  for (const CurvePoint& point : advice.curve)
    text += fmt::format("{}\t{:.6g}\t{:.6g}\n", point.assays, point.money, point.error);
  return text;
}

std::string observed_value_table(const AssayAdvice& advice, const Strings& samples,
                                 const Strings& views) {
  std::string text = "rank\tsample\tview\tvalue\tvalue_per_cost\n";
  for (std::size_t k = 0; k < advice.observed.size(); ++k) {
    const ObservedAssay& one = advice.observed[k];
    text += fmt::format("{}\t{}\t{:.6g}\t{:.6g}\n", k + 1, pair_cells(one.assay, samples, views),
                        one.value, one.value_per_cost);
  }
  return text;
}

}  // namespace mkc::io
