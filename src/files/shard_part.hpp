#pragma once

#include "files/arrays_file.hpp"
#include "mkc/files/shards.hpp"

namespace mkc::io {

/// What the sums of a site are of.
struct SiteRecord {
  std::string name;
  std::string tables;  // digest of its rows
  Index samples = 0;
  Strings columns;  // per view, digest of the names of its columns; "" where they have none

  bool operator==(const SiteRecord&) const = default;
};

/// What a file or folder of a sharded run is, stored in it under the kind "part".
struct PartRecord {
  std::string what;           // "moments", "fit" or "rows"
  std::string version, blas;  // that made it
  std::string plan;           // id of the plan folder
  std::string fit;            // id of the model that it was made with
  std::string made;           // of a fit: id of its model
  Index round = 0;            // of moments; rounds done by a fit
  Shard shard;
  std::vector<SiteRecord> sites;  // of moments: the one; of a fit: all; none: shards
  Indices completed, unknown;     // rows: per view, completed rows and those of unknown error
  Strings digests;                // rows: of the files that gathering reads, in their order

  /// Whether both were asked for by the same step of the same plan.
  bool same_step(const PartRecord& other) const;
};

/// One made here and now.
PartRecord new_part(const std::string& what, const std::string& plan, const std::string& fit);

factor::Arrays to_arrays(const PartRecord& part);

/// What is in a file. InputError naming it where it is damaged, something else, made by another
/// version of mkc, or of another plan than this.
PartRecord read_part(const std::string& path, const std::string& what, const std::string& plan);

/// Whether the file is there and was made by this step.
bool is_there(const std::string& path, const PartRecord& step);

/// The same of an output of a step, whose record is in `file`. Then what a process left beside it
/// that was killed after its last write is removed.
bool is_done(const std::string& output, const std::string& file, const PartRecord& step);

/// The object of a kind in a file. InputError naming the file.
factor::Arrays read_object(const std::string& path, const std::string& kind);

/// OptionError naming the shards that are missing or given twice; `parts` of one count.
struct GivenPart {
  std::string path;
  PartRecord record;
};
void check_shards(const std::vector<GivenPart>& parts);

/// The sites of these sums, and the parts in the order of their names. InputError where a site is
/// given twice, two sites have other columns, or they are not those of the fit before with the same
/// tables (`before`: none in the first round).
std::vector<SiteRecord> check_sites(std::vector<GivenPart>& parts,
                                    const std::vector<SiteRecord>& before);

}  // namespace mkc::io
