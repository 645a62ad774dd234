#pragma once

#include <string>
#include <string_view>

#include "scratch.hpp"

/// Result folders: a whole one, in which the bytes are one file. Their first byte says which, the
/// others are the file.
namespace mkc::fuzz {

std::string write_into_result(Scratch& scratch, std::string_view bytes);
std::string write_into_factors(Scratch& scratch, std::string_view bytes);  // in factor form
std::string write_into_evaluation(Scratch& scratch, std::string_view bytes);

/// As `mkc report` and `mkc combine` read them.
void read_result_folder(const std::string& folder);
void read_evaluation_folder(const std::string& folder);

}  // namespace mkc::fuzz
