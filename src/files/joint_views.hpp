#pragma once

#include "files/factor_folder.hpp"
#include "files/joint_source.hpp"

namespace mkc::io {

/// Gives a mask and a list of samples the names that these views have.
using NameSamples = std::function<void(AssembleOptions& options, const std::vector<View>& views)>;

/// Aligns views for completion in factor form, and records what a result says of them.
JointSource join_views(LargeViews large, AssembleOptions options, const NameSamples& name_samples,
                       FactorRecord& record);

}  // namespace mkc::io
