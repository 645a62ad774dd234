#pragma once

#include <optional>
#include <string>

#include "mkc/base/error.hpp"
#include "mkc/problem/id_rule.hpp"
#include "mkc/problem/view.hpp"

namespace mkc {

/// Gives the rows of all views the ids of their samples; what the files call them is in own_ids.
/// Views without ids (`numbered`) stay as they are. Rows of TCGA sample types that the rule leaves
/// out are removed. Returns notices. InputError for an id that the rule does not apply to, and
/// where sample types of one patient would fall together that nobody asked for.
Strings apply_id_rule(std::vector<View>& views, const IdRule& rule);

/// Ids of a mask, a list or a table of labels as samples: those that are samples stay, others get
/// the sample that the rule finds for them, where it is one.
Strings as_samples(Strings ids, const Strings& samples, const IdRule& rule);

/// A rule by which views have many more samples in common than by their ids as they are.
struct IdProposal {
  std::string rule;       // "tcga-patient"
  std::string evidence;   // "ids agree in their first 12 characters: 348 of 348"
  Index exact = 0;        // ids that are in another view too, as they are
  Index matched = 0;      // by the rule
  Index of = 0;           // ids in all views
  bool repeated = false;  // views have several rows of a sample by the rule
};

/// Nothing where the ids match as they are, or no rule matches many more.
std::optional<IdProposal> propose_id_rule(const std::vector<View>& views);

/// The error where nobody said whether the proposed rule holds.
InputError id_question(const IdProposal& proposal);

/// InputError where tables without ids come from several files: nothing says that row i of one is
/// row i of the other. With `match_rows` rows are matched by position, which needs as many in each;
/// they get the numbers of the first.
void match_numbered_rows(std::vector<View>& views, bool match_rows);

}  // namespace mkc
