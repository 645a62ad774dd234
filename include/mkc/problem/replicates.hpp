#pragma once

#include "mkc/problem/view.hpp"

namespace mkc {

/// What to do with several rows of one sample. `broad` chooses among TCGA aliquots as the Broad
/// Institute's GDAC does (docs/reference/samples.md).
enum class Replicates { error, first, mean, broad };
const Strings& replicates_names();  // in the order of the enumeration

/// One row per sample, the rows of one sample merged as asked; InputError where that is refused,
/// with the names of the rows in the file. The mean of single cells is over the rows that have
/// them; of a kernel it is the kernel of the means; of a column of words it is the most frequent
/// word, of several the first row's.
void merge_replicates(View& view, Replicates policy);

}  // namespace mkc
