#include "mkc/base/error.hpp"

#include <utility>

#include "base/text.hpp"

namespace mkc {

InputError::InputError(const std::string& what, Hint hint)
    : std::invalid_argument(printable(what)), hint_(std::move(hint)) {}

InterruptedError::InterruptedError(const std::string& what) : std::runtime_error(printable(what)) {}

MemoryError::MemoryError(const std::string& what, Hint hint)
    : std::runtime_error(printable(what)), hint_(std::move(hint)) {}

OutputError::OutputError(const std::string& path, const std::string& reason)
    : std::runtime_error(printable("cannot write '" + path + "': " + reason)) {}

}  // namespace mkc
