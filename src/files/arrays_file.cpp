#include "files/arrays_file.hpp"

#include <fmt/format.h>

#include "formats/npz.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

// Arrays of a file: kinds, and of every kind <kind>_words (pairs: key, word), <kind>_keys, and the
// matrices <kind>_0, <kind>_1, ...
constexpr const char* kinds_name = "kinds";

std::string name_of(const std::string& kind, const std::string& what) { return kind + "_" + what; }

}  // namespace

void write_arrays(const std::string& path, const std::vector<factor::Arrays>& objects) {
  NpzWriter npz(path);
  Strings kinds;
  for (const auto& object : objects) kinds.push_back(object.kind);
  npz.add(kinds_name, kinds);
  for (const auto& object : objects) {
    Strings words, keys;
    for (const auto& [key, word] : object.words) {
      words.push_back(key);
      words.push_back(word);
    }
    for (const auto& [key, matrix] : object.matrices) keys.push_back(key);
    npz.add(name_of(object.kind, "words"), words);
    npz.add(name_of(object.kind, "keys"), keys);
    for (std::size_t i = 0; i < keys.size(); ++i)
      npz.add(name_of(object.kind, std::to_string(i)), object.matrices[i].second);
  }
  npz.close();
}

std::vector<factor::Arrays> read_arrays(const std::string& path, const std::string& wanted) {
  const NpzReader npz(path);
  const auto strings = [&](const std::string& name) {
    return take_strings(npz.read(name), path + ":" + name);
  };
  std::vector<factor::Arrays> objects;
  for (const auto& kind : strings(kinds_name)) {
    if (!wanted.empty() && kind != wanted) continue;
    factor::Arrays object;
    object.kind = kind;
    const Strings words = strings(name_of(kind, "words"));
    if (words.size() % 2 != 0)
      throw InputError(fmt::format("{}: words of '{}' without a key", path, kind),
                       "the file is damaged: make it again");
    for (std::size_t i = 0; i < words.size(); i += 2)
      object.words.emplace_back(words[i], words[i + 1]);
    std::size_t next = 0;
    for (const auto& key : strings(name_of(kind, "keys"))) {
      const std::string name = name_of(kind, std::to_string(next++));
      object.matrices.emplace_back(key, take_matrix(npz.read(name), path + ":" + name));
    }
    objects.push_back(std::move(object));
  }
  return objects;
}

}  // namespace mkc::io
