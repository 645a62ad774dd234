#pragma once

#include <optional>

#include "mkc/problem/assemble.hpp"
#include "mkc/problem/inspection.hpp"

namespace mkc::app {

/// What is in one file, before any kernel is made.
struct FileFacts {
  std::string name, source, samples_in, kind;
  Index features = 0, missing_cells = 0;  // missing_cells: single missing cells
};

/// Everything `mkc inspect` shows.
struct Inspection {
  std::vector<FileFacts> files;
  Strings notices;
  Alignment alignment;
  std::optional<Assembled> assembled;  // none where kernels cannot be made
  std::vector<KernelCheck> kernels;
  std::string error, hint;  // why `mkc complete` would stop; "" where it would not
};

/// For people: files, samples in common, patterns, map, kernels, and what `mkc complete` would do.
std::string inspection_text(const Inspection& found, const std::string& method);

/// The same for programs.
std::string inspection_json(const Inspection& found, const std::string& method);

}  // namespace mkc::app
