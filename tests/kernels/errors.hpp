#pragma once

#include <gtest/gtest.h>

#include <string>

#include "mkc/base/error.hpp"

namespace mkc::test {

/// what() and hint() of the InputError that `action` throws, as "what | hint".
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return std::string(error.what()) + " | " + error.hint().text();
  }
  ADD_FAILURE() << "no InputError";
  return {};
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace mkc::test
