#pragma once

#include <optional>

#include "complete_arguments.hpp"

/// The two forms of a completion: dense kernels in memory, or factors of kernels, block by block.
namespace mkc::app {

const Strings& form_names();  // auto, dense, factor

/// Bytes that the process may use: --memory, or what is in use and left now.
double allowed_bytes(const CompleteArguments& arguments);

/// OptionError for options that the form asked for does not have.
void check_form(const CompleteArguments& arguments);

/// Whether factor form may be taken and tables may be left in their files.
bool may_read_blocks(const CompleteArguments& arguments);

/// Before anything is read: whether the tables are too large to be held in memory as they are.
bool tables_too_large(const CompleteArguments& arguments);

/// The samples and kernels that these views will have, at most.
RunSize size_of(const Input& input);

/// Peak memory of the dense form.
double dense_bytes(const CompleteArguments& arguments, const Input& input);

/// Why the kernels are not completed in the dense form; nothing where they are. MemoryError where
/// only the dense form may be taken and does not fit.
std::optional<std::string> why_factor_form(const CompleteArguments& arguments, const Input& input,
                                           Terminal& terminal);

}  // namespace mkc::app
