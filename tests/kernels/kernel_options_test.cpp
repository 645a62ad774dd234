#include "mkc/kernels/kernel_options.hpp"

#include <algorithm>

#include "kernels/errors.hpp"
#include "kernels/functions.hpp"
#include "kernels/slow_kernels.hpp"
#include "mkc/kernels/features.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using namespace test;  // NOLINT: slow_* and helpers

KernelOptions parse(const OptionValues& values) { return kernel_option_table().parse(values); }

std::string refusal(const std::string& name, const std::string& text) {
  return error_of([&] { parse({{name, text}}); });
}

TEST(KernelOptions, TextAndFieldsAgreeBothWays) {
  const OptionValues texts{{"kernel", "poly"},   {"transform", "log1p"}, {"library_size", "1000"},
                           {"gamma", "0.125"},   {"degree", "5"},        {"coef0", "2.5"},
                           {"components", "30"}, {"scale", "none"}};
  const KernelOptions options = parse(texts);
  EXPECT_EQ(options.kernel, KernelKind::poly);
  EXPECT_EQ(options.transform, Transform::log1p);
  EXPECT_EQ(options.library_size, (LibrarySize{LibrarySize::Rule::number, 1000}));
  EXPECT_EQ(options.gamma, Gamma::number(0.125));
  EXPECT_EQ(options.degree, 5);
  EXPECT_EQ(options.coef0, 2.5);
  EXPECT_EQ(options.components, 30);
  EXPECT_EQ(options.scale, FeatureScaling::none);
  EXPECT_EQ(kernel_option_table().values(options), texts);
}

TEST(KernelOptions, DefaultsAreThoseOfTheStruct) {
  const OptionValues expected{
      {"kernel", "auto"}, {"transform", "auto"}, {"library_size", "auto"}, {"gamma", "auto"},
      {"degree", "3"},    {"coef0", "1"},        {"components", "100"},    {"scale", "auto"}};
  EXPECT_EQ(kernel_option_table().values(KernelOptions{}), expected);
}

TEST(KernelOptions, EveryKernelNameReadsBack) {
  for (const char* name : {"auto", "linear", "rbf", "poly", "laplacian", "cosine", "jaccard", "lsk",
                           "chi2", "braycurtis", "ruzicka", "tanimoto", "spectral_angle", "ordinal",
                           "categorical", "precomputed"})
    EXPECT_EQ(kernel_option_table().values(parse({{"kernel", name}})).front().second, name);
}

TEST(KernelOptions, GammaIsARuleOrAPositiveNumber) {
  EXPECT_EQ(parse({{"gamma", "scale"}}).gamma.rule, Gamma::Rule::scale);
  EXPECT_EQ(parse({{"gamma", "1e-3"}}).gamma, Gamma::number(1e-3));
  for (const char* text : {"0", "-1", "inf", "nan", "", "wide"})
    EXPECT_TRUE(has(refusal("gamma", text), "is not auto, median, scale or a number > 0")) << text;
  EXPECT_TRUE(has(refusal("gamma", "medain"), "did you mean 'median'?"));
}

TEST(KernelOptions, ValuesOutsideTheirRangeAreRefusedByName) {
  EXPECT_TRUE(has(refusal("kernel", "rfb"), "did you mean 'rbf'?"));
  EXPECT_TRUE(has(refusal("degree", "0"), "option 'degree'"));
  EXPECT_TRUE(has(refusal("coef0", "-1"), "option 'coef0'"));
  EXPECT_TRUE(has(refusal("components", "0"), "option 'components'"));
  EXPECT_TRUE(has(refusal("scale", "minmax"), "auto, zscore, none"));
  KernelOptions options = parse({{"kernel", "rbf"}});
  options.gamma = Gamma::number(-1);
  EXPECT_TRUE(has(error_of([&] { compute_kernel(Matrix::Ones(2, 2), options); }), "'gamma'"));
}

