#pragma once

#include "files/factor_folder.hpp"
#include "files/joint_source.hpp"
#include "mkc/files/shards.hpp"

/// Several sites that may not share rows complete their tables with one model
/// (docs/distributed.md): a plan of rows that everyone may see, sums of each site's rows in files
/// that the sites send, and their merger, which is the model of all rows together.
namespace mkc::io {

/// Sums of a site's rows for the round after `fit` ("": the first). Returns whether they were made.
/// OptionError where the plan is one of a site's own rows, InputError where the tables are not
/// those of the plan: other views, columns or names of columns.
bool compute_site_moments(const std::string& plan, Index round, const std::string& fit,
                          const std::string& site, const JointSource& source,
                          const std::string& output, bool force, const RunOptions& run);

/// A site's tables completed by a finished fit: the result folder of `mkc complete --form factor`.
/// `record`: how the tables were read.
void complete_site(const std::string& plan, const std::string& fit, const JointSource& source,
                   FactorRecord record, OutputFolder& output, const RunOptions& run);

/// The samples with a pattern of views that fewer than `fewest` have, ascending.
Indices rare_patterns(const factor::Source& source, Index fewest);

/// A plan of the samples that are not listed, in a folder of its own. InputError where one of them
/// is no sample of the plan, or the plan was made on it. Returns how many are left.
Index forget_samples(const std::string& plan, const Strings& samples, OutputFolder& output,
                     const std::string& command_line, int threads);

}  // namespace mkc::io
