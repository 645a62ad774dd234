#include "mkc/problem/name_look.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "problem/known_names.hpp"
#include "problem/tcga_barcode.hpp"

namespace mkc {

namespace {

using Means = NameLook::Means;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

bool digits_from(std::string_view text, std::size_t start, std::size_t fewest) {
  return text.size() >= start + fewest &&
         std::all_of(text.begin() + static_cast<Index>(start), text.end(), is_digit);
}

/// A prefix and at least so many digits, and nothing more.
bool is_numbered(std::string_view name, std::string_view prefix, std::size_t digits) {
  return name.starts_with(prefix) && digits_from(name, prefix.size(), digits);
}

bool is_cell_barcode(std::string_view name) {
  std::size_t run = 0;
  for (const char c : name) {
    const bool base = c == 'A' || c == 'C' || c == 'G' || c == 'T' || c == 'N';
    run = base ? run + 1 : 0;
    if (run >= 10) return true;
  }
  return false;
}

/// ENSG00000141510.12, ENSMUST00000000001
bool is_ensembl(std::string_view name) {
  if (!name.starts_with("ENS")) return false;
  name = name.substr(0, name.find('.'));
  const auto first = std::find_if(name.begin(), name.end(), is_digit);
  return std::distance(first, name.end()) >= 9 && std::all_of(first, name.end(), is_digit);
}

bool is_mirna(std::string_view name) {
  const auto dash = name.find('-');
  if (dash == std::string_view::npos || dash > 4) return false;
  const std::string rest = lowered(name.substr(dash + 1));
  return rest.starts_with("mir-") || rest.starts_with("let-") || rest.starts_with("mir");
}

struct Scheme {
  Means means;
  const char* words;
  std::function<bool(std::string_view)> fits;
};

const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all = {
      {Means::sample, "TCGA barcodes",
       [](std::string_view name) { return parse_tcga_barcode(name).has_value(); }},
      {Means::sample, "cell barcodes", is_cell_barcode},
      {Means::sample, "GEO sample ids",
       [](std::string_view name) { return is_numbered(name, "GSM", 3); }},
      {Means::sample, "sequencing run ids",
       [](std::string_view name) {
         return is_numbered(name, "SRR", 5) || is_numbered(name, "ERR", 5) ||
                is_numbered(name, "DRR", 5);
       }},
      {Means::sample, "TARGET barcodes",
       [](std::string_view name) {
         return name.starts_with("TARGET-") || name.starts_with("TARGET.");
       }},
      {Means::sample, "DepMap model ids",
       [](std::string_view name) { return is_numbered(name, "ACH-", 6); }},
      {Means::feature, "Ensembl ids", is_ensembl},
      {Means::feature, "microRNA names", is_mirna},
      {Means::feature, "methylation probes",
       [](std::string_view name) { return is_numbered(name, "cg", 8); }},
      {Means::feature, "microarray probes",
       [](std::string_view name) {
         return (name.ends_with("_at") && is_digit(name[0])) || is_numbered(name, "ILMN_", 5);
       }},
      {Means::feature, "variant ids",
       [](std::string_view name) { return is_numbered(name, "rs", 3); }},
      {Means::feature, "RefSeq ids",
       [](std::string_view name) {
         return name.size() > 5 && (name.starts_with("NM_") || name.starts_with("NR_") ||
                                    name.starts_with("XM_") || name.starts_with("NP_"));
       }},
      {Means::feature, "genome positions",
       [](std::string_view name) {
         return name.starts_with("chr") && name.find(':') != std::string_view::npos;
       }},
  };
  return all;
}

bool mostly(const Strings& names, const std::function<bool(std::string_view)>& fits) {
  const auto count = std::count_if(names.begin(), names.end(), fits);
  return names.size() >= 2 && 5 * static_cast<std::size_t>(count) >= 4 * names.size();
}

/// Some symbols that nearly every panel has, among names of the same shape.
bool are_gene_symbols(const Strings& names) {
  const auto has_shape = [](std::string_view name) {
    return name.size() <= 16 && is_letter(name[0]) &&
           std::all_of(name.begin(), name.end(), [](char c) {
             return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_';
           });
  };
  if (!mostly(names, has_shape)) return false;
  const auto known = static_cast<std::size_t>(
      std::count_if(names.begin(), names.end(),
                    [](const std::string& name) { return is_known_gene(lowered(name)); }));
  return known >= 10 || (known >= 2 && 10 * known >= names.size());
}

/// "S12", "sample_3", "P1-b": the letters before the first digit.
std::string stem_of(std::string_view name) {
  std::size_t end = 0;
  while (end < name.size() && is_letter(name[end])) ++end;
  const std::size_t letters = end;
  if (end < name.size() &&
      (name[end] == '_' || name[end] == '-' || name[end] == '.' || name[end] == ' '))
    ++end;
  if (letters == 0 || end >= name.size() || !is_digit(name[end])) return {};
  return lowered(name.substr(0, letters));
}

NameLook shape_of(const Strings& names) {
  std::unordered_map<std::string, std::size_t> stems;
  for (const auto& name : names) ++stems[stem_of(name)];
  for (const auto& [stem, count] : stems) {
    if (stem.empty() || 5 * count < 4 * names.size()) continue;
    if (is_sample_stem(stem)) return {Means::sample, false, fmt::format("numbered '{}'", stem)};
    if (is_feature_stem(stem)) return {Means::feature, false, fmt::format("numbered '{}'", stem)};
  }
  const auto is_word = [](std::string_view name) {
    return std::none_of(name.begin(), name.end(), is_digit);
  };
  if (names.size() >= 3 && mostly(names, is_word)) return {Means::feature, false, "words"};
  return {};
}

constexpr double of_scheme = 5, of_feature_scheme = 4, of_corner = 3, of_shape = 1.5, of_size = 0.5;
constexpr std::size_t many_times = 5;

/// Names that mean samples count for their own side, names that mean features for the other.
void weigh(const NameLook& look, const char* side, double& own, Strings& for_own, double& other,
           Strings& for_other) {
  if (look.means == Means::nothing) return;
  const bool sample = look.means == Means::sample;
  const double points = !look.certain ? of_shape : sample ? of_scheme : of_feature_scheme;
  (sample ? own : other) += points;
  (sample ? for_own : for_other).push_back(fmt::format("the {} names are {}", side, look.words));
}

}  // namespace

