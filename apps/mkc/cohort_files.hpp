#pragma once

#include "mkc/files/output_folder.hpp"
#include "problem/synthetic_cohort.hpp"

namespace mkc::app {

/// Writes a simulated cohort as files that a user would have: a table per assay, features in rows
/// and aliquots in columns, and clinical.csv with one row per patient.
void write_cohort(io::OutputFolder& folder, const Cohort& cohort);

}  // namespace mkc::app
