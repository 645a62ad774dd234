#include "files/combination_file.hpp"

#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/files.hpp"
#include "formats/sha256.hpp"
#include "mkc/base/error.hpp"
#include "mkc/version.hpp"

namespace mkc::io {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "mkc-combination-1";

const Hint combine_writes = {{"command", "combine", "writes the kernel and this file beside it"}};

Combination parsed(const Json& json) {
  Combination found;
  const Json& views = json.at("views");
  const auto n_views = static_cast<Index>(views.size());
  found.weights = found.variances = found.factors = Vector(n_views);
  for (Index m = 0; m < n_views; ++m) {
    const Json& view = views.at(at(m));
    found.views.push_back(view.at("name"));
    found.weights(m) = view.at("weight");
    found.variances(m) = view.at("variance");
    found.factors(m) = view.at("factor");
  }
  found.weighting = json.at("weights");
  found.scale = json.at("scale");
  found.labels = json.at("labels");
  found.label_type = json.at("label_type");
  found.n_samples = json.at("n_samples");
  found.samples = json.at("samples_sha256");
  found.model = json.value("model", "");
  return found;
}

}  // namespace

std::string digest_of_samples(const Strings& samples) {
  std::string text;
  for (const auto& id : samples) text += sha256_of_bytes(id);
  return sha256_of_bytes(text);
}

std::string combination_path(const std::string& kernel_path) { return kernel_path + ".json"; }

bool is_combination(const std::string& path) {
  const Json json = Json::parse(read_if_there(path), nullptr, false);
  return json.is_object() && json.contains("format") && json["format"] == format_name;
}

std::string combination_json(const Combination& combination, const RunRecord& record,
                             const std::string& kernel, const NewDiagonal& diagonal) {
  Json views = Json::array(), inputs = Json::array();
  for (Index m = 0; m < combination.weights.size(); ++m)
    views.push_back({{"name", combination.views[at(m)]},
                     {"weight", combination.weights(m)},
                     {"variance", combination.variances(m)},
                     {"factor", combination.factors(m)}});
  for (const auto& file : record.inputs)
    inputs.push_back({{"path", file.path}, {"sha256", file.sha256}});
  Json json = {{"format", format_name},
               {"mkc_version", version},
               {"created", record.created},
               {"command", "combine"},
               {"command_line", record.command_line},
               {"weights", combination.weighting},
               {"scale", combination.scale},
               {"labels", combination.labels},
               {"label_type", combination.label_type},
               {"views", views},
               {"n_samples", combination.n_samples},
               {"samples_sha256", combination.samples},
               {"kernel_sha256", sha256_of_file(kernel)},
               {"inputs", inputs}};
  if (!combination.model.empty()) json["model"] = combination.model;
  for (const auto& [sample, value] : diagonal) json["diagonal"][sample] = value;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Combination read_combination(const std::string& kernel_path) {
  const std::string path = combination_path(kernel_path);
  for (const auto& file : {kernel_path, path})
    if (std::error_code error; !std::filesystem::is_regular_file(file, error))
      throw InputError(fmt::format("there is no file '{}'", file), combine_writes);
  const Json json = Json::parse(read_whole_file(path), nullptr, false);
  try {
    if (json.at("format") != format_name)
      throw InputError(fmt::format("{}: it is not the description of a combined kernel", path),
                       combine_writes);
    if (json.at("kernel_sha256") != sha256_of_file(kernel_path))
      throw InputError(fmt::format("'{}' has changed since '{}' was written", kernel_path, path),
                       "combine the training kernels again, with --force");
    Combination found = parsed(json);
    if (!found.factors.allFinite() || found.views.empty())
      throw InputError(fmt::format("{}: a factor is not a number", path), combine_writes);
    return found;
  } catch (const nlohmann::json::exception&) {
    throw InputError(fmt::format("{}: it is not the description of a combined kernel", path),
                     combine_writes);
  }
}

}  // namespace mkc::io
