#include "files/shard_part.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "factor/archive.hpp"
#include "files/private_folder.hpp"
#include "mkc/base/error.hpp"
#include "mkc/version.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::io {

template <class Archive>
void fields(Archive& archive, SiteRecord& site) {
  archive("name", site.name);
  archive("tables", site.tables);
  archive("samples", site.samples);
  archive("columns", site.columns);
}

namespace {

constexpr const char* kind = "part";

template <class Archive>
void all_fields(Archive& archive, PartRecord& part) {
  archive("mkc", part.version);
  archive("blas", part.blas);
  archive("what", part.what);
  archive("plan", part.plan);
  archive("fit", part.fit);
  archive("round", part.round);
  archive("shard", part.shard.number);
  archive("shards", part.shard.count);
  archive("sites", part.sites);
  archive("made", part.made);
  archive("completed", part.completed);
  archive("unknown", part.unknown);
  archive("digests", part.digests);
}

std::string name_of_what(const std::string& what) {
  if (what == "moments") return "moments of a shard";
  if (what == "fit") return "a fit";
  if (what == "rows") return "completed rows of a shard";
  return fmt::format("'{}'", shown(what));
}

std::string joined(const Strings& shards) {
  return shards.size() == 1 ? "shard " + shards.front() + " is"
                            : fmt::format("shards {} are", fmt::join(shards, ", "));
}

}  // namespace

Shard parse_shard(const std::string& text) {
  const auto slash = text.find('/');
  double number = 0, count = 0;
  const bool numbers = slash != std::string::npos && parse_number(text.substr(0, slash), number) &&
                       parse_number(text.substr(slash + 1), count);
  constexpr double most = 1e6;
  if (!numbers || !(count >= 1 && count <= most && number >= 1 && number <= count) ||
      number != std::floor(number) || count != std::floor(count))
    throw OptionError(fmt::format("--shard: '{}' is not a shard", shown(text)),
                      "the third of seven is 3/7");
  return {static_cast<Index>(number), static_cast<Index>(count)};
}

std::string shard_text(const Shard& shard) {
  return fmt::format("{}/{}", shard.number, shard.count);
}

bool PartRecord::same_step(const PartRecord& other) const {
  return what == other.what && version == other.version && plan == other.plan && fit == other.fit &&
         round == other.round && shard == other.shard && sites == other.sites;
}

PartRecord new_part(const std::string& what, const std::string& plan, const std::string& fit) {
  PartRecord part;
  part.what = what;
  part.version = version;
  part.blas = linalg::blas_name();
  part.plan = plan;
  part.fit = fit;
  return part;
}

factor::Arrays to_arrays(const PartRecord& part) {
  factor::Arrays arrays{kind, {}, {}};
  factor::Writer writer(arrays);
  all_fields(writer, const_cast<PartRecord&>(part));  // a Writer only reads
  return arrays;
}

factor::Arrays read_object(const std::string& path, const std::string& wanted) {
  try {
    auto objects = read_arrays(path, wanted);
    if (!objects.empty()) return std::move(objects.front());
  } catch (const InputError& error) {
    throw InputError(fmt::format("{} is not whole: {}", path, error.what()),
                     "copy it again, or repeat the step that makes it");
  }
  throw InputError(fmt::format("{}: there is no '{}' in it", path, wanted),
                   "give a file that 'mkc moments' or 'mkc merge' wrote");
}

PartRecord read_part(const std::string& path, const std::string& what, const std::string& plan) {
  factor::Arrays arrays = read_object(path, kind);
  PartRecord part;
  if (const std::string& made_by = arrays.word("mkc"); made_by != version)
    throw InputError(fmt::format("{}: made by mkc {}, this is mkc {}", path, made_by, version),
                     "use one version for all steps of a plan");
  try {
    factor::Reader reader(std::move(arrays));
    all_fields(reader, part);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{} is not whole: {}", path, error.what()),
                     "copy it again, or repeat the step that makes it");
  }
  if (part.what != what)
    throw InputError(
        fmt::format("{} holds {}, not {}", path, name_of_what(part.what), name_of_what(what)),
        "give the output of the step that makes it");
  if (!plan.empty() && part.plan != plan)
    throw InputError(fmt::format("{}: it belongs to another plan", path),
                     "repeat its step with this plan, or give the plan that it was made with");
  return part;
}

