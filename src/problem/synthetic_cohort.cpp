#include "problem/synthetic_cohort.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/random.hpp"

namespace mkc {

namespace {

constexpr Index n_subtypes = 3;
constexpr Index n_factors = 4;
constexpr double share_missing = 0.25;                         // of the patients, in every assay
constexpr double median_days[n_subtypes] = {2600, 1100, 450};  // to death
constexpr double longest_follow_up = 3000;                     // days

Matrix normal_matrix(Index rows, Index cols, Random& random) {
  return Matrix::NullaryExpr(rows, cols, [&](Index, Index) { return random.normal(); });
}

// What all assays look at: the centre of the subtype plus variation within it. (N, n_factors)
Matrix states_of(const Indices& subtype, std::uint64_t seed) {
  Random random(seed, "states");
  const Matrix centres = 1.6 * normal_matrix(n_subtypes, n_factors, random);
  Matrix states = 0.7 * normal_matrix(std::ssize(subtype), n_factors, random);
  for (Index i = 0; i < states.rows(); ++i) states.row(i) += centres.row(subtype[at(i)]);
  return states;
}

// Linear functions of the states plus noise. (d, N)
Matrix signals(const Matrix& states, Index d, double noise, Random& random) {
  const Matrix loadings = normal_matrix(d, n_factors, random) / std::sqrt(double(n_factors));
  return loadings * states.transpose() + noise * normal_matrix(d, states.rows(), random);
}

// Counts with a mean of their own per gene and a library size of their own per patient.
Matrix counts(const Matrix& states, Index d, Random& random) {
  Matrix values = signals(states, d, 0.5, random);
  for (Index i = 0; i < values.cols(); ++i) {
    const double library = std::exp(0.4 * random.normal());
    values.col(i) = (values.col(i) * 0.8).array().exp() * library;
  }
  for (Index g = 0; g < d; ++g) values.row(g) *= std::exp(random.uniform(2, 7));
  return values.array().round();
}

Matrix shares(const Matrix& states, Index d, Random& random) {
  Matrix values = signals(states, d, 0.6, random);
  for (Index g = 0; g < d; ++g) values.row(g).array() += random.uniform(-2, 2);
  return (1e4 / (1 + (-values.array()).exp())).round() / 1e4;  // four digits, as such files have
}

Matrix levels(const Matrix& states, Index d, Random& random) {
  return (1e4 * signals(states, d, 0.5, random).array()).round() / 1e4;
}

std::string dotted(std::string barcode) {
  std::replace(barcode.begin(), barcode.end(), '-', '.');
  return barcode;
}

// Keeps the patients that the assay has, under the barcodes of its aliquots.
void keep_measured(CohortAssay& assay, const Strings& patients, const Mask& measured, Index m,
                   std::string (*barcode)(const std::string& patient)) {
  Indices kept;
  for (Index i = 0; i < measured.rows(); ++i)
    if (measured(i, m)) {
      kept.push_back(i);
      assay.aliquots.push_back(barcode(patients[at(i)]));
    }
  assay.values = Matrix(assay.values(Eigen::all, kept));
}

Mask drawn_missing(const Strings& patients, Index n_assays, std::uint64_t seed) {
  Mask measured(std::ssize(patients), n_assays);
  for (Index i = 0; i < measured.rows(); ++i) {
    Random random(seed, "missing", patients[at(i)]);
    Eigen::ArrayXd draws = Eigen::ArrayXd::NullaryExpr(n_assays, [&] { return random.uniform(); });
    Index kept = 0;
    draws.maxCoeff(&kept);
    for (Index m = 0; m < n_assays; ++m) measured(i, m) = draws(m) >= share_missing || m == kept;
  }
  return measured;
}

// Exponential times to death, censored by a follow-up that ends at a uniform time.
void draw_survival(Cohort& cohort, std::uint64_t seed) {
  cohort.days.resize(std::ssize(cohort.patients));
  for (Index i = 0; i < cohort.days.size(); ++i) {
    Random random(seed, "survival", cohort.patients[at(i)]);
    const double death =
        -median_days[cohort.subtype[at(i)]] / std::log(2.0) * std::log1p(-random.uniform());
    const double end = random.uniform(200, longest_follow_up);
    cohort.days(i) = std::ceil(std::min(death, end));
    cohort.died.push_back(death <= end ? 1 : 0);
  }
}

Strings numbered(const char* pattern, Index count) {
  Strings names;
  for (Index j = 0; j < count; ++j) names.push_back(fmt::format(fmt::runtime(pattern), j + 1));
  return names;
}

}  // namespace

Cohort make_cohort(Index n_patients, std::uint64_t seed) {
  Cohort cohort;
  for (Index i = 0; i < n_patients; ++i) {
    cohort.patients.push_back(fmt::format("TCGA-{}-{:04}", i % 2 == 0 ? "A1" : "B6", 1000 + i));
    cohort.subtype.push_back(
        static_cast<Index>(Random(seed, "subtype", cohort.patients.back()).below(n_subtypes)));
  }
  draw_survival(cohort, seed);
  const Matrix states = states_of(cohort.subtype, seed);
  Random random(seed, "assays");
  cohort.assays = {
      {"rna", numbered("GENE{}", 300), {}, counts(states, 300, random)},
      {"methylation", numbered("cg{:08}", 200), {}, shares(states, 200, random)},
      {"protein", numbered("protein_{}", 60), {}, levels(states, 60, random)},
  };
  const Mask measured = drawn_missing(cohort.patients, std::ssize(cohort.assays), seed);
  const auto whole = [](const std::string& p) { return p + "-01A-11R-A12P-07"; };
  const auto vial = [](const std::string& p) { return dotted(p + "-01A"); };
  const auto portion = [](const std::string& p) { return p + "-01A-21"; };
  keep_measured(cohort.assays[0], cohort.patients, measured, 0, whole);
  keep_measured(cohort.assays[1], cohort.patients, measured, 1, vial);
  keep_measured(cohort.assays[2], cohort.patients, measured, 2, portion);
  return cohort;
}

}  // namespace mkc