// The kernels that read an option, from the reference page; all others refuse it.
const std::vector<std::pair<OptionValues::value_type, Strings>> readers_of_options{
    {{"gamma", "0.1"}, {"rbf", "poly", "laplacian", "chi2"}},
    {{"degree", "2"}, {"poly"}},
    {{"coef0", "2"}, {"poly"}},
    {{"components", "5"}, {"lsk"}},
    {{"scale", "none"}, {}},
    {{"transform", "log1p"}, {}},
    {{"library_size", "5"}, {}}};  // none named: all

TEST(KernelOptions, AnOptionWithoutEffectIsRefused) {
  for (const auto& [option, readers] : readers_of_options)
    for (const char* kernel :
         {"auto", "linear", "rbf", "poly", "laplacian", "cosine", "jaccard", "lsk", "chi2",
          "braycurtis", "ruzicka", "tanimoto", "spectral_angle", "categorical"}) {
      const OptionValues given{{"kernel", kernel}, option};
      const bool read = readers.empty() || std::string(kernel) == "auto" ||
                        std::count(readers.begin(), readers.end(), kernel) > 0;
      const auto check = [&] { check_in_use(given, parse(given)); };
      if (read) {
        EXPECT_NO_THROW(check()) << option.first << kernel;
        continue;
      }
      const std::string error = error_of(check);
      EXPECT_TRUE(has(error, "option '" + option.first + "' has no effect with kernel=" + kernel))
          << error;
      EXPECT_TRUE(has(error, "kernel=" + readers[0])) << error;
      const OptionValues used = options_in_use(parse(given));
      EXPECT_TRUE(std::none_of(used.begin(), used.end(),
                               [&](const auto& each) { return each.first == option.first; }));
    }
}

TEST(KernelOptions, ConfigurationsOfOldVersionsNameAllOptions) {
  for (const char* kernel : {"linear", "rbf", "cosine", "jaccard", "lsk"}) {
    const OptionValues given{{"kernel", kernel}, {"gamma", "median"},   {"degree", "3"},
                             {"coef0", "1"},     {"components", "100"}, {"scale", "auto"}};
    EXPECT_NO_THROW(check_in_use(given, parse(given))) << kernel;
  }
}

TEST(KernelOptions, OptionsInUseReadBackAsTheyWere) {
  for (const char* kernel : {"auto", "linear", "rbf", "poly", "cosine", "lsk", "chi2", "ordinal"}) {
    const KernelOptions options = parse({{"kernel", kernel}, {"scale", "none"}});
    EXPECT_EQ(options_in_use(parse(options_in_use(options))), options_in_use(options));
  }
}

TEST(ComputeKernel, AutomaticScalingDependsOnTheKernel) {
  const Matrix X = (random_matrix(12, 4, 1).array() * 3 + 5).matrix(), Z = zscore(X);
  const auto kernel = [&](const char* name) {
    return compute_kernel(X, parse({{"kernel", name}, {"gamma", "0.5"}, {"components", "2"}}))
        .kernel;
  };
  EXPECT_EQ(kernel("linear"), linear_kernel(Z));
  EXPECT_EQ(kernel("rbf"), exponential_of_distances(squared_distances(Z), 0.5));
  EXPECT_EQ(kernel("poly"), polynomial_kernel(Z, 0.5, 1, 3));
  EXPECT_EQ(kernel("laplacian"), exponential_of_distances(absolute_distances(Z), 0.5));
  EXPECT_EQ(kernel("cosine"), cosine_kernel(X));
  EXPECT_EQ(kernel("jaccard"), jaccard_kernel(X));
  EXPECT_EQ(kernel("lsk"), latent_semantic_kernel(X, 2));
}

TEST(ComputeKernel, ScalingCanBeChosen) {
  const Matrix X = (random_matrix(12, 4, 2).array() * 3 + 5).matrix();
  EXPECT_EQ(compute_kernel(X, parse({{"kernel", "linear"}, {"scale", "none"}})).kernel,
            linear_kernel(X));
  EXPECT_EQ(compute_kernel(X, parse({{"kernel", "cosine"}, {"scale", "zscore"}})).kernel,
            cosine_kernel(zscore(X)));
}

