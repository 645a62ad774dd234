#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "formats/dense_size.hpp"
#include "formats/files.hpp"
#include "formats/r_object.hpp"
#include "formats/r_stream.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

using Type = RObject::Type;

constexpr int deepest = 500;  // lists inside lists

/// Types of items, as in "R Internals", section 1.8.
enum Code : unsigned {
  nil_item = 0,
  symbol = 1,
  pairs = 2,
  closure = 3,
  environment = 4,
  promise = 5,
  language = 6,
  special = 7,
  builtin = 8,
  characters = 9,
  logicals = 10,
  integers = 13,
  reals = 14,
  complexes = 15,
  strings = 16,
  dots = 17,
  list = 19,
  expressions = 20,
  byte_code = 21,
  external_pointer = 22,
  weak_reference = 23,
  raw_bytes = 24,
  s4 = 25,
  altrep = 238,
  attribute_pairs = 239,
  attribute_language = 240,
  base_environment = 241,
  empty_environment = 242,
  code_reference = 243,
  code_definition = 244,
  persistent = 247,
  package = 248,
  name_space = 249,
  base_name_space = 250,
  missing_argument = 251,
  unbound = 252,
  global_environment = 253,
  nil = 254,
  reference = 255,
};

constexpr unsigned has_attributes = 1u << 9, has_tag = 1u << 10;
constexpr unsigned is_latin1 = 1u << (12 + 2);

unsigned code_of(unsigned flags) { return flags & 0xffu; }

bool is_pair(unsigned code) {
  return code == pairs || code == language || code == closure || code == promise || code == dots;
}

RObject other(const char* kind) {
  RObject object;
  object.type = Type::other;
  object.kind = kind;
  return object;
}

RObject symbol_named(std::string name) {
  RObject object = other("a symbol");
  object.text = {std::move(name)};
  return object;
}

std::string symbol_name(const RObject& object) {
  return object.type == Type::other && object.text.size() == 1 ? object.text[0] : "";
}

/// Reads items from front to back; each member function is one kind.
class RReader {
 public:
  explicit RReader(const std::string& path) : stream_(path) {}

  RFile read() {
    RFile file;
    file.is_rds = read_header();
    if (file.is_rds) {
      file.objects.emplace_back("", item(0));
      return file;
    }
    const unsigned flags = next_flags();
    if (code_of(flags) != pairs && code_of(flags) != nil)
      stream_.fail("not a list of objects, as save() writes it");
    RObject all = item_of(flags, 0);
    const Strings names = all.words("names");
    for (std::size_t i = 0; i < all.items.size(); ++i)
      file.objects.emplace_back(names[i], std::move(all.items[i]));
    return file;
  }

 private:
  /// True for saveRDS(), false for save().
  bool read_header() {
    char start[2];
    stream_.bytes(start, 2);
    bool rds = true;
    if (start[0] == 'R' && start[1] == 'D') {
      char rest[3];
      stream_.bytes(rest, 3);
      if (rest[0] == 'A') refuse("as text (ascii = TRUE)");
      if (rest[0] != 'X' || (rest[1] != '2' && rest[1] != '3') || rest[2] != '\n') no_r_file();
      rds = false;
      stream_.bytes(start, 2);
    }
    if (start[1] != '\n') no_r_file();
    if (start[0] == 'A') refuse("as text (ascii = TRUE)");
    if (start[0] == 'B') refuse("in the byte order of a machine (xdr = FALSE)");
    if (start[0] != 'X') no_r_file();
    const std::int32_t version = stream_.integer();
    if (version != 2 && version != 3)
      throw InputError(
          fmt::format("{}: version {} of R's format is not read", stream_.path(), version),
          "save it in R with version = 3");
    stream_.integer();  // the version of R that wrote it
    stream_.integer();  // and that is needed
    if (version == 3) {
      const std::int32_t size = stream_.integer();  // of the name of an encoding
      if (size < 0 || size > 64) stream_.fail("the name of the encoding is too long");
      stream_.skip(static_cast<std::uint64_t>(size));
    }
    return rds;
  }