bool is_there(const std::string& path, const PartRecord& step) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  try {
    return read_part(path, step.what, step.plan).same_step(step);
  } catch (const InputError&) {
    return false;  // something else: it is not replaced unasked
  }
}

bool is_done(const std::string& output, const std::string& file, const PartRecord& step) {
  if (!is_there(file, step)) return false;
  clean_up_beside(std::filesystem::absolute(output));
  return true;
}

void check_shards(const std::vector<GivenPart>& parts) {
  const PartRecord& first = parts.front().record;
  std::map<Index, std::string> seen;
  for (const auto& [path, record] : parts) {
    if (record.shard.count != first.shard.count)
      throw InputError(fmt::format("{} is shard {}, {} is shard {}", parts.front().path,
                                   shard_text(first.shard), path, shard_text(record.shard)),
                       "the shards of a round have one count");
    const auto [other, is_new] = seen.emplace(record.shard.number, path);
    if (!is_new)
      throw InputError(fmt::format("shard {} is there twice: {} and {}", shard_text(record.shard),
                                   other->second, path),
                       "give every shard once");
  }
  Strings missing;
  for (Index number = 1; number <= first.shard.count; ++number)
    if (!seen.contains(number)) missing.push_back(shard_text({number, first.shard.count}));
  if (!missing.empty())
    throw InputError(fmt::format("{} missing", joined(missing)), "give the parts of all shards");
}

std::vector<SiteRecord> check_sites(std::vector<GivenPart>& parts,
                                    const std::vector<SiteRecord>& before) {
  const auto site_of = [](const GivenPart& part) -> const SiteRecord& {
    return part.record.sites.front();
  };
  for (const auto& part : parts)
    if (part.record.sites.size() != 1)
      throw InputError(part.path + ": not the sums of a site",
                       "mkc moments plan --site NAME VIEW...");
  std::sort(parts.begin(), parts.end(), [&](const GivenPart& a, const GivenPart& b) {
    return site_of(a).name < site_of(b).name;
  });
  std::vector<SiteRecord> sites;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const SiteRecord& site = site_of(parts[k]);
    if (k > 0 && site_of(parts[k - 1]).name == site.name)
      throw InputError(fmt::format("site '{}' is there twice: {} and {}", shown(site.name),
                                   parts[k - 1].path, parts[k].path),
                       "give every site once, under a name of its own");
    for (std::size_t m = 0; m < site.columns.size(); ++m) {
      const std::string &one = site_of(parts.front()).columns[m], &other = site.columns[m];
      if (!one.empty() && !other.empty() && one != other)
        throw InputError(fmt::format("{} and {}: view {} has other names of columns",
                                     parts.front().path, parts[k].path, m + 1),
                         "all sites have the same columns in the same order");
    }
    sites.push_back(site);
  }
  for (const auto& earlier : before) {
    const auto found = std::find_if(sites.begin(), sites.end(), [&](const SiteRecord& site) {
      return site.name == earlier.name;
    });
    if (found == sites.end())
      throw InputError(
          fmt::format("site '{}' is missing: its sums are in the fit before", shown(earlier.name)),
          "give them, or begin again without this site");
    if (*found != earlier)
      throw InputError(fmt::format("site '{}': its tables are not those of the round before",
                                   shown(earlier.name)),
                       "begin again with the first round");
  }
  if (!before.empty() && sites.size() > before.size())
    for (const auto& site : sites)
      if (std::find(before.begin(), before.end(), site) == before.end())
        throw InputError(fmt::format("site '{}' has no part in the fit before", shown(site.name)),
                         "leave it out, or begin again with it");
  return sites;
}

}  // namespace mkc::io
