#pragma once

#include "mkc/factor/completed_factors.hpp"
#include "mkc/files/model_file.hpp"

namespace mkc::io {

/// What `mkc complete --form factor --save-model` stores: plan, model and how columns are read.
struct FactorModel {
  SavedModel views;  // names and recipes of the views, and the run; it has no samples and kernels
  factor::Plan plan;
  factor::Model model;
};

/// One NPZ file, the same model the same bytes. OutputError where the disk refuses.
void write_factor_model(const std::string& path, const FactorModel& model);

/// Whether the file is a model in factor form.
bool is_factor_model(const std::string& path);

/// InputError for a file that is damaged, or was made by another version of mkc.
FactorModel read_factor_model(const std::string& path);

/// Factors of new samples in all views. Together with those of training they give the kernel
/// between new and training samples, F_new F'. InputError as match_new_samples(), and for rows of
/// kernels.
factor::CompletedFactors complete_new_samples(const FactorModel& model,
                                              const std::vector<NewTable>& tables);

}  // namespace mkc::io
