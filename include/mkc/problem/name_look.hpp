#pragma once

#include <string>

#include "mkc/base/types.hpp"

namespace mkc {

/// What names of rows or columns look like, from names that are used all over the field (TCGA
/// barcodes, Ensembl ids) or from their shape (S1, S2, ...; gene1, gene2, ...; words).
struct NameLook {
  enum class Means { nothing, sample, feature };
  Means means = Means::nothing;
  bool certain = false;  // by a naming scheme, not only by shape
  std::string words;     // "TCGA barcodes"
};
NameLook look_of(const Strings& names);

/// What the first cell of a header says on the rows below it: "patient", "gene_id", ...
NameLook look_of_corner(const std::string& corner);

/// Evidence that samples are in rows, or in columns, from the names alone.
struct SideEvidence {
  double rows = 0, columns = 0;   // points
  Strings for_rows, for_columns;  // "the row names are TCGA barcodes"
};
SideEvidence side_evidence(const Strings& rows, const Strings& columns, const std::string& corner);

/// Names are the numbers of their rows: 0, 1, 2, ... or any consecutive whole numbers.
bool are_row_numbers(const Strings& names);

}  // namespace mkc
