#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "mkc/problem/assemble.hpp"
#include "mkc/problem/inspection.hpp"

namespace mkc::app {

/// What is in one file, before a kernel is computed.
struct FileFacts {
  std::string name, source, samples_in, kind;
  Index samples = 0, features = 0, missing_cells = 0;
  ViewSummary summary;  // for the line on its samples
};

/// Everything `mkc inspect` shows.
struct Inspection {
  std::vector<FileFacts> files;
  Strings notices;
  Alignment alignment;
  std::optional<Assembled> assembled;  // none if kernels cannot be computed
  std::vector<KernelCheck> kernels;
  std::string error, hint;   // why `mkc complete` would stop, or ""
  bool is_question = false;  // it asks which samples belong together: `alignment` is empty
  std::string command;       // that answers the question, or ""
};

/// Text: files, samples in common, patterns, map, kernels, and what `mkc complete` would do.
std::string inspection_text(const Inspection& found, const std::string& method);

/// The same as JSON.
nlohmann::ordered_json inspection_json(const Inspection& found, const std::string& method);

}  // namespace mkc::app