NameLook look_of(const Strings& names) {
  if (names.empty() ||
      std::any_of(names.begin(), names.end(), [](const std::string& name) { return name.empty(); }))
    return {};
  for (const auto& scheme : schemes())
    if (mostly(names, scheme.fits)) return {scheme.means, true, scheme.words};
  if (are_gene_symbols(names)) return {Means::feature, true, "gene symbols"};
  return shape_of(names);
}

NameLook look_of_corner(const std::string& corner) {
  std::string word;
  for (const char c : lowered(corner))
    if (is_letter(c)) word += c;
  if (is_sample_word(word)) return {Means::sample, false, corner};
  if (is_feature_word(word)) return {Means::feature, false, corner};
  return {};
}

SideEvidence side_evidence(const Strings& rows, const Strings& columns, const std::string& corner) {
  SideEvidence found;
  weigh(look_of(rows), "row", found.rows, found.for_rows, found.columns, found.for_columns);
  weigh(look_of(columns), "column", found.columns, found.for_columns, found.rows, found.for_rows);
  if (const NameLook look = look_of_corner(corner); look.means != Means::nothing) {
    const bool sample = look.means == Means::sample;
    (sample ? found.rows : found.columns) += of_corner;
    (sample ? found.for_rows : found.for_columns)
        .push_back(fmt::format("the header begins with '{}'", shown(corner)));
  }
  // Molecular tables have many more features than samples.
  if (rows.size() > many_times * columns.size() && columns.size() > 1) {
    found.columns += of_size;
    found.for_columns.push_back(
        fmt::format("there are {} rows and {} columns", rows.size(), columns.size()));
  }
  return found;
}

bool are_row_numbers(const Strings& names) {
  if (names.size() < 2) return false;
  Index expected = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    Index number = 0;
    const char* end = names[i].data() + names[i].size();
    const auto [stop, error] = std::from_chars(names[i].data(), end, number);
    if (error != std::errc() || stop != end || (names[i].size() > 1 && names[i][0] == '0'))
      return false;
    if (i > 0 && number != expected) return false;
    expected = number + 1;
  }
  return true;
}

}  // namespace mkc