  [[noreturn]] void no_r_file() const {
    throw InputError(stream_.path() + ": not a file of R's saveRDS() or save()", damaged);
  }

  [[noreturn]] void refuse(const char* how) const {
    throw InputError(fmt::format("{}: saved {}, which is not read", stream_.path(), how),
                     "save it in R with the default options of saveRDS() or save()");
  }

  /// A full list is copied into one of twice its size: both are there for a moment.
  template <class Item>
  void append(std::vector<Item>& list, Item value) {
    if (list.size() == list.capacity()) stream_.needs(2 * list.size() * sizeof(Item));
    list.push_back(std::move(value));
  }

  unsigned next_flags() { return static_cast<unsigned>(stream_.integer()); }

  RObject item(int depth) { return item_of(next_flags(), depth); }

  RObject item_of(unsigned flags, int depth) {
    if (depth > deepest) stream_.fail(fmt::format("more than {} lists inside lists", deepest));
    stream_.took(sizeof(RObject));
    const unsigned code = code_of(flags);
    if (is_pair(code) || code == attribute_pairs || code == attribute_language)
      return pair_list(flags, depth);
    switch (code) {
      case nil:
      case nil_item:
        return {};
      case base_environment:
      case empty_environment:
      case base_name_space:
      case missing_argument:
      case unbound:
      case global_environment:
        return other("an environment");
      case reference:
        return referenced(flags >> 8);
      case symbol:
        names_.push_back(name_at(next_flags()));
        return symbol_named(names_.back());
      case persistent:
      case package:
      case name_space:
        return name_of_environment();
      case environment:
        stream_.integer();  // whether it is locked
        names_.emplace_back();
        for (int part = 0; part < 4; ++part) item(depth + 1);
        return other("an environment");
      case external_pointer:
        names_.emplace_back();
        for (int part = 0; part < 2; ++part) item(depth + 1);
        return with_attributes(other("a pointer"), flags, depth);
      case weak_reference:
        names_.emplace_back();
        return with_attributes(other("a reference"), flags, depth);
      case special:
      case builtin:
        stream_.skip(stream_.length());
        return other("a function");
      case byte_code:
        stream_.integer();
        compiled(depth);
        return with_attributes(other("a function"), flags, depth);
      case altrep:
        return alternative(depth);
      default:
        return with_attributes(vector_of(flags, depth), flags, depth);
    }
  }

  RObject vector_of(unsigned flags, int depth) {
    RObject object;
    switch (code_of(flags)) {
      case characters:
        object.type = Type::text;
        object.text = {name_at(flags)};
        return object;
      case logicals:
        object.type = Type::logical;
        object.numbers = stream_.integers(stream_.length());
        return object;
      case integers:
        object.type = Type::numbers;
        object.numbers = stream_.integers(stream_.length());
        return object;
      case reals:
        object.type = Type::numbers;
        object.numbers = stream_.doubles(stream_.length());
        return object;
      case complexes:
        for (std::uint64_t left = stream_.length(); left > 0; --left) stream_.skip(16);
        return other("complex numbers");
      case strings:
        object.type = Type::text;
        for (std::uint64_t left = stream_.length(); left > 0; --left)
          append(object.text, name_at(next_flags()));
        return object;
      case list:
      case expressions:
        object.type = Type::list;
        for (std::uint64_t left = stream_.length(); left > 0; --left)
          append(object.items, item(depth + 1));
        return object;
      case raw_bytes:
        stream_.skip(stream_.length());
        return other("raw bytes");
      case s4:
        return other("an S4 object");
      default:
        stream_.fail(fmt::format("an item of type {}", code_of(flags)));
    }
  }

