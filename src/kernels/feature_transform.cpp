#include "mkc/kernels/feature_transform.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "base/text.hpp"
#include "kernels/checks.hpp"
#include "mkc/base/error.hpp"
#include "mkc/kernels/features.hpp"

namespace mkc {

namespace {

double median_of(Vector values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

// Sums of the rows; InputError where one is not positive: there is nothing to divide.
Vector library_sizes(const MatrixRef& X, const Strings& names) {
  Vector sums = X.rowwise().sum();
  for (Index i = 0; i < sums.size(); ++i)
    if (!(sums(i) > 0))
      throw InputError(
          fmt::format("library_size: the values of {} add up to {}", detail::sample_label(names, i),
                      format_number(sums(i))),
          "a sample without counts is a missing sample: drop it, or take library_size=none");
  return sums;
}

void require_above(const std::string& option, double low, bool included, const MatrixRef& X,
                   const Strings& names, const Strings& columns) {
  if (X.size() == 0 || (included ? X.minCoeff() >= low : X.minCoeff() > low)) return;
  for (Index j = 0; j < X.cols(); ++j)
    for (Index i = 0; i < X.rows(); ++i)
      if (included ? X(i, j) < low : X(i, j) <= low)
        throw InputError(
            fmt::format("{}: {}, {} is {}, and values must be {} {}", option,
                        detail::sample_label(names, i), detail::column_label(columns, j),
                        format_number(X(i, j)), included ? "at least" : "above", low),
            "transform=arcsinh and transform=rank take negative values");
}

bool are_whole(const MatrixRef& X) { return (X.array() == X.array().floor()).all(); }

// Zeros have no logarithm. Counts get half a count, other values half of the smallest positive one.
double pseudo_count(const MatrixRef& X) {
  if (are_whole(X)) return 0.5;
  double smallest = std::numeric_limits<double>::infinity();
  for (const double value : X.reshaped())
    if (value > 0) smallest = std::min(smallest, value);
  return std::isfinite(smallest) ? smallest / 2 : 0.5;
}

// Half of the smallest positive value of every column; 1 where a column has none.
Matrix smallest_halves(const MatrixRef& X) {
  Matrix halves = Matrix::Ones(1, X.cols());
  for (Index j = 0; j < X.cols(); ++j) {
    double smallest = std::numeric_limits<double>::infinity();
    for (const double value : X.col(j))
      if (value > 0) smallest = std::min(smallest, value);
    if (std::isfinite(smallest)) halves(0, j) = smallest / 2;
  }
  return halves;
}

// 1 + log((1 + n) / (1 + n_j))
Matrix document_weights(const MatrixRef& X) {
  const auto n = static_cast<double>(X.rows());
  Matrix weights(1, X.cols());
  for (Index j = 0; j < X.cols(); ++j)
    weights(0, j) =
        1 + std::log((1 + n) / (1 + static_cast<double>((X.col(j).array() != 0).count())));
  return weights;
}

Matrix sorted_columns(const MatrixRef& X) {
  Matrix sorted = X;
  for (Index j = 0; j < X.cols(); ++j) std::sort(sorted.col(j).begin(), sorted.col(j).end());
  return sorted;
}

Matrix learn(const MatrixRef& X, Transform kind) {
  switch (kind) {
    case Transform::log:
      return smallest_halves(X);
    case Transform::clr:
      return Matrix::Constant(1, 1, pseudo_count(X));
    case Transform::tfidf:
      return document_weights(X);
    case Transform::rank:
      return sorted_columns(X);
    case Transform::minmax: {
      Matrix ends(2, X.cols());
      ends << X.colwise().minCoeff(), X.colwise().maxCoeff();
      return ends;
    }
    case Transform::zscore: {
      const ColumnScaling scaling = ColumnScaling::fit(X);
      Matrix moments(2, X.cols());
      moments << scaling.mean.transpose(), scaling.deviation.transpose();
      return moments;
    }
    default:
      return {};
  }
}

// x with Phi(x) = p, for 0 < p < 1, by halving an interval.
double normal_quantile(double p) {
  double low = -40, high = 40;
  while (true) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    (std::erfc(-middle / std::numbers::sqrt2) / 2 < p ? low : high) = middle;
  }
}

// Normal quantile of (number below + half of the number equal) / n, half a sample from both ends.
void put_normal_scores(const Matrix& sorted, Matrix& X) {
  const Index n = sorted.rows();
  Vector scores(2 * n);  // of halves of places: 1/2, 1, ..., n - 1/2
  for (Index half = 1; half < 2 * n; ++half)
    scores(half) = normal_quantile(static_cast<double>(half) / static_cast<double>(2 * n));
  for (Index j = 0; j < X.cols(); ++j) {
    const auto column = sorted.col(j);
    for (Index i = 0; i < X.rows(); ++i) {
      const auto [low, high] = std::equal_range(column.begin(), column.end(), X(i, j));
      const Index halves = (low - column.begin()) + (high - column.begin());
      X(i, j) = scores(std::clamp<Index>(halves, 1, 2 * n - 1));
    }
  }
}

void put_log_ratios(double pseudo, Matrix& X) {
  X = (X.array() + pseudo).log();
  X.colwise() -= Vector(X.rowwise().mean());
}

void put_shares_of_range(const Matrix& ends, Matrix& X) {
  for (Index j = 0; j < X.cols(); ++j) {
    const double range = ends(1, j) - ends(0, j);
    if (range > 0)
      X.col(j) = (X.col(j).array() - ends(0, j)) / range;
    else
      X.col(j).setZero();
  }
}

void check_width(const FeatureTransform& transform, const MatrixRef& X) {
  const Index learnt = transform.learnt.cols();
  if (transform.kind != Transform::clr && learnt > 0 && learnt != X.cols())
    throw InputError(
        fmt::format("new samples have {} features, the training samples {}", X.cols(), learnt));
}

}  // namespace

const Strings& transform_names() {
  static const Strings names{"auto",  "none", "log",  "log1p",  "log2p1", "clr",
                             "tfidf", "sqrt", "rank", "zscore", "minmax", "arcsinh"};
  return names;
}

const std::string& transform_name(Transform transform) {
  return transform_names().at(static_cast<std::size_t>(transform));
}

LibrarySize library_size_from_text(const std::string& option, const std::string& text) {
  if (text == "auto") return {LibrarySize::Rule::automatic, 1};
  if (text == "none") return {LibrarySize::Rule::none, 1};
  if (text == "median") return {LibrarySize::Rule::median, 1};
  double value = 0;
  if (!parse_number(text, value) || !std::isfinite(value) || value <= 0)
    throw OptionError(fmt::format("option '{}': '{}' is not auto, none, median or a number > 0{}",
                                  option, text, suggestion(text, {"auto", "none", "median"})));
  return {LibrarySize::Rule::number, value};
}

std::string library_size_to_text(const LibrarySize& size) {
  switch (size.rule) {
    case LibrarySize::Rule::automatic:
      return "auto";
    case LibrarySize::Rule::none:
      return "none";
    case LibrarySize::Rule::median:
      return "median";
    case LibrarySize::Rule::number:
      break;
  }
  return format_number(size.value);
}

FeatureTransform FeatureTransform::fit(const MatrixRef& X, Transform kind, const LibrarySize& size,
                                       const Strings& names) {
  FeatureTransform transform{kind, 0, {}};
  if (size.rule == LibrarySize::Rule::number) transform.library = size.value;
  if (size.rule == LibrarySize::Rule::median)
    transform.library = median_of(library_sizes(X, names));
  if (transform.library > 0) {
    const Matrix divided = FeatureTransform{Transform::none, transform.library, {}}.apply(X, names);
    transform.learnt = learn(divided, kind);
  } else {
    transform.learnt = learn(X, kind);
  }
  return transform;
}

Matrix FeatureTransform::apply(const MatrixRef& X, const Strings& names,
                               const Strings& columns) const {
  check_width(*this, X);
  Matrix Y = X;
  if (library > 0) {
    require_above("library_size", 0, true, Y, names, columns);
    const Vector factors = library * library_sizes(Y, names).cwiseInverse();
    Y.array().colwise() *= factors.array();
  }
  const auto require = [&](double low, bool included) {
    require_above("transform=" + transform_name(kind), low, included, Y, names, columns);
  };
  switch (kind) {
    case Transform::log:
      require(0, true);
      for (Index j = 0; j < Y.cols(); ++j) Y.col(j) = Y.col(j).cwiseMax(learnt(0, j));
      Y = Y.array().log();
      break;
    case Transform::log1p:
      require(-1, false);
      Y = Y.array().log1p();
      break;
    case Transform::log2p1:
      require(-1, false);
      Y = Y.array().log1p() / std::log(2.0);
      break;
    case Transform::clr:
      require(0, true);
      put_log_ratios(learnt(0, 0), Y);
      break;
    case Transform::tfidf:
      require(0, true);
      Y = Y.unaryExpr([](double x) { return x > 1 ? 1 + std::log(x) : x; });
      Y.array().rowwise() *= learnt.row(0).array();
      break;
    case Transform::sqrt:
      require(0, true);
      Y = Y.cwiseSqrt();
      break;
    case Transform::rank:
      put_normal_scores(learnt, Y);
      break;
    case Transform::zscore:
      Y = ColumnScaling{learnt.row(0), learnt.row(1)}.apply(Y);
      break;
    case Transform::minmax:
      put_shares_of_range(learnt, Y);
      break;
    case Transform::arcsinh:
      Y = Y.unaryExpr([](double x) { return std::asinh(x); });
      break;
    case Transform::automatic:
    case Transform::none:
      break;
  }
  return Y;
}

}  // namespace mkc
