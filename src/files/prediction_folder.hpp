#pragma once

#include "mkc/files/model_file.hpp"
#include "mkc/files/output_folder.hpp"
#include "mkc/files/result_folder.hpp"

namespace mkc::io {

/// Kernel rows (kernels.npz, or kernels/<view>.tsv.gz), observed.tsv, quality.tsv, meta_info.json.
void write_prediction(OutputFolder& folder, const SavedModel& model, const Strings& samples,
                      const Prediction& prediction, const RunRecord& record, bool tsv);

}  // namespace mkc::io
