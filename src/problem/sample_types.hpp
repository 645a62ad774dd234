#pragma once

#include "mkc/problem/view.hpp"

namespace mkc {

/// Leaves out rows whose TCGA sample type is not among those asked for ("01", "11"). The names that
/// the file has for the rows decide (own_ids); a notice says how many there are. InputError where
/// none is left.
void keep_sample_types(View& view, const Strings& types, Strings& notices);

/// Tumour and normal tissue of a patient are not one sample: InputError where rows of one sample,
/// in one view or in several, have barcodes of different types, whatever gave them the same id.
void check_sample_types(const std::vector<View>& views);

/// InputError where rows of one sample have barcodes of different patients, as a short prefix makes
/// them.
void check_patients(const std::vector<View>& views);

/// Whether an id is of one of these sample types, or of none that is known. True without types.
bool is_of_types(const std::string& id, const Strings& types);

}  // namespace mkc
