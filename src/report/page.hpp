#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace mkc::report {

/// JSON for the inside of <script>: nothing in it can end the element or begin another one. ASCII
/// only; bytes that are not UTF-8 are replaced.
std::string script_json(const nlohmann::ordered_json& data);

/// Text inside an element or an attribute of HTML.
std::string html_escaped(std::string_view text);

/// The template with style, chart library, data and script in it; the title is data["title"].
std::string assemble_page(const nlohmann::ordered_json& data);

}  // namespace mkc::report
