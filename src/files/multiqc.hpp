#pragma once

#include "mkc/problem/assemble.hpp"
#include "mkc/problem/result.hpp"

namespace mkc::io {

/// A section for a report of MultiQC, which finds files of this name by itself: one row per view of
/// the result, named after it (`name`) and the view.
inline constexpr const char* multiqc_file = "mkc_mqc.json";
std::string multiqc_section(const std::string& name, const Problem& problem,
                            const Completion& completion);

}  // namespace mkc::io
