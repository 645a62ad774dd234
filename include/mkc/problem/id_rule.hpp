#pragma once

#include <memory>
#include <optional>
#include <string>

#include "mkc/base/types.hpp"

namespace mkc {

/// How the ids of files name samples.
struct IdRule {
  /// automatic: exact, but an error where another rule finds many more samples in common.
  enum class Kind { automatic, exact, loose, tcga_patient, tcga_sample, prefix, regex };
  Kind kind = Kind::automatic;
  Strings sample_types = {};  // tcga_patient: two-digit codes to keep; empty: all
  Index length = 0;           // prefix: characters that name the sample
  std::string pattern = "";   // regex: its first group names the sample

  bool operator==(const IdRule&) const = default;
  bool is_exact() const { return kind == Kind::automatic || kind == Kind::exact; }
};

/// "auto|exact|loose|tcga-patient|tcga-sample|prefix:N|regex:PATTERN", for help texts.
extern const char* const id_rule_range;

/// Reads "auto", "exact", "loose", "tcga-patient", "tcga-patient:01", "tcga-patient:01+06",
/// "tcga-sample", "prefix:N" or "regex:PATTERN". OptionError for anything else.
IdRule parse_id_rule(const std::string& text);

/// The text that parse_id_rule reads as this rule.
std::string id_rule_text(const IdRule& rule);

/// The sample that an id names by itself. `loose` compares the ids of several views and has none.
class SampleOfId {
 public:
  explicit SampleOfId(const IdRule& rule);
  ~SampleOfId();
  SampleOfId(const SampleOfId&) = delete;
  SampleOfId& operator=(const SampleOfId&) = delete;

  /// Nothing where the rule does not apply to the id: no barcode, or the pattern does not match.
  std::optional<std::string> operator()(const std::string& id) const;

 private:
  struct Pattern;
  IdRule rule_;
  std::unique_ptr<Pattern> pattern_;
};

}  // namespace mkc
