#pragma once

#include "files/hdf5_guard.hpp"
#include "formats/hdf5.hpp"
#include "mkc/files/view_spec.hpp"

namespace mkc::io {

/// AnnData: X (dense, csr or csc) with the index of obs as samples and of var as features. A
/// selector takes X, obsp/NAME (a kernel) or obsm/NAME (features); without X the matrices of obsp
/// are the views.
void read_anndata(const ViewSpec& spec, const h5::Node& root, const TableSink& sink);

/// MuData: one view per modality, in the order of mod-order. Samples are those of the modality, by
/// the names obsmap gives them. A selector takes a modality, or MODALITY/obsp/NAME and the like.
void read_mudata(const ViewSpec& spec, const h5::Node& root, const TableSink& sink);

/// The views to read: all of the file, or the selected one. InputError where it is not there, or
/// one name is given for several.
Strings choose_views(const ViewSpec& spec, const Strings& names);

/// The index of a table (obs, var).
Strings index_of(const h5::Node& group, const std::string& table);

/// Names of the samples of a modality in the whole object: obsmap holds, for every sample, the row
/// of the modality counted from 1, or 0.
Strings mapped_samples(const h5::Node& root, const std::string& modality, Strings own,
                       const Strings& all);

}  // namespace mkc::io