  RObject with_attributes(RObject object, unsigned flags, int depth) {
    if ((flags & has_attributes) != 0) take_attributes(object, item(depth + 1));
    return object;
  }

  static void add_attribute(RObject& object, const std::string& name, RObject value) {
    object.attribute_names.push_back(name);
    object.attribute_values.push_back(std::move(value));
  }

  static void take_attributes(RObject& object, RObject list) {
    const Strings names = list.words("names");
    for (std::size_t i = 0; i < names.size() && i < list.items.size(); ++i)
      add_attribute(object, names[i], std::move(list.items[i]));
  }

  /// The text of an item that must be characters: -1 is NA.
  std::string name_at(unsigned flags) {
    if (code_of(flags) != characters) stream_.fail("a text is expected");
    const std::int32_t size = stream_.integer();
    if (size < -1) stream_.fail(fmt::format("a text of length {}", size));
    std::string text = "NA";
    if (size >= 0) text = long_text(static_cast<std::size_t>(size));
    if ((flags & is_latin1) != 0) text = from_latin1(text);
    if ((flags & has_attributes) != 0) item(1);
    stream_.took(sizeof(std::string) + text.size());
    return text;
  }

  /// Grows with the bytes that are there, because the size may be wrong.
  std::string long_text(std::size_t size) {
    constexpr std::size_t step = std::size_t{1} << 16;
    std::string text;
    while (text.size() < size) {
      const std::size_t now = std::min(step, size - text.size());
      text.resize(text.size() + now);
      stream_.bytes(text.data() + text.size() - now, now);
      if (now == step) stream_.took(step);
    }
    return text;
  }

  static std::string from_latin1(const std::string& text) {
    std::string utf8;
    for (const char c : text) append_utf8(utf8, static_cast<unsigned char>(c));
    return utf8;
  }

  RObject referenced(std::uint32_t number) {
    const auto place = number == 0 ? static_cast<std::uint32_t>(stream_.integer()) : number;
    if (place == 0 || place > names_.size())
      stream_.fail(fmt::format("reference {} of {}", place, names_.size()));
    const std::string& name = names_[place - 1];
    return name.empty() ? other("an environment") : symbol_named(name);
  }

  RObject name_of_environment() {
    stream_.integer();
    for (std::int32_t left = stream_.integer(); left > 0; --left) name_at(next_flags());
    names_.emplace_back();
    return other("an environment");
  }

  /// A chain of pairs: a list, or the parts of a call or function, which are not kept.
  RObject pair_list(unsigned flags, int depth) {
    RObject chain, names;
    chain.type = Type::list;
    names.type = Type::text;
    const unsigned first = code_of(flags);
    while (true) {
      if ((flags & has_attributes) != 0) item(depth + 1);
      append(names.text, (flags & has_tag) != 0 ? symbol_name(item(depth + 1)) : "");
      RObject value = item(depth + 1);
      if (first == pairs)
        append(chain.items, std::move(value));
      else
        names.text.pop_back();
      stream_.took(sizeof(RObject) + sizeof(std::string));
      flags = next_flags();
      if (!is_pair(code_of(flags))) break;
    }
    item_of(flags, depth + 1);
    if (first != pairs) return other(first == closure ? "a function" : "a call");
    add_attribute(chain, "names", std::move(names));
    return chain;
  }

  /// Code of a function that R compiled: passed over.
  void compiled(int depth) {
    if (depth > deepest) stream_.fail("functions nested too deep");
    item(depth + 1);
    for (std::int32_t left = stream_.integer(); left > 0; --left) {
      const auto type = static_cast<unsigned>(stream_.integer());
      if (type == byte_code)
        compiled(depth + 1);
      else
        compiled_part(type, depth + 1);
    }
  }

