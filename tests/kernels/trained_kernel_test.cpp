#include "mkc/kernels/trained_kernel.hpp"

#include <cmath>

#include "kernels/errors.hpp"
#include "kernels/slow_kernels.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using namespace test;  // NOLINT

const Strings& kernels_of_features() {
  static const Strings names{"auto",    "linear",  "rbf",      "poly",        "laplacian",
                             "cosine",  "jaccard", "lsk",      "chi2",        "braycurtis",
                             "ruzicka", "ordinal", "tanimoto", "categorical", "spectral_angle"};
  return names;
}

// Counts, amounts and codes of words, without a row of zeros.
Matrix training_features(Index n, std::uint64_t seed) {
  Matrix X = (random_matrix(n, 6, seed).array() * 4).round().abs();
  X.col(0) = random_matrix(n, 1, seed + 1).array().exp();
  return X;
}

// The last samples of X as if they were new.
void expect_own_rows(const Matrix& X, const OptionValues& values, const Indices& categories,
                     const std::string& what) {
  const KernelOptions options = kernel_option_table().parse(values);
  const ComputedKernel computed = compute_kernel(X, options, {}, categories);
  const TrainedKernel kernel = train_kernel(X, options, computed.gamma, categories);
  const KernelOfNew again = kernel_of_new(kernel, X.bottomRows(4));
  const double unit = largest(computed.kernel);
  EXPECT_LT(largest(again.rows - computed.kernel.bottomRows(4)), 1e-9 * unit) << what;
  EXPECT_LT(largest(again.diagonal - computed.kernel.diagonal().tail(4)), 1e-9 * unit) << what;
}

TEST(TrainedKernel, GivesTrainingSamplesTheirOwnRows) {
  for (const auto& name : kernels_of_features())
    expect_own_rows(training_features(12, 1), {{"kernel", name}, {"components", "3"}}, {}, name);
}

TEST(TrainedKernel, GivesTrainingSamplesTheirOwnRowsAfterEveryTransform) {
  for (const auto& transform : transform_names())
    for (const char* library : {"none", "median", "100"})
      for (const char* name : {"auto", "rbf", "cosine", "lsk", "tanimoto"})
        expect_own_rows(training_features(12, 2),
                        {{"kernel", name},
                         {"transform", transform},
                         {"library_size", library},
                         {"components", "3"}},
                        {}, fmt::format("{} {} {}", name, transform, library));
}

TEST(TrainedKernel, GivesTrainingSamplesTheirOwnRowsOfNumbersAndWords) {
  for (const Indices& categories : {Indices{1}, Indices{2, 4, 5}, Indices{0, 1, 2, 3, 4, 5}})
    for (const auto& name : kernels_of_features())
      if (name != "linear" && name != "poly")
        expect_own_rows(training_features(12, 3), {{"kernel", name}, {"components", "3"}},
                        categories, fmt::format("{} {}", name, categories.size()));
}

TEST(TrainedKernel, NumbersAndWordsCountByTheirColumns) {
  const Matrix X = training_features(10, 4), New = training_features(3, 5);
  const KernelOptions options = kernel_option_table().parse({{"kernel", "rbf"}, {"gamma", "0.2"}});
  const Indices numbers{0, 1, 3, 5}, words{2, 4};
  const TrainedKernel kernel = train_kernel(X, options, 0.2, words);
  const TrainedKernel alone = train_kernel(X(Eigen::all, numbers), options, 0.2);
  const Matrix rows = kernel_of_new(kernel, New).rows;
  const Matrix of_numbers = kernel_of_new(alone, New(Eigen::all, numbers)).rows;
  for (Index x = 0; x < 3; ++x)
    for (Index i = 0; i < 10; ++i) {
      const double equal = (New(x, 2) == X(i, 2)) + (New(x, 4) == X(i, 4));
      EXPECT_NEAR(rows(x, i), (4 * of_numbers(x, i) + equal) / 6, 1e-14);
    }
}

TEST(TrainedKernel, LinearAndPolynomialKernelsDoNotGoWithWords) {
  for (const char* name : {"linear", "poly"})
    EXPECT_TRUE(has(error_of([&] {
                      compute_kernel(training_features(6, 6),
                                     kernel_option_table().parse({{"kernel", name}}), {}, {2});
                    }),
                    std::string("kernel=") + name + ": some columns hold words"));
}

