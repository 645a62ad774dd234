#include "cohort_files.hpp"

#include <fmt/format.h>

#include "formats/tables_out.hpp"

namespace mkc::app {

void write_cohort(io::OutputFolder& folder, const Cohort& cohort) {
  for (const auto& assay : cohort.assays)
    io::write_matrix_csv(folder.path(assay.name + ".csv"), assay.features, assay.aliquots,
                         assay.values, "feature");
  std::string clinical = "patient,subtype,days,died\n";
  for (std::size_t i = 0; i < cohort.patients.size(); ++i)
    clinical +=
        fmt::format("{},{},{},{}\n", cohort.patients[i], static_cast<char>('A' + cohort.subtype[i]),
                    cohort.days(static_cast<Index>(i)), cohort.died[i]);
  io::write_text_file(folder.path("clinical.csv"), clinical);
}

}  // namespace mkc::app
