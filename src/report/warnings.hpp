#pragma once

#include "report/result_files.hpp"

namespace mkc::report {

/// One sentence for the first screen.
struct Warning {
  enum class Kind { serious, note, log };  // log: a note of the run
  Kind kind;
  std::string text;
};

/// What a user should know before using the completed kernels, the serious ones first.
std::vector<Warning> completion_warnings(const ResultFiles& files);

/// Adds the notes of the run.
void add_notices(const Json& meta, std::vector<Warning>& warnings);

/// [{"kind": "serious", "text": ...}, ...]
Json warnings_json(const std::vector<Warning>& warnings);

}  // namespace mkc::report
