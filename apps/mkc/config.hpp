#pragma once

#include <filesystem>
#include <memory>

#include "mkc/files/view_spec.hpp"
#include "option_record.hpp"

namespace mkc::app {

/// Sets the given options of a command from a TOML file: `key = value` for an option, [[view]]
/// tables for the views. Paths are relative to the file. Keys of other commands are ignored.
/// OptionError with the line for a key that no command has or a value out of range.
void apply_config(const std::string& path, const std::vector<const OptionRecord*>& unset,
                  const std::vector<std::shared_ptr<CommandRecord>>& commands);

/// The configuration that repeats this run, as TOML for a file in `folder`: the views and every
/// option of the command that affects the result. The methods, at least one, are written as given
/// here. Relative paths are written relative to the folder.
std::string effective_config(const CommandRecord& command, const Strings& methods,
                             const std::vector<io::ViewSpec>& views,
                             const std::filesystem::path& folder);

}  // namespace mkc::app
