#pragma once

#include <functional>
#include <string>

namespace mkc::test {

/// Expects an InputError whose message contains `part`.
void expect_message(const std::function<void()>& action, const std::string& part);

}  // namespace mkc::test
