#pragma once

#include <memory>

#include "files/place_of_step.hpp"
#include "files/plan_folder.hpp"
#include "files/shard_part.hpp"
#include "mkc/base/error.hpp"
#include "mkc/files/pending_file.hpp"

/// What all steps of a plan do with fits and parts.
namespace mkc::io {

/// The fit in a file, "": the one before any round. InputError where it is of another plan.
factor::Model read_fit(const PlanFolder& folder, const std::string& path);

/// The same, for sums of this round. OptionError where another round is next.
factor::Model fit_for_round(const PlanFolder& folder, const std::string& path, Index round);

/// The same, with all rounds done.
factor::Model finished_fit(const PlanFolder& folder, const std::string& path);

/// The sums in a file.
factor::Moments read_moments(const std::string& path);

/// Where a step writes its file; none where the file is there and of this step.
std::unique_ptr<PendingFile> file_of_step(const std::string& output, bool force,
                                          const PartRecord& part);

/// Ends a step whose record is in the file `part_file`. Schedulers repeat jobs that they believe
/// dead: where another process ended the same step meanwhile, its output stays. Returns whether
/// this one was taken.
template <class Output>
bool commit_step(Output& output, const std::string& part_file, const PartRecord& part) {
  if (output.commit_unless_there()) return true;
  if (!is_there(part_file, part))
    throw OptionError("output '" + part_file + "' appeared meanwhile, from another step",
                      "give every step an output of its own");
  return false;
}

/// Writes the objects of a step into one file, whole or not at all.
bool write_step(const PartRecord& part, const factor::Arrays& object, PendingFile& file);

}  // namespace mkc::io
