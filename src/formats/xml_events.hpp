#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

struct XML_ParserStruct;  // expat's parser

namespace mkc::io {

/// The attributes of an element, in the memory of the parser.
class XmlAttributes {
 public:
  explicit XmlAttributes(const char** list) : list_(list) {}

  /// The value of an attribute, found without its namespace prefix; "" where there is none.
  std::string_view get(std::string_view name) const;

 private:
  const char** list_;
};

/// What a document holds, in its order. Names are without namespace prefix; a text may come in
/// several pieces.
struct XmlEvents {
  std::function<void(std::string_view name, const XmlAttributes& attributes)> start;
  std::function<void(std::string_view text)> text;
  std::function<void(std::string_view name)> end;
};

/// Parses a document piece by piece. InputError, which begins with `where` and names the line, for
/// what is not well-formed, and for a document type: without it there are no entities to expand.
class XmlParser {
 public:
  XmlParser(std::string where, const XmlEvents& events);
  XmlParser(const XmlParser&) = delete;
  XmlParser& operator=(const XmlParser&) = delete;

  void feed(const char* bytes, std::size_t count, bool last);

 private:
  struct Free {
    void operator()(XML_ParserStruct* parser) const noexcept;
  };
  template <class Action>
  static void guarded(void* self, Action action) noexcept;

  std::string where_;
  const XmlEvents& events_;
  std::exception_ptr thrown_;  // by an event: expat is C and must not be unwound
  std::unique_ptr<XML_ParserStruct, Free> parser_;
};

}  // namespace mkc::io
