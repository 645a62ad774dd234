#pragma once

#include "mkc/base/types.hpp"
#include "option_record.hpp"

/// Commands that take views or, in their place, the folder of a result: `mkc advise` and
/// `mkc evaluate`.
namespace mkc::app {

/// Whether the only view given is a folder: that of a result.
bool is_stored_result(const Strings& views);

/// OptionError where one of these options, which belong to views that are completed first, is not
/// as it is by default: a stored result is used as it is. --ids also names the samples of other
/// files.
void refuse_options_of_views(const std::vector<OptionRecord>& options);

/// The files of the result that are read, as far as they are there.
Strings stored_inputs(const std::string& folder);

}  // namespace mkc::app
