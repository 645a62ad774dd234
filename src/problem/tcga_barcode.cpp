#include "problem/tcga_barcode.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace mkc {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return c >= 'A' && c <= 'Z'; }

bool all_alphanumeric(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || is_letter(c); });
}

/// Capitals, one '-' for '-', '.' and '_'.
std::string canonical(std::string_view id) {
  std::string text;
  for (const char c : id) {
    if (c >= 'a' && c <= 'z')
      text += static_cast<char>(c - 'a' + 'A');
    else
      text += c == '.' || c == '_' ? '-' : c;
  }
  return text;
}

Strings parts_of(const std::string& text) {
  Strings parts(1);
  for (const char c : text)
    if (c == '-')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

/// "01C" -> "01" and "C"; false where the text is not two digits and at most one letter.
bool read_numbered(const std::string& part, std::string& number, std::string& letter) {
  const bool is_numbered = (part.size() == 2 || part.size() == 3) && is_digit(part[0]) &&
                           is_digit(part[1]) && (part.size() == 2 || is_letter(part[2]));
  if (!is_numbered) return false;
  number = part.substr(0, 2);
  letter = part.substr(2);
  return true;
}

using Candidates = std::vector<std::size_t>;

/// Analytes of RNA by preference: H before R before T.
int rna_rank(const TcgaBarcode& barcode) {
  return barcode.analyte == "H" ? 3 : barcode.analyte == "R" ? 2 : barcode.analyte == "T" ? 1 : 0;
}

bool is_amplified(const TcgaBarcode& barcode) {
  return barcode.analyte == "G" || barcode.analyte == "W" || barcode.analyte == "X";
}

template <class Value>
Candidates with_largest(const std::vector<TcgaBarcode>& all, const Candidates& some, Value value) {
  auto largest = value(all[some.front()]);
  for (const std::size_t i : some) largest = std::max(largest, value(all[i]));
  Candidates kept;
  for (const std::size_t i : some)
    if (value(all[i]) == largest) kept.push_back(i);
  return kept;
}

std::string latest_plate(const std::vector<TcgaBarcode>& all, const Candidates& some) {
  std::string latest;
  for (const std::size_t i : some) latest = std::max(latest, all[i].plate);
  return latest;
}

/// The filter for aliquots of different analytes.
Candidates of_preferred_analyte(const std::vector<TcgaBarcode>& all, Candidates some) {
  const auto same_analyte = [&](std::size_t i) { return all[i].analyte == all[0].analyte; };
  if (std::all_of(some.begin(), some.end(), same_analyte)) return some;
  if (std::all_of(some.begin(), some.end(), [&](std::size_t i) { return rna_rank(all[i]) > 0; }))
    return with_largest(all, with_largest(all, some, rna_rank),
                        [](const TcgaBarcode& barcode) { return barcode.plate; });
  Candidates native, amplified;
  for (const std::size_t i : some) {
    if (all[i].analyte == "D") native.push_back(i);
    if (is_amplified(all[i])) amplified.push_back(i);
  }
  if (native.empty() || native.size() + amplified.size() < some.size()) return some;
  return latest_plate(all, amplified) > latest_plate(all, native) ? amplified : native;
}

}  // namespace

std::optional<TcgaBarcode> parse_tcga_barcode(std::string_view id) {
  if (id.size() < 12 || id.size() > 64) return std::nullopt;
  TcgaBarcode barcode;
  barcode.whole = canonical(id);
  const Strings parts = parts_of(barcode.whole);
  if (parts.size() < 3 || parts[0] != "TCGA" || parts[1].size() != 2 || parts[2].size() != 4 ||
      !all_alphanumeric(parts[1]) || !all_alphanumeric(parts[2]))
    return std::nullopt;
  barcode.patient = "TCGA-" + parts[1] + "-" + parts[2];
  if (parts.size() == 3) return barcode;
  if (!read_numbered(parts[3], barcode.sample_type, barcode.vial)) return std::nullopt;
  if (parts.size() > 4) read_numbered(parts[4], barcode.portion, barcode.analyte);
  if (parts.size() > 5) barcode.plate = parts[5];
  return barcode;
}

std::string sample_type_name(const std::string& code) {
  static const std::unordered_map<std::string, std::string> names = {
      {"01", "primary tumour"},
      {"02", "recurrent tumour"},
      {"03", "blood cancer, blood"},
      {"04", "recurrent blood cancer"},
      {"05", "additional tumour"},
      {"06", "metastasis"},
      {"07", "additional metastasis"},
      {"09", "blood cancer, bone marrow"},
      {"10", "normal blood"},
      {"11", "normal tissue"},
      {"12", "normal buccal cells"},
      {"14", "normal bone marrow"},
      {"20", "control"}};
  const auto found = names.find(code);
  return found == names.end() ? "" : found->second;
}

std::size_t preferred_aliquot(const std::vector<TcgaBarcode>& aliquots) {
  Candidates all(aliquots.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Candidates kept = with_largest(aliquots, of_preferred_analyte(aliquots, all),
                                       [](const TcgaBarcode& barcode) { return barcode.whole; });
  return kept.front();
}

}  // namespace mkc
