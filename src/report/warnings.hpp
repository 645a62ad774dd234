#pragma once

#include "report/result_files.hpp"

namespace mkc::report {

/// One sentence for the first screen.
struct Warning {
  enum class Kind { serious, note, log };  // to mind, good to know, what the run noticed
  Kind kind;
  std::string text;
};

/// What a user should know before using the completed kernels, the serious first.
std::vector<Warning> warnings_of(const ResultFiles& files);

}  // namespace mkc::report
