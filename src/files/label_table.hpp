#pragma once

#include <utility>

#include "files/labels.hpp"
#include "formats/text_table.hpp"

namespace mkc::io {

/// Labels that a file holds as named columns.
struct LabelColumns {
  Strings ids;  // of the samples; empty where the rows are only numbered
  Index rows = 0;
  std::vector<std::pair<std::string, Strings>> columns;  // name, one word per row
};

/// The table that holds the labels: sample ids in its first column, everything as words.
///
/// From CSV and TSV (also .gz); from a sheet of an Excel workbook, FILE.xlsx:COLUMN or
/// FILE.xlsx:SHEET:COLUMN; from the variables of a MATLAB file, whose samples are those of its
/// variable `samples`; and from obs of AnnData and MuData, where FILE.h5mu:MODALITY/COLUMN is a
/// column of a modality. Labels without ids are taken for the samples in their order only where
/// those are numbered 0, 1, ... and as many, with a notice. `source.column` becomes the name of the
/// column alone.
TextTable read_label_table(LabelSource& source, const Strings& samples, Strings& notices);

}  // namespace mkc::io
