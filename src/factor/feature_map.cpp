#include "factor/feature_map.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/random.hpp"
#include "kernels/cross_kernel.hpp"
#include "kernels/latent_semantic.hpp"
#include "kernels/prepare.hpp"
#include "mkc/base/error.hpp"
#include "mkc/kernels/feature_type.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc::factor {

namespace {

constexpr double nothing_left = 1e-11;  // of the diagonal: what rounding leaves
constexpr double independent = 1e-12;   // eigenvalues below this share are rounding

Indices first_rows(Index count) {
  Indices rows(at(count));
  for (Index i = 0; i < count; ++i) rows[at(i)] = i;
  return rows;
}

// Leading eigenvectors of a symmetric matrix, the largest first, without those of rounding.
Matrix leading_vectors(const Matrix& A, Index most, Vector* values = nullptr) {
  const linalg::Eigh pairs = linalg::eigh(A);
  const Index n = A.rows();
  Index kept = 0;
  while (kept < std::min(most, n) && pairs.values(n - 1 - kept) > independent * pairs.values(n - 1))
    ++kept;
  kept = std::max<Index>(kept, 1);
  if (values != nullptr) *values = pairs.values.tail(kept).reverse().cwiseMax(0);
  return pairs.vectors.rightCols(kept).rowwise().reverse();
}

// Cuts base features B (n, q) of the sample to `rank` and turns them to their principal axes:
// T (q, r).
Matrix rank_projection(const Matrix& B, Index rank) {
  const double n = static_cast<double>(B.rows());
  const Matrix V = leading_vectors(linalg::gram_of_columns(B) / n, rank);
  const Matrix F = linalg::multiply(B, V);
  const linalg::Eigh axes =
      linalg::eigh(linalg::gram_of_columns(F.rowwise() - F.colwise().mean()) / n);
  return linalg::multiply(V, axes.vectors.rowwise().reverse());
}

double trace_error(const Matrix& features, const Vector& own) {
  return own.sum() > 0 ? std::max(0.0, 1 - features.squaredNorm() / own.sum()) : 0;
}

// Cells without a value become the mean of their column.
void learn_fill(const SourceView& view, Matrix& X, const Strings& names, FeatureMap& map) {
  ResolvedFeatures resolved = resolve_missing_cells(X, view.na, {}, names);
  if (resolved.features.cols() != X.cols())
    throw InputError(fmt::format("view '{}': a column has no value in the sample of {} rows",
                                 view.name, X.rows()),
                     "leave the column out");
  if (view.na == NaPolicy::mean) {
    map.fill = Vector::Zero(X.cols());
    for (Index j = 0; j < X.cols(); ++j) {
      const auto missing = X.col(j).array().isNaN();
      map.fill(j) = missing.select(0, X.col(j).array()).sum() /
                    static_cast<double>(X.rows() - missing.count());
    }
    for (const Index j : view.categories) map.fill(j) = std::round(map.fill(j));
  }
  X = std::move(resolved.features);
}

Matrix base_of(const FeatureMap& map, const Points& points) {
  if (map.of_kernel()) return points.numbers;
  if (!map.linear()) return map.kernel(points, map.landmarks);
  return map.options.kernel == KernelKind::linear ? points.numbers : unit_rows(points.numbers);
}

// K_LL^-1/2 up to a rotation: U D^-1/2 of its eigenpairs.
Matrix whitening(const Matrix& K) {
  Vector values;
  Matrix T = leading_vectors(K, K.rows(), &values);
  return T * values.cwiseMax(1e-300).cwiseSqrt().cwiseInverse().asDiagonal();
}

void finish(FeatureMap& map, const Matrix& whitened, const Matrix& T0, Index rank) {
  map.projection = rank_projection(whitened, rank);
  if (T0.size() > 0) map.projection = linalg::multiply(T0, map.projection);
}

}  // namespace

Points Points::rows(const Indices& which) const {
  Points chosen;
  if (numbers.size() > 0) chosen.numbers = numbers(which, Eigen::all);
  if (words.size() > 0) chosen.words = words(which, Eigen::all);
  return chosen;
}

bool FeatureMap::linear() const {
  if (!categories.empty()) return false;
  const KernelKind kind = options.kernel;
  return kind == KernelKind::linear || kind == KernelKind::cosine || kind == KernelKind::lsk;
}

Points FeatureMap::points(const MatrixRef& X, const Strings& names) const {
  if (of_kernel()) return {X, {}};
  Matrix filled = X;
  for (Index j = 0; j < X.cols(); ++j)
    for (Index i = 0; i < X.rows(); ++i)
      if (std::isnan(X(i, j))) {
        if (fill.size() == 0)
          throw InputError(fmt::format("sample '{}': column {} (counted from 0) has no value",
                                       names.empty() ? std::to_string(i) : names[at(i)], j),
                           {{"na_features", "mean", "fills such cells"}});
        filled(i, j) = fill(j);
      }
  Points points;
  if (!categories.empty()) {
    points.words = filled(Eigen::all, categories);
    filled = Matrix(filled(Eigen::all, columns_by_kind(X.cols(), categories).numbers));
  }
  if (filled.cols() == 0) return points;
  points.numbers = transform.changes_nothing() ? std::move(filled) : transform.apply(filled, names);
  if (scaling) points.numbers = scaling->apply(points.numbers);
  if (directions.size() > 0) points.numbers = linalg::multiply(points.numbers, directions);
  return points;
}

