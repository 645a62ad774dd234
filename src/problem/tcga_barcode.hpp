#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mkc/base/types.hpp"

namespace mkc {

/// The parts of a TCGA barcode, TCGA-02-0001-01C-01D-0182-01. Those that a shorter one lacks are
/// empty.
struct TcgaBarcode {
  std::string patient;      // "TCGA-02-0001"
  std::string sample_type;  // "01"
  std::string vial;         // "C"
  std::string portion;      // "01"
  std::string analyte;      // "D"
  std::string plate;        // "0182"
  std::string whole;        // all of it, in capitals, with '-'

  std::string sample() const { return patient + "-" + sample_type; }  // "TCGA-02-0001-01"
};

/// Reads a barcode of any length, with '-', '.' or '_' between its parts, in any case. What follows
/// the sample type need not be that of a barcode. Nothing for other ids.
std::optional<TcgaBarcode> parse_tcga_barcode(std::string_view id);

/// "primary tumour" of "01"; "" for a code that is not known.
std::string sample_type_name(const std::string& code);

/// The aliquot that the Broad Institute's GDAC takes of several of one sample (docs/reference/
/// samples.md): the place of the preferred barcode.
std::size_t preferred_aliquot(const std::vector<TcgaBarcode>& aliquots);

}  // namespace mkc
