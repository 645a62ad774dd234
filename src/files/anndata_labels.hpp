#pragma once

#include "files/label_table.hpp"

namespace mkc::io {

/// The columns of obs: of the whole object, or of a modality where the column is MODALITY/COLUMN
/// (`source.column` becomes COLUMN alone). Where it names one of them, only that one is read.
LabelColumns labels_of_anndata(LabelSource& source);

}  // namespace mkc::io
