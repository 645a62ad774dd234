#pragma once

#include <string_view>

/// Files that are part of the program: the page (report/) and the chart library.
namespace mkc::report::embedded {

std::string_view page_template();
std::string_view colours();
std::string_view style();
std::string_view chart_library();
std::string_view script();  // all of report/*.js, in the order of their dependencies

}  // namespace mkc::report::embedded
