#pragma once

#include <nlohmann/json.hpp>

#include "mkc/evaluate/cell.hpp"

/// What the cells of evaluations and of experiments have in common.
namespace mkc::io {

/// A number; null, which stands for one that does not exist, is NaN.
double number_at(const nlohmann::ordered_json& object, const char* name);

/// used, status, failure, seconds, peak_mib, views, labels; and back.
void add_result(const CellResult& result, nlohmann::ordered_json& json);
CellResult result_of(const nlohmann::ordered_json& json);

}  // namespace mkc::io
