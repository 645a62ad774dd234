#include "mkc/problem/zero_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "mkc/base/error.hpp"
#include "mkc/kernels/feature_type.hpp"

namespace mkc {

namespace {

using Counts = Eigen::Array<Index, Eigen::Dynamic, 1>;

// Where nine in ten of the others have fewer zeros than `dense`, a row of zeros is not one of
// them; where the sparsest tenth of them has more than `sparse`, it may well be. Of whole numbers,
// such as counts, mutations or copy numbers, zero is a value like others.
constexpr double dense = 0.5, sparse = 0.9, sparse_whole = 0.5;
// Zero rows to expect if columns were independent: below `none` there are none, from `some` on
// they are no surprise. Decides for tables of few columns.
constexpr double none = 0.01;
constexpr double some = 1;
constexpr Index few_rows = 10;  // show nothing about a row of zeros

struct CellCounts {
  Counts zeros, known;  // per row
};

CellCounts count_cells(const MatrixRef& values) {
  CellCounts counts{Counts::Zero(values.rows()), Counts::Zero(values.rows())};
  for (Index j = 0; j < values.cols(); ++j) {
    counts.zeros += (values.col(j).array() == 0.0).cast<Index>();
    counts.known += (!values.col(j).array().isNaN()).cast<Index>();
  }
  return counts;
}

std::vector<bool> are_zero(const MatrixRef& values, ViewKind kind, const CellCounts& counts) {
  std::vector<bool> zero(static_cast<std::size_t>(values.rows()), false);
  for (Index i = 0; i < values.rows(); ++i) {
    zero[at(i)] = counts.known(i) > 0 && counts.zeros(i) == counts.known(i);
    if (zero[at(i)] && kind == ViewKind::kernel)
      zero[at(i)] = (values.col(i).array() == 0.0 || values.col(i).array().isNaN()).all();
  }
  return zero;
}

/// Of the rows with values, the share of zeros that a tenth of them reaches.
double zeros_of_sparsest_tenth(const CellCounts& counts, const std::vector<bool>& zero) {
  std::vector<double> shares;
  for (Index i = 0; i < counts.zeros.size(); ++i)
    if (!zero[at(i)] && counts.known(i) > 0)
      shares.push_back(static_cast<double>(counts.zeros(i)) / static_cast<double>(counts.known(i)));
  const auto place = shares.begin() + static_cast<Index>((9 * shares.size()) / 10);
  std::nth_element(shares.begin(), place, shares.end());
  return *place;
}

/// How many rows of zeros the other rows let expect, if columns were independent.
double expected_zero_rows(const MatrixRef& values, const std::vector<bool>& zero) {
  double log_probability = 0;
  for (Index j = 0; j < values.cols(); ++j) {
    double zeros = 1, known = 2;
    for (Index i = 0; i < values.rows(); ++i) {
      if (zero[at(i)] || std::isnan(values(i, j))) continue;
      known += 1;
      zeros += values(i, j) == 0;
    }
    log_probability += std::log(zeros / known);
  }
  return static_cast<double>(values.rows()) * std::exp(log_probability);
}

bool are_whole(const MatrixRef& values) {
  for (Index j = 0; j < values.cols(); ++j)
    for (Index i = 0; i < values.rows(); ++i)
      if (std::isfinite(values(i, j)) && values(i, j) != std::floor(values(i, j))) return false;
  return true;
}

enum class Verdict { missing, values, open };

struct Judgement {
  Verdict verdict = Verdict::open;
  std::string why;
};

/// Texts without a word and samples without a count have nothing that could be compared.
std::optional<Judgement> judge_by_type(const MatrixRef& values) {
  const FeatureType type = recognise_features(values).type;
  if (type != FeatureType::text && type != FeatureType::text_weights &&
      type != FeatureType::abundances && type != FeatureType::counts)
    return std::nullopt;
  return Judgement{Verdict::missing,
                   fmt::format("the other rows look like {}, and a sample without any has nothing "
                               "to compare",
                               feature_type_name(type))};
}

Judgement judge_features(const MatrixRef& values, const CellCounts& counts,
                         const std::vector<bool>& zero) {
  if (auto judged = judge_by_type(values)) return *judged;
  const double share = zeros_of_sparsest_tenth(counts, zero);
  const double expected = expected_zero_rows(values, zero);
  const std::string why =
      fmt::format("a tenth of the others has {:.0f} % zeros or more", 100 * share);
  const double much = are_whole(values) ? sparse_whole : sparse;
  if (share >= much || expected >= some) return {Verdict::values, why};
  if (share >= dense) return {Verdict::open, why};
  const bool has_zeros = are_whole(values) && share > 0;
  if (expected >= none && (has_zeros || values.rows() < few_rows)) return {Verdict::values, why};
  if (expected >= none)
    return {Verdict::open, fmt::format("{} columns are too few to tell", values.cols())};
  return {Verdict::missing,
          fmt::format("nine in ten of the others have at most {:.0f} % zeros", 100 * share)};
}

/// k(x, x) = 0 is a sample without values where all other samples have k(x, x) > 0.
Judgement judge_kernel(const MatrixRef& values, const std::vector<bool>& zero) {
  for (Index i = 0; i < values.rows(); ++i)
    if (!zero[at(i)] && !(values(i, i) > 0) && !std::isnan(values(i, i)))
      return {Verdict::values, "other diagonal entries are not positive either"};
  return {Verdict::missing, "the diagonal is positive elsewhere"};
}

std::string counted_rows(std::size_t count, Index of, ViewKind kind) {
  if (kind == ViewKind::kernel)
    return fmt::format("{} of {} rows and columns are zero throughout", count, of);
  return fmt::format("{} of {} samples {} zero in every feature", count, of,
                     count == 1 ? "is" : "are");
}

/// The values with every word as 1: a word is a value that is not zero, whatever its place in the
/// list of words is.
Matrix with_words_as_ones(const View& view) {
  Matrix values = view.values;
  for (const auto& category : view.categories)
    values.col(category.column) =
        values.col(category.column).array().isNaN().select(values.col(category.column), 1.0);
  return values;
}

}  // namespace

const Strings& zero_rows_names() {
  static const Strings names = {"auto", "missing", "values", "error"};
  return names;
}

ZeroRowsFound find_zero_rows(const MatrixRef& values, ViewKind kind, ZeroRows policy,
                             const Strings& ids, const std::string& place) {
  const CellCounts counts = count_cells(values);
  const std::vector<bool> zero = are_zero(values, kind, counts);
  ZeroRowsFound found;
  for (std::size_t i = 0; i < zero.size(); ++i)
    if (zero[i]) found.rows.push_back(static_cast<Index>(i));
  const bool all_are_zero = std::ssize(found.rows) == (counts.known > 0).count();
  // Where all are zero there is nothing to tell them from.
  if (found.rows.empty() || (all_are_zero && policy == ZeroRows::automatic)) return {};
  found.missing = policy == ZeroRows::missing;
  const std::string what = counted_rows(found.rows.size(), values.rows(), kind);
  const Strings names = picked(ids, found.rows);
  const Advice missing{"zero_rows", "missing", "if these samples lack the view"};
  const Advice measured{"zero_rows", "values", "if they are measurements that are all zero"};
  if (policy == ZeroRows::error)
    throw InputError(fmt::format("{}: {}: {}", place, what, first_of(names)), {missing, measured});
  if (policy != ZeroRows::automatic) return found;
  const Judgement judged =
      kind == ViewKind::kernel ? judge_kernel(values, zero) : judge_features(values, counts, zero);
  if (judged.verdict == Verdict::open)
    throw InputError(fmt::format("{}: {} ({}): missing, or measured? {}", place, what,
                                 first_of(names), judged.why),
                     {missing, measured});
  found.missing = judged.verdict == Verdict::missing;
  found.why = judged.why;
  return found;
}

void mark_zero_rows(View& view, ZeroRows policy) {
  const ZeroRowsFound found =
      view.categories.empty()
          ? find_zero_rows(view.values, view.kind, policy, view.ids, place_of(view))
          : find_zero_rows(with_words_as_ones(view), view.kind, policy, view.ids, place_of(view));
  if (found.rows.empty()) return;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (found.missing)
    for (const Index i : found.rows) {
      view.values.row(i).setConstant(nan);
      if (view.kind == ViewKind::kernel) view.values.col(i).setConstant(nan);
    }
  view.zero_rows = found.missing ? "missing" : "values";
  view.notices.push_back(
      fmt::format("{}, {}{}", counted_rows(found.rows.size(), view.values.rows(), view.kind),
                  found.missing ? "taken as missing" : "taken as values",
                  found.why.empty() ? "" : fmt::format(" because {}", found.why)));
}

}  // namespace mkc
