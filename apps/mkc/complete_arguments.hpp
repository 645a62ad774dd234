#pragma once

#include <memory>

#include "arguments.hpp"
#include "completion_cost.hpp"
#include "factor_arguments.hpp"
#include "label_arguments.hpp"
#include "option_record.hpp"
#include "report_out.hpp"

namespace mkc::app {

/// Arguments of `mkc complete`.
struct CompleteArguments {
  ViewArguments input;
  TerminalArguments terminal;
  ReportArguments report;
  std::string output;
  LabelArguments labels;
  std::string method = default_method;
  std::string budget;
  std::string form = "auto";
  FactorArguments factor;
  std::string format = "npz";
  std::string memory;
  std::string model;
  std::uint64_t seed = 0;
  int threads = 0;
  bool fitted = false;
  bool quality = false;
  bool force = false;
  bool strict = false;
  bool dry_run = false;
  std::shared_ptr<const CommandRecord> options;  // all of the above as declared
};

}  // namespace mkc::app
