#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "mkc/base/hint.hpp"

namespace mkc {

/// Input that cannot be worked on. what() says what is wrong and where, hint() how to mend it.
class InputError : public std::invalid_argument {
 public:
  explicit InputError(const std::string& what, Hint hint = {})
      : std::invalid_argument(what), hint_(std::move(hint)) {}
  const Hint& hint() const noexcept { return hint_; }

 private:
  Hint hint_;
};

/// A name or an option that does not exist, or a value outside its range.
class OptionError : public InputError {
 public:
  using InputError::InputError;
};

/// The user asked to stop before there was anything to keep.
class InterruptedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The work would need more memory than allowed, or than there is.
class MemoryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A result could not be written: full disk, no permission, ... what() names the path and reason.
struct OutputError : std::runtime_error {
  OutputError(const std::string& path, const std::string& reason)
      : std::runtime_error("cannot write '" + path + "': " + reason) {}
};

}  // namespace mkc
