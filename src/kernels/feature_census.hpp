#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// What the type of features is decided by. Missing cells, rows of zeros and constant columns do
/// not count; "median over columns" is over at most 1,000 columns.
struct FeatureCensus {
  Index columns = 0;             // that are not constant
  Index constant = 0;            // columns with one value
  Index nearly_constant = 0;     // of the others: 95 % of the rows or more have the same value
  bool whole = true;             // all values are whole numbers
  double low = 0, high = 0;      // smallest and largest value
  Index distinct = 0;            // different values, counted up to 13
  double zeros = 0;              // share of cells
  double ones = 0;               // share of the cells that are not zero
  double median_of_nonzero = 0;  // of the sizes of the values that are not zero
  double top_of_nonzero = 0;     // the size that 1 % of them exceed
  double smallest_sum = 0, largest_sum = 0;  // of the rows
  double sums_of_1 = 0, sums_of_100 = 0;     // share of rows that add up to 1, to 100, within 2 %
  double unit_spread = 1;                    // q90 / q10 of the standard deviations of columns
  double asymmetry = 1;  // median over columns of (q95 - q50) / (q50 - q05), at most most_asymmetry
  double tails = 2.4;    // median over columns of (q95 - q05) / (q75 - q25); 2.4 is normal
};

constexpr double most_asymmetry = 1000;

FeatureCensus census_of(const MatrixRef& X);  // (n, d); NaN where a cell is missing

}  // namespace mkc