TEST(ComputeKernel, GammaRulesReadTheScaledFeatures) {
  const Matrix X = random_matrix(11, 4, 3) * 7, Z = zscore(X);
  const auto middle = [&](auto distance) {
    return sorted_pairs(11, [&](Index i, Index j) { return distance(Z, i, j); })[27];  // of 55
  };
  const auto gamma = [&](const char* kernel, const char* rule) {
    return compute_kernel(X, parse({{"kernel", kernel}, {"gamma", rule}})).gamma.value();
  };
  EXPECT_NEAR(gamma("rbf", "median"), 1 / middle(slow_squared_distance), 1e-13);
  EXPECT_NEAR(gamma("poly", "median"), 1 / middle(slow_squared_distance), 1e-13);
  EXPECT_NEAR(gamma("laplacian", "median"), 1 / middle(slow_absolute_distance), 1e-13);
  EXPECT_NEAR(gamma("rbf", "scale"), 0.25, 1e-13);  // z-scored: variance 1, 4 features
  EXPECT_EQ(gamma("rbf", "0.75"), 0.75);
}

TEST(ComputeKernel, DistancesAreThoseOfTheKernel) {
  const Matrix X = random_matrix(10, 4, 7).cwiseAbs();
  for (const char* name : {"rbf", "laplacian", "chi2"}) {
    const KernelOptions options = parse({{"kernel", name}, {"transform", "sqrt"}});
    const auto distances = kernel_distances(X, options);
    ASSERT_TRUE(distances);
    const ComputedKernel computed = compute_kernel(X, options);  // automatic: the median
    EXPECT_EQ(computed.kernel, exponential_of_distances(*distances, computed.gamma.value()));
    EXPECT_EQ(
        computed.gamma,
        compute_kernel(X, parse({{"kernel", name}, {"transform", "sqrt"}, {"gamma", "median"}}))
            .gamma);
  }
  for (const char* name : {"linear", "poly", "cosine", "ordinal"})
    EXPECT_FALSE(kernel_distances(X, parse({{"kernel", name}})));
}

TEST(ComputeKernel, TheGammaReportedIsTheGammaUsed) {
  const Matrix X = random_matrix(15, 3, 4);
  const ComputedKernel computed = compute_kernel(X, parse({{"kernel", "rbf"}}));
  EXPECT_EQ(computed.kernel,
            exponential_of_distances(squared_distances(zscore(X)), computed.gamma.value()));
  EXPECT_FALSE(compute_kernel(X, parse({{"kernel", "linear"}})).gamma);
}

TEST(ComputeKernel, APrecomputedKernelComesBackAsItIs) {
  const Matrix K = random_psd(5, 3, 5);
  EXPECT_EQ(compute_kernel(K, parse({{"kernel", "precomputed"}})).kernel, K);
  EXPECT_TRUE(
      has(error_of([] { compute_kernel(Matrix::Ones(4, 3), parse({{"kernel", "precomputed"}})); }),
          "4 x 3, not square"));
}

TEST(ComputeKernel, ErrorsNameTheKernelAndTheSample) {
  Matrix X = random_matrix(2, 3, 6);
  X(1, 0) = std::nan("");
  EXPECT_TRUE(has(error_of([&] { compute_kernel(X, parse({{"kernel", "rbf"}}), {"a", "P-07"}); }),
                  "kernel=rbf: sample 'P-07', column 0 (counted from 0) is nan"));
  EXPECT_TRUE(has(error_of([] { compute_kernel(Matrix(0, 3), {}); }), "features are 0 x 3"));
  EXPECT_TRUE(has(error_of([] { compute_kernel(Matrix(3, 0), {}); }), "features are 3 x 0"));
  X.row(1).setZero();
  EXPECT_TRUE(
      has(error_of([&] { compute_kernel(X, parse({{"kernel", "cosine"}}), {"a", "P-07"}); }),
          "sample 'P-07' has only zeros"));
}

TEST(ComputeKernel, OverflowIsRefused) {
  EXPECT_TRUE(has(error_of([] {
                    compute_kernel(Matrix::Constant(2, 2, 1e200),
                                   parse({{"kernel", "linear"}, {"scale", "none"}}));
                  }),
                  "kernel=linear: entries of the kernel are too large"));
}

}  // namespace
}  // namespace mkc
