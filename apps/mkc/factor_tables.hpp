#pragma once

#include "files/factor_folder.hpp"

/// What `mkc complete` prints in factor form.
namespace mkc::app {

/// One line per view: samples, missing samples, rank, trace error, kernel.
std::string factor_view_table(const io::FactorRecord& record, Index n_samples);

/// Per view: errors of hidden rows beside those of simpler answers, and the verdict.
std::string factor_quality_table(const io::FactorRecord& record,
                                 const factor::FactorQuality& quality, Index n_samples);

/// "20 s", "12 min", "3.5 h"
std::string rough_time(double seconds);

}  // namespace mkc::app
