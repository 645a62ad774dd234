#pragma once

#include <string>
#include <string_view>

#include "mkc/problem/view.hpp"

namespace mkc {

/// What two spellings of one id have in common: lower case, no blanks at the ends, and one '-' for
/// every run of blanks, '.', '-' and '_'. R's make.names turns "TCGA-02 01" into "TCGA.02.01".
std::string spelling_key(std::string_view id);

/// The ending "_rna" that all ids share, from its separator on; "" where there is none.
std::string common_suffix(const Strings& ids);

/// The beginning "rna_" that all ids share, with its separator; "" where there is none.
std::string common_prefix(const Strings& ids);

/// Gives one id to the ids of several views that differ only in spelling or by an ending or a
/// beginning that all ids of a view share: the spelling of the first view, without them. Returns a
/// sentence on what it did, or "".
std::string normalize_ids(std::vector<View>& views);

/// A sentence where normalize_ids would find more samples to be the same, naming some; else "".
std::string spelling_differences(const std::vector<View>& views);

}  // namespace mkc
