#include "formats/xml_events.hpp"

#include <expat.h>

#include <new>

#include <fmt/format.h>

#include "formats/files.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

std::string_view without_prefix(std::string_view name) {
  const auto colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

}  // namespace

std::string_view XmlAttributes::get(std::string_view name) const {
  for (const char** at = list_; *at != nullptr; at += 2)
    if (without_prefix(at[0]) == name) return at[1];
  return {};
}

void XmlParser::Free::operator()(XML_ParserStruct* parser) const noexcept {
  XML_ParserFree(parser);
}

template <class Action>
void XmlParser::guarded(void* self, Action action) noexcept {
  auto& own = *static_cast<XmlParser*>(self);
  if (own.thrown_) return;  // a stopped parser may still report an end
  try {
    action(own.events_);
  } catch (...) {
    own.thrown_ = std::current_exception();
    XML_StopParser(own.parser_.get(), XML_FALSE);
  }
}

XmlParser::XmlParser(std::string where, const XmlEvents& events)
    : where_(std::move(where)), events_(events), parser_(XML_ParserCreate(nullptr)) {
  if (!parser_) throw std::bad_alloc();
  XML_SetUserData(parser_.get(), this);
  XML_SetElementHandler(
      parser_.get(),
      [](void* self, const char* name, const char** attributes) {
        guarded(self, [&](const XmlEvents& on) {
          on.start(without_prefix(name), XmlAttributes(attributes));
        });
      },
      [](void* self, const char* name) {
        guarded(self, [&](const XmlEvents& on) { on.end(without_prefix(name)); });
      });
  XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int length) {
    guarded(self, [&](const XmlEvents& on) { on.text({text, static_cast<std::size_t>(length)}); });
  });
  XML_SetStartDoctypeDeclHandler(
      parser_.get(), [](void* self, const char*, const char*, const char*, int) {
        guarded(self, [&](const XmlEvents&) {
          throw InputError(static_cast<XmlParser*>(self)->where_ + ": has a document type (DTD)",
                           "no program writes one into such files");
        });
      });
}

void XmlParser::feed(const char* bytes, std::size_t count, bool last) {
  const auto status = XML_Parse(parser_.get(), bytes, static_cast<int>(count), last);
  if (thrown_) std::rethrow_exception(thrown_);
  if (status == XML_STATUS_OK) return;
  const XML_Error code = XML_GetErrorCode(parser_.get());
  if (code == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
  throw InputError(fmt::format("{}, line {}: not XML: {}", where_,
                               XML_GetCurrentLineNumber(parser_.get()), XML_ErrorString(code)),
                   damaged);
}

}  // namespace mkc::io
