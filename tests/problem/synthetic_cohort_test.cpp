#include "problem/synthetic_cohort.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace mkc {
namespace {

const CohortAssay& assay_of(const Cohort& cohort, const std::string& name) {
  for (const auto& assay : cohort.assays)
    if (assay.name == name) return assay;
  throw std::logic_error("no assay " + name);
}

std::string patient_of(std::string barcode) {
  for (auto& c : barcode)
    if (c == '.') c = '-';
  return barcode.substr(0, 12);
}

TEST(SyntheticCohort, BarcodesBeginWithThePatientAndDifferInLength) {
  const Cohort cohort = make_cohort(80, 3);
  const std::set<std::string> patients(cohort.patients.begin(), cohort.patients.end());
  EXPECT_EQ(patients.size(), 80u);
  std::set<std::size_t> lengths;
  std::set<std::string> measured;
  for (const auto& assay : cohort.assays) {
    EXPECT_EQ(assay.values.rows(), std::ssize(assay.features));
    EXPECT_EQ(assay.values.cols(), std::ssize(assay.aliquots));
    EXPECT_LT(assay.aliquots.size(), 75u);
    lengths.insert(assay.aliquots[0].size());
    for (const auto& barcode : assay.aliquots) {
      EXPECT_TRUE(patients.contains(patient_of(barcode))) << barcode;
      measured.insert(patient_of(barcode));
    }
  }
  EXPECT_EQ(lengths.size(), 3u);
  EXPECT_EQ(measured, patients) << "every patient is in an assay";
}

TEST(SyntheticCohort, AssaysHaveTheirKindsOfValues) {
  const Cohort cohort = make_cohort(60, 1);
  const Matrix& rna = assay_of(cohort, "rna").values;
  EXPECT_TRUE((rna.array() >= 0).all() && (rna.array() == rna.array().round()).all());
  EXPECT_GT(rna.maxCoeff(), 1000);
  const Matrix& methylation = assay_of(cohort, "methylation").values;
  EXPECT_TRUE((methylation.array() >= 0).all() && (methylation.array() <= 1).all());
  EXPECT_LT(assay_of(cohort, "protein").values.minCoeff(), -1);
}

TEST(SyntheticCohort, SubtypesDifferInSurvival) {
  const Cohort cohort = make_cohort(600, 5);
  double days[3] = {}, deaths[3] = {};
  for (std::size_t i = 0; i < cohort.patients.size(); ++i) {
    days[cohort.subtype[i]] += cohort.days(static_cast<Index>(i));
    deaths[cohort.subtype[i]] += static_cast<double>(cohort.died[i]);
  }
  // Exponential times: deaths per day estimate log(2) / median.
  const double medians[3] = {2600, 1100, 450};
  for (int g = 0; g < 3; ++g)
    EXPECT_NEAR(std::log(2.0) * days[g] / deaths[g] / medians[g], 1, 0.35);
}

TEST(SyntheticCohort, TheSeedDecides) {
  EXPECT_EQ(make_cohort(30, 2).assays[0].values, make_cohort(30, 2).assays[0].values);
  EXPECT_NE(make_cohort(30, 2).days, make_cohort(30, 3).days);
}

}  // namespace
}  // namespace mkc
