#include "report/page.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "formats/files.hpp"
#include "formats/sha256.hpp"
#include "report/compact.hpp"
#include "report/embedded.hpp"
#include "report/report.hpp"

namespace mkc::report {

namespace {

// For the content security policy: the browser runs a script only where it has this hash.
std::string script_hash(std::string_view script) {
  const std::string hex = io::sha256_of_bytes(script);
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return "'sha256-" + base64(bytes) + "'";
}

}  // namespace

std::string script_json(const nlohmann::ordered_json& data) {
  const std::string plain =
      data.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  std::string text;
  text.reserve(plain.size());
  // These occur in strings only, where \u means the same.
  for (const char c : plain)
    if (c == '<' || c == '>' || c == '&' || c == '\'')
      text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      text += c;
  return text;
}

std::string html_escaped(std::string_view text) {
  static const std::map<char, std::string_view> entities = {
      {'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  std::string result;
  for (const char c : text)
    if (const auto found = entities.find(c); found != entities.end())
      result += found->second;
    else
      result += c;
  return result;
}

std::string assemble_page(const nlohmann::ordered_json& data) {
  const std::string_view library = embedded::chart_library(), script = embedded::script();
  const std::array<std::pair<std::string_view, std::string>, 6> parts = {{
      {"{{policy}}", script_hash(library) + " " + script_hash(script)},
      {"{{title}}", html_escaped(data.at("title").get<std::string>())},
      {"{{style}}", std::string(embedded::colours()) + std::string(embedded::style())},
      {"{{data}}", script_json(data)},
      {"{{library}}", std::string(library)},
      {"{{script}}", std::string(script)},
  }};
  // One pass over the template: inserted text is not searched again.
  std::string page;
  std::string_view rest = embedded::page_template();
  for (const auto& [mark, content] : parts) {
    const auto place = rest.find(mark);
    if (place == std::string_view::npos)
      throw std::logic_error(fmt::format("the template of the report lacks {}", mark));
    page += rest.substr(0, place);
    page += content;
    rest.remove_prefix(place + mark.size());
  }
  page += rest;
  return page;
}

bool is_report(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return false;
  std::string head(2048, '\0');
  head.resize(std::fread(head.data(), 1, head.size(), io::open_for_reading(file.string()).get()));
  return head.find(R"(<meta name="generator" content="mkc">)") != std::string::npos;
}

}  // namespace mkc::report