Matrix FeatureMap::kernel(const Points& a, const Points& b) const {
  if (b.words.cols() == 0) return cross_kernel(a.numbers, b.numbers, options);
  if (b.numbers.cols() == 0) return equal_words(a.words, b.words);
  const auto d1 = static_cast<double>(b.numbers.cols()), d2 = static_cast<double>(b.words.cols());
  return (d1 * cross_kernel(a.numbers, b.numbers, options) + d2 * equal_words(a.words, b.words)) /
         (d1 + d2);
}

Vector FeatureMap::diagonal(const Points& a) const {
  if (a.words.cols() > 0) return Vector::Ones(a.size());
  return kernel_diagonal(a.numbers, options);
}

Matrix FeatureMap::features(const Points& a) const {
  return linalg::multiply(base_of(*this, a), projection);
}

Indices draw_landmarks(Matrix K, Index count, std::uint64_t seed, std::string_view key) {
  const Index n = K.rows();
  count = std::min(count, n);
  Vector left = K.diagonal();
  const double all = left.sum();
  Matrix factor(n, count);  // K ~ F F' of the columns so far
  Random random(seed, "landmarks", key);
  Indices chosen;
  for (Index k = 0; k < count; ++k) {
    const double sum = left.sum();
    if (!(sum > nothing_left * all)) break;
    double target = random.uniform() * sum;
    Index pivot = 0;
    while (pivot + 1 < n && (target -= left(pivot)) >= 0) ++pivot;
    while (left(pivot) <= 0 && pivot > 0) --pivot;
    Vector column = K.col(pivot);
    column.noalias() -= factor.leftCols(k) * factor.row(pivot).head(k).transpose();
    if (!(column(pivot) > nothing_left * K(pivot, pivot))) {
      left(pivot) = 0;
      --k;
      continue;
    }
    factor.col(k) = column / std::sqrt(column(pivot));
    left = (left - factor.col(k).cwiseAbs2()).cwiseMax(0);
    left(pivot) = 0;
    chosen.push_back(pivot);
  }
  return chosen;
}

LearntMap learn_map(const SourceView& view, const MatrixRef& table, const MapSize& size,
                    std::uint64_t seed, const Strings& names) {
  LearntMap learnt;
  FeatureMap& map = learnt.map;
  Matrix X = table;
  learn_fill(view, X, names, map);
  const ColumnsByKind kinds = columns_by_kind(X.cols(), view.categories);
  map.categories = view.categories;
  map.options = view.kernel;
  Points points;
  if (!kinds.numbers.empty()) {
    const Matrix numbers = X(Eigen::all, kinds.numbers);
    kernel_option_table().verify(view.kernel);
    map.options = settled(numbers, view.kernel).options;
    if (!kinds.categories.empty()) check_goes_with_words(map.options);
    PreparedFeatures prepared = prepare_features(numbers, map.options, names);
    map.transform = std::move(prepared.transform);
    map.scaling = std::move(prepared.scaling);
    points.numbers = std::move(prepared.points);
    if (map.options.kernel == KernelKind::lsk) {
      map.directions = latent_directions(points.numbers, map.options.components);
      points.numbers = linalg::multiply(points.numbers, map.directions);
    }
  }
  if (!kinds.categories.empty()) points.words = X(Eigen::all, kinds.categories);
  if (map.linear()) {
    finish(map, base_of(map, points), {}, size.rank);
  } else {
    const Points first = points.rows(first_rows(std::min(most_candidates, points.size())));
    if (first.numbers.size() > 0) {
      ComputedKernel computed = kernel_of_points(first.numbers, map.options, {});
      if (computed.gamma) map.options.gamma = Gamma::number(*computed.gamma);
    }
    const Matrix K = map.kernel(first, first);
    const Indices chosen = draw_landmarks(K, size.landmarks, seed, view.name);
    if (chosen.empty()) throw InputError(fmt::format("view '{}': the kernel is zero", view.name));
    map.landmarks = first.rows(chosen);
    const Matrix T0 = whitening(submatrix(K, chosen, chosen));
    finish(map, linalg::multiply(base_of(map, points), T0), T0, size.rank);
  }
  learnt.features = map.features(points);
  learnt.trace_error = trace_error(learnt.features, map.diagonal(points));
  return learnt;
}

LearntMap learn_map_of_kernel(const SourceView& view, const MatrixRef& K, const Vector& own,
                              const Indices& rows, const MapSize& size, std::uint64_t seed) {
  LearntMap learnt;
  FeatureMap& map = learnt.map;
  map.options = view.kernel;
  const Indices chosen = draw_landmarks(K.topRows(K.cols()), size.landmarks, seed, view.name);
  if (chosen.empty()) throw InputError(fmt::format("view '{}': the kernel is zero", view.name));
  for (const Index c : chosen) map.columns.push_back(rows[at(c)]);
  const Matrix T0 = whitening(submatrix(K.topRows(K.cols()), chosen, chosen));
  const Matrix base = K(Eigen::all, chosen);
  finish(map, linalg::multiply(base, T0), T0, size.rank);
  learnt.features = linalg::multiply(base, map.projection);
  learnt.trace_error = trace_error(learnt.features, own);
  return learnt;
}

}  // namespace mkc::factor
