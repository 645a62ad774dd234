#pragma once

#include <cstdint>

#include "mkc/base/types.hpp"

namespace mkc {

/// One assay of a simulated cohort: features in rows, the aliquots it was made of in columns.
struct CohortAssay {
  std::string name;
  Strings features;
  Strings aliquots;  // barcodes that begin with the id of the patient
  Matrix values;     // (features, aliquots)
};

/// Patients of a simulated cancer study, each in one of three subtypes that differ in all assays
/// and in survival. Every assay lacks some patients.
struct Cohort {
  Strings patients;
  Indices subtype;  // (N) 0, 1, 2
  Vector days;      // (N) to death, or to the last contact
  Indices died;     // (N) 1: death at `days`; 0: alive then
  std::vector<CohortAssay> assays;
};

/// The assays are in the shapes that such studies have: `rna`, counts with whole barcodes;
/// `methylation`, shares in (0, 1) with barcodes cut after the vial and dots for dashes, as R
/// writes them; `protein`, real numbers with barcodes cut after the portion. In each a quarter of
/// the patients is missing; every patient is in at least one.
Cohort make_cohort(Index n_patients = 150, std::uint64_t seed = 1);

}  // namespace mkc
