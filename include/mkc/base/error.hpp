#pragma once

#include <stdexcept>
#include <string>

#include "mkc/base/hint.hpp"

namespace mkc {

// Messages hold names and paths of users. In all of them, what() is one line that is safe to show
// on a terminal: characters that would steer it are escaped.

/// Input that cannot be worked on. what() says what is wrong and where, hint() how to fix it.
class InputError : public std::invalid_argument {
 public:
  explicit InputError(const std::string& what, Hint hint = {});
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
  explicit InterruptedError(const std::string& what);
};

/// The work would need more memory than allowed, or than there is.
class MemoryError : public std::runtime_error {
 public:
  explicit MemoryError(const std::string& what, Hint hint = {});
  const Hint& hint() const noexcept { return hint_; }

 private:
  Hint hint_;
};

/// A result could not be written: full disk, no permission, ... what() names the path and reason.
struct OutputError : std::runtime_error {
  OutputError(const std::string& path, const std::string& reason);
};

}  // namespace mkc