  void compiled_part(unsigned type, int depth) {
    if (depth > deepest) stream_.fail("calls nested too deep");
    while (true) {
      if (type == code_reference) {
        stream_.integer();
        return;
      }
      if (type == code_definition) {
        stream_.integer();
        type = static_cast<unsigned>(stream_.integer());
      }
      const bool attributed = type == attribute_language || type == attribute_pairs;
      if (!attributed && type != language && type != pairs) {
        item(depth + 1);
        return;
      }
      if (attributed) item(depth + 1);
      item(depth + 1);  // the tag
      compiled_part(static_cast<unsigned>(stream_.integer()), depth + 1);
      type = static_cast<unsigned>(stream_.integer());
    }
  }

  /// Compact forms (since R 3.5): sequences, numbers that become texts, wrapped vectors.
  RObject alternative(int depth) {
    const RObject info = item(depth + 1);
    RObject state = item(depth + 1);
    RObject attributes = item(depth + 1);
    const std::string kind = info.items.empty() ? "" : symbol_name(info.items[0]);
    RObject object = expanded(kind, state);
    take_attributes(object, std::move(attributes));
    return object;
  }

  RObject expanded(const std::string& kind, RObject& state) {
    if (kind == "compact_intseq" || kind == "compact_realseq") return sequence(state);
    const bool wrapped = kind.starts_with("wrap_"), deferred = kind == "deferred_string";
    if ((!wrapped && !deferred) || state.type != Type::list || state.items.empty())
      stream_.fail(fmt::format("an item of kind '{}'", shown(kind)));
    RObject inner = std::move(state.items[0]);
    if (wrapped) return inner;
    if (inner.type != Type::numbers) stream_.fail("a text that is not made of numbers");
    RObject words;
    words.type = Type::text;
    for (const double number : inner.numbers) {
      stream_.took(sizeof(std::string));
      append(words.text, std::isnan(number) ? "NA" : fmt::format("{:.15g}", number));
    }
    return words;
  }

  RObject sequence(const RObject& state) {
    if (state.type != Type::numbers || state.numbers.size() != 3) stream_.fail("a sequence");
    const double count = state.numbers(0);
    constexpr double most = 0x1p31;  // such a sequence costs nothing in the file
    if (!(count >= 0 && count <= most)) stream_.fail(fmt::format("a sequence of {}", count));
    check_dense_size(2 * static_cast<std::uint64_t>(count), 1, stream_.path());
    RObject object;
    object.type = Type::numbers;
    object.numbers = Vector::LinSpaced(static_cast<Index>(count), 0, std::max(0.0, count - 1));
    object.numbers = (state.numbers(1) + state.numbers(2) * object.numbers.array()).matrix();
    return object;
  }

  RStream stream_;
  Strings names_;  // of symbols, which later items refer to; "" for environments
};

}  // namespace

const RObject* RObject::attribute(std::string_view name) const {
  for (std::size_t i = 0; i < attribute_names.size(); ++i)
    if (attribute_names[i] == name) return &attribute_values[i];
  return nullptr;
}

Strings RObject::words(std::string_view name) const {
  const RObject* value = attribute(name);
  return value != nullptr && value->type == Type::text ? value->text : Strings();
}

bool RObject::is(std::string_view class_name) const {
  const Strings classes = words("class");
  return std::find(classes.begin(), classes.end(), class_name) != classes.end();
}

std::string RObject::description() const {
  if (const Strings classes = words("class"); !classes.empty())
    return fmt::format("an object of class '{}'", shown(classes.back()));
  switch (type) {
    case Type::null:
      return "NULL";
    case Type::numbers:
      return fmt::format("{} numbers", numbers.size());
    case Type::logical:
      return fmt::format("{} logical values", numbers.size());
    case Type::text:
      return fmt::format("{} texts", text.size());
    case Type::list:
      return fmt::format("a list of {}", items.size());
    case Type::other:
      break;
  }
  return kind;
}

RFile read_r_file(const std::string& path) { return RReader(path).read(); }

}  // namespace mkc::io