TEST(TrainedKernel, NewSamplesGetTheTransformOfTraining) {
  const Matrix X = training_features(12, 7), New = 5 * training_features(4, 8);
  const KernelOptions options = kernel_option_table().parse(
      {{"kernel", "rbf"}, {"transform", "log1p"}, {"library_size", "median"}, {"gamma", "0.3"}});
  const auto all = train_kernel(X, options, 0.3);
  const Matrix rows = kernel_of_new(all, New).rows;
  std::vector<double> sums;
  for (Index i = 0; i < 12; ++i) sums.push_back(X.row(i).sum());
  std::sort(sums.begin(), sums.end());
  const double median = (sums[5] + sums[6]) / 2;
  const auto logs = [&](const Matrix& Z) {
    Matrix L = Z;
    for (Index i = 0; i < Z.rows(); ++i)
      for (Index j = 0; j < Z.cols(); ++j)
        L(i, j) = std::log(1 + median * Z(i, j) / Z.row(i).sum());
    return L;
  };
  const ColumnScaling scaling = ColumnScaling::fit(logs(X));
  const Matrix points = scaling.apply(logs(X)), fresh = scaling.apply(logs(New));
  for (Index x = 0; x < 4; ++x)
    for (Index i = 0; i < 12; ++i)
      EXPECT_NEAR(rows(x, i), std::exp(-0.3 * (fresh.row(x) - points.row(i)).squaredNorm()), 1e-12);
}

TEST(TrainedKernel, NamesTheNewSampleWhoseValuesDoNotFit) {
  const Matrix X = training_features(8, 9);
  Matrix New = training_features(2, 10);
  New(1, 3) = -2;
  const auto error = [&](const OptionValues& values) {
    const KernelOptions options = kernel_option_table().parse(values);
    const TrainedKernel kernel = train_kernel(X, options, compute_kernel(X, options).gamma);
    return error_of([&] { kernel_of_new(kernel, New, {"a", "P-07"}); });
  };
  EXPECT_TRUE(has(error({{"kernel", "rbf"}, {"transform", "sqrt"}}),
                  "transform=sqrt: sample 'P-07', column 3"));
  EXPECT_TRUE(has(error({{"kernel", "chi2"}}), "kernel=chi2: sample 'P-07' has the value -2"));
}

TEST(TrainedKernel, NewSamplesDoNotChangeTheTrainedKernel) {
  const Matrix X = random_matrix(15, 4, 2);
  Matrix New = random_matrix(3, 4, 3);
  New.row(2) *= 1000;
  const KernelOptions options = kernel_option_table().parse({{"kernel", "rbf"}});  // z-scores
  const ComputedKernel computed = compute_kernel(X, options);
  const TrainedKernel kernel = train_kernel(X, options, computed.gamma);
  const KernelOfNew rows = kernel_of_new(kernel, New);
  for (Index x = 0; x < 3; ++x)
    for (Index i = 0; i < 15; ++i) {
      double distance = 0;
      for (Index j = 0; j < 4; ++j) {
        double mean = 0, variance = 0;
        for (Index k = 0; k < 15; ++k) mean += X(k, j) / 15;
        for (Index k = 0; k < 15; ++k) variance += (X(k, j) - mean) * (X(k, j) - mean) / 15;
        distance += (New(x, j) - X(i, j)) * (New(x, j) - X(i, j)) / variance;
      }
      EXPECT_NEAR(rows.rows(x, i), std::exp(-*computed.gamma * distance), 1e-10);
    }
}

TEST(TrainedKernel, ProjectsNewDocumentsOnTheTrainingDirections) {
  const Matrix X = random_matrix(8, 20, 4).cwiseAbs(), New = random_matrix(2, 20, 5).cwiseAbs();
  KernelOptions options;
  options.kernel = KernelKind::lsk;
  options.components = 3;
  const TrainedKernel kernel = train_kernel(X, options, {});
  EXPECT_EQ(kernel.directions.rows(), 20);
  EXPECT_EQ(kernel.directions.cols(), 3);
  EXPECT_LT(largest(kernel.directions.transpose() * kernel.directions - Matrix::Identity(3, 3)),
            1e-10);
  const Matrix Z = X * kernel.directions, z = New * kernel.directions;
  const Matrix rows = kernel_of_new(kernel, New).rows;
  for (Index x = 0; x < 2; ++x)
    for (Index i = 0; i < 8; ++i)
      EXPECT_NEAR(rows(x, i), z.row(x).dot(Z.row(i)) / (z.row(x).norm() * Z.row(i).norm()), 1e-12);
}

TEST(TrainedKernel, RefusesAnotherNumberOfFeatures) {
  const Matrix X = random_matrix(6, 4, 6);
  KernelOptions options;
  options.kernel = KernelKind::cosine;
  const TrainedKernel kernel = train_kernel(X, options, {});
  EXPECT_THROW(kernel_of_new(kernel, random_matrix(2, 3, 7)), InputError);
}

}  // namespace
}  // namespace mkc
