#pragma once

#include <string>

#include "mkc/base/types.hpp"

namespace mkc {

/// What happens to every value of a feature table before its columns are scaled and a kernel is
/// computed.
enum class Transform {
  automatic,  // chosen by the type of the features; none where a kernel is named
  none,
  log,     // log(x), zeros as half of the smallest positive training value of the column
  log1p,   // log(1 + x)
  log2p1,  // log2(1 + x)
  clr,     // log of x + pseudo-count, minus its mean over the row (centred log-ratio)
  tfidf,   // t (1 + log((1 + n) / (1 + n_j))), t = 1 + log(x) where x > 1, else x; feature j is not
           // zero in n_j of the n training samples
  sqrt,    // sqrt(x)
  rank,    // normal score: the normal quantile of the share of training samples with a smaller
           // value, ties counted half
  zscore,  // mean 0, standard deviation 1
  minmax,  // training minimum to 0, maximum to 1
  arcsinh,  // log(x + sqrt(x^2 + 1)), a logarithm that takes negative values
};
const Strings& transform_names();  // in the order of the enumeration
const std::string& transform_name(Transform transform);

/// Every row divided by its sum, times a target, so that samples measured more deeply look like
/// others.
struct LibrarySize {
  enum class Rule { automatic, none, median, number };  // median: of the sums of training rows
  Rule rule = Rule::automatic;
  double value = 1;  // with Rule::number; > 0

  bool operator==(const LibrarySize&) const = default;
};

/// "auto", "none", "median" or a number > 0; anything else is an OptionError naming the option.
LibrarySize library_size_from_text(const std::string& option, const std::string& text);
std::string library_size_to_text(const LibrarySize& size);

/// A transform with what it learnt from training features, so that new samples get the same.
struct FeatureTransform {
  Transform kind = Transform::none;
  double library = 0;  // rows are divided by their sum and multiplied by this; 0: they are not
  // log (1, d): what zeros become. clr (1, 1): the pseudo-count. tfidf (1, d): weights of the
  // features. minmax (2, d): smallest and largest values. rank (n, d): sorted values of every
  // column. zscore (2, d): means and deviations. Others: empty.
  Matrix learnt;

  bool changes_nothing() const { return kind == Transform::none && library == 0; }

  /// `kind` and `size` must not be automatic. `names` (n, or none) is used in messages.
  static FeatureTransform fit(const MatrixRef& X, Transform kind, const LibrarySize& size,
                              const Strings& names = {});
  /// InputError where a value is outside the domain of the transform; `columns` (d, or none) is
  /// used in its message.
  Matrix apply(const MatrixRef& X, const Strings& names = {}, const Strings& columns = {}) const;
};

}  // namespace mkc
