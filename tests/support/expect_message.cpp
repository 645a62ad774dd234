#include "support/expect_message.hpp"

#include <gtest/gtest.h>

#include "mkc/base/error.hpp"

namespace mkc::test {

void expect_message(const std::function<void()>& action, const std::string& part) {
  try {
    action();
    ADD_FAILURE() << "no error; expected one with: " << part;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
        << "message:  " << error.what() << "\nexpected: " << part;
  }
}

}  // namespace mkc::test
