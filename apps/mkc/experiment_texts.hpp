#pragma once

#include <map>
#include <string>

namespace mkc::app {

/// The files of experiments/, by name without extension.
const std::map<std::string, std::string>& experiment_texts();

}  // namespace mkc::app
