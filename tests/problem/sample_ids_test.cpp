#include "mkc/problem/sample_ids.hpp"

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "mkc/problem/name_look.hpp"
#include "mkc/problem/replicates.hpp"
#include "problem/tcga_barcode.hpp"
#include "support/view_files.hpp"

namespace mkc {
namespace {

using namespace io::test;

View with_ids(const std::string& name, const Strings& ids) {
  View view;
  view.name = name;
  view.ids = view.all_ids = ids;
  view.values = Matrix(static_cast<Index>(ids.size()), 1);
  for (Index i = 0; i < view.values.rows(); ++i) view.values(i, 0) = static_cast<double>(i);
  return view;
}

std::string sample(const std::string& rule, const std::string& id) {
  return SampleOfId(parse_id_rule(rule))(id).value_or("(none)");
}

TEST(IdRule, TextsReadBackAsThemselves) {
  for (const char* text : {"auto", "exact", "loose", "tcga-patient", "tcga-patient:01",
                           "tcga-patient:01+06", "tcga-sample", "prefix:12", "regex:^(S[0-9]+)_"})
    EXPECT_EQ(id_rule_text(parse_id_rule(text)), text);
}

TEST(IdRule, WhatIsNoRuleIsRefused) {
  for (const char* text :
       {"", "tcga", "prefix", "prefix:", "prefix:0", "prefix:x", "regex:", "regex:(", "regex:S",
        "regex:[0-", "tcga-patient:1", "tcga-patient:", "regex:(a)\\1",
        "regex:((((a{99}){99}){99}))", "exact:1"})
    EXPECT_THROW(parse_id_rule(text), OptionError) << text;
  EXPECT_THROW(parse_id_rule("regex:(" + std::string(300, 'a') + ")"), OptionError);
}

TEST(IdRule, BarcodesOfAnyLengthNamePatientAndSample) {
  const std::string whole = "TCGA-02-0001-01C-01D-0182-01";
  for (const std::size_t length : {12u, 15u, 16u, 19u, 20u, 25u, 28u})
    EXPECT_EQ(sample("tcga-patient", whole.substr(0, length)), "TCGA-02-0001") << length;
  for (const std::size_t length : {15u, 16u, 19u, 20u, 25u, 28u})
    EXPECT_EQ(sample("tcga-sample", whole.substr(0, length)), "TCGA-02-0001-01") << length;
  EXPECT_EQ(sample("tcga-sample", "TCGA-02-0001"), "(none)");
  EXPECT_EQ(sample("tcga-patient", "tcga.02.0001.01c.01d"), "TCGA-02-0001");
  EXPECT_EQ(sample("tcga-sample", "TCGA-OR-A5J2-01A-21-A39K-20"), "TCGA-OR-A5J2-01");
  for (const char* other : {"TCGA-02-00011", "TCGA-02", "TP53", "TCGA-02-0001-XYZ", ""})
    EXPECT_EQ(sample("tcga-patient", other), "(none)") << other;
}

TEST(IdRule, PrefixesCountCharactersAndPatternsTakeTheirFirstGroup) {
  EXPECT_EQ(sample("prefix:3", "Zoë_rna"), "Zoë");
  EXPECT_EQ(sample("prefix:3", "Z1"), "Z1");
  EXPECT_EQ(sample("regex:^(S[0-9]+)_", "S12_rna"), "S12");
  EXPECT_EQ(sample("regex:^(S[0-9]+)_", "T12_rna"), "(none)");
  EXPECT_EQ(sample("regex:^(?:x|y)-(.*)$", "y-7"), "7");
  EXPECT_EQ(sample("regex:(.)", "ë"), "(none)") << "half of a character";
}

TEST(IdRule, HostilePatternsEndSoon) {
  EXPECT_EQ(sample("regex:^((a+)+)+$", std::string(300, 'a') + "b"), "(none)");
  EXPECT_EQ(sample("regex:^(a?){30}a{30}$", std::string(29, 'a') + "b"), "(none)");
  EXPECT_EQ(sample("regex:(.*)", std::string(100000, 'a')), "(none)") << "too long an id";
}

TEST(ApplyIdRule, PatientsAreMatchedAndRowsKeepTheirNames) {
  std::vector<View> views = {with_ids("a", {"TCGA-02-0001-01A-11R", "TCGA-02-0002-01A-11R"}),
                             with_ids("b", {"TCGA.02.0002", "TCGA.02.0003"})};
  EXPECT_TRUE(apply_id_rule(views, parse_id_rule("tcga-patient")).empty());
  EXPECT_EQ(views[0].ids, (Strings{"TCGA-02-0001", "TCGA-02-0002"}));
  EXPECT_EQ(views[1].all_ids, (Strings{"TCGA-02-0002", "TCGA-02-0003"}));
  EXPECT_EQ(row_in_file(views[1], 0), "'TCGA.02.0002'");
}

const std::string tumour = "TCGA-02-0001-01A-11R-A29S-07", normal = "TCGA-02-0001-11A-11R-A29S-07",
                  other = "TCGA-02-0002-01A-11R-A29S-07";

TEST(ApplyIdRule, TumourAndNormalTissueNeverFallTogetherUnasked) {
  const std::vector<View> in_one = {with_ids("a", {tumour, normal, other})};
  const std::vector<View> across = {with_ids("a", {tumour, other}), with_ids("b", {normal})};
  for (const auto& given : {in_one, across}) {
    std::vector<View> views = given;
    const InputError error =
        input_error([&] { apply_id_rule(views, parse_id_rule("tcga-patient")); });
    expect_contains(error.what(), "sample 'TCGA-02-0001' has");
    expect_contains(error.what(), "of type 01 (primary tumour)");
    expect_contains(error.what(), "of type 11 (normal tissue)");
    expect_contains(error.hint().text(), "ids=tcga-patient:01 keeps only this type");
    expect_contains(error.hint().text(), "ids=tcga-sample");
    expect_contains(error.hint().text(), "ids=tcga-patient:01+11 takes all as one sample");
  }
}

TEST(ApplyIdRule, NoRuleMakesOneSampleOfTumourAndNormalTissue) {
  const std::vector<View> in_one = {with_ids("a", {tumour, normal, other})};
  const std::vector<View> across = {with_ids("a", {tumour, other}),
                                    with_ids("b", {normal, "TCGA-02-0002-11A-11R-A29S-07"})};
  for (const char* rule : {"prefix:12", "regex:^(TCGA-..-....)"})
    for (const auto& given : {in_one, across}) {
      std::vector<View> views = given;
      expect_contains(input_error([&] { apply_id_rule(views, parse_id_rule(rule)); }).what(),
                      "different sample types are not one sample");
    }
  std::vector<View> loose = across;  // each view has an ending of its own, which is its type
  expect_contains(input_error([&] { apply_id_rule(loose, parse_id_rule("loose")); }).what(),
                  "and 1 more sample so");
}

TEST(ApplyIdRule, AShortPrefixDoesNotMakeOneSampleOfPatients) {
  std::vector<View> views = {with_ids("a", {tumour, other})};
  const InputError error = input_error([&] { apply_id_rule(views, parse_id_rule("prefix:10")); });
  expect_contains(error.what(), "different patients are not one sample");
  expect_contains(error.hint().text(), "ids=tcga-patient");
}

TEST(ApplyIdRule, ASampleMapDoesNotHideTheTypesOfItsAliquots) {
  View mapped = with_ids("a", {"P1", "P1", "P2"});
  mapped.own_ids = {tumour, normal, other};
  std::vector<View> views = {mapped}, chosen = views, all = views;
  expect_contains(input_error([&] { apply_id_rule(views, parse_id_rule("auto")); }).what(),
                  "sample 'P1' has '" + tumour + "' of type 01");
  apply_id_rule(chosen, parse_id_rule("tcga-patient:01"));
  EXPECT_EQ(chosen[0].ids, (Strings{"P1", "P2"}));
  EXPECT_EQ(chosen[0].values, (Matrix(2, 1) << 0, 2).finished());
  apply_id_rule(all, parse_id_rule("tcga-patient:01+11"));
  EXPECT_EQ(all[0].ids, (Strings{"P1", "P1", "P2"}));
  View only_normal = with_ids("a", {"P1", "P2"});
  only_normal.own_ids = {normal, other};
  std::vector<View> one_left = {only_normal};
  apply_id_rule(one_left, parse_id_rule("tcga-patient:01"));
  EXPECT_EQ(one_left[0].all_ids, Strings{"P2"}) << "P1 has lost its only row";
}

TEST(ApplyIdRule, SampleTypesAreKeptApartOrLeftOutAsAsked) {
  std::vector<View> apart = {with_ids("a", {tumour, normal, other})}, kept = apart, both = apart;
  apply_id_rule(apart, parse_id_rule("tcga-sample"));
  EXPECT_EQ(apart[0].ids, (Strings{"TCGA-02-0001-01", "TCGA-02-0001-11", "TCGA-02-0002-01"}));
  const Strings notices = apply_id_rule(kept, parse_id_rule("tcga-patient:01"));
  EXPECT_EQ(kept[0].ids, (Strings{"TCGA-02-0001", "TCGA-02-0002"}));
  EXPECT_EQ(kept[0].values, (Matrix(2, 1) << 0, 2).finished());
  expect_contains(notices.at(0), "1 of type 11");
  apply_id_rule(both, parse_id_rule("tcga-patient:01+11"));
  EXPECT_EQ(both[0].ids, (Strings{"TCGA-02-0001", "TCGA-02-0001", "TCGA-02-0002"}));
  std::vector<View> none = {with_ids("a", {normal})};
  expect_contains(
      input_error([&] { apply_id_rule(none, parse_id_rule("tcga-patient:01")); }).what(),
      "no aliquot is of sample type 01");
}

TEST(ApplyIdRule, AnIdThatTheRuleDoesNotFitIsNamed) {
  std::vector<View> views = {with_ids("a", {"S1_rna", "T2"})}, again = views;
  expect_contains(
      input_error([&] { apply_id_rule(views, parse_id_rule("regex:(S[0-9])")); }).what(),
      "the id 'T2' does not match");
  expect_contains(input_error([&] { apply_id_rule(again, parse_id_rule("tcga-patient")); }).what(),
                  "'S1_rna' is not a TCGA barcode");
}

TEST(AsSamples, MasksListsAndLabelsFollowTheRule) {
  const Strings samples = {"TCGA-02-0001", "TCGA-02-0002"};
  EXPECT_EQ(as_samples({tumour, "TCGA-02-0002", "x"}, samples, parse_id_rule("tcga-patient")),
            (Strings{"TCGA-02-0001", "TCGA-02-0002", "x"}));
  EXPECT_EQ(as_samples({"s.1"}, {"S-1"}, parse_id_rule("loose")), Strings{"S-1"});
  EXPECT_EQ(as_samples({"s.1"}, {"S-1"}, parse_id_rule("auto")), Strings{"s.1"});
}

/// Views with these ids before and after a change of each.
std::optional<IdProposal> proposal(const std::function<std::string(int)>& a,
                                   const std::function<std::string(int)>& b) {
  Strings first, second;
  for (int i = 0; i < 30; ++i) first.push_back(a(i));
  for (int i = 5; i < 35; ++i) second.push_back(b(i));
  return propose_id_rule({with_ids("a", first), with_ids("b", second)});
}

TEST(ProposeIdRule, FindsTheRuleThatAlignsTheIds) {
  const auto number = [](int i) { return std::to_string(1000 + 37 * i); };
  const auto patient = [&](int i) { return "TCGA-AB-" + number(i); };
  const auto found = proposal([&](int i) { return patient(i) + "-01A-11R-A29S-07"; },
                              [&](int i) { return patient(i) + "-01A-21-A39K-20"; });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rule, "tcga-patient");
  EXPECT_EQ(found->evidence, "TCGA barcodes agree in their first 12 characters: 50 of 60");
  EXPECT_EQ(proposal([&](int i) { return "S" + number(i) + "_rna"; },
                     [&](int i) { return "S" + number(i) + "_prot"; })
                ->rule,
            "loose");
  EXPECT_EQ(
      proposal([&](int i) { return "rna_S" + number(i); }, [&](int i) { return "S" + number(i); })
          ->rule,
      "loose");
  EXPECT_EQ(proposal([&](int i) { return "ID" + number(i) + "x" + number(i % 7); },
                     [&](int i) { return "ID" + number(i) + "y" + number(i % 5); })
                ->rule,
            "prefix:6");
  const auto bases = [](int i) {
    std::string text;
    for (int k = 0; k < 16; ++k, i = (i * 5 + 3) % 1021) text += "ACGT"[(i / 3) % 4];
    return text;
  };
  const auto cells = proposal([&](int i) { return bases(i) + "-1"; },
                              [&](int i) { return "s2_" + bases(i) + "-1_b" + number(i % 3); });
  ASSERT_TRUE(cells);
  EXPECT_EQ(cells->rule, "regex:([ACGTN]{10,}(?:-[0-9]+)?)");
}

TEST(ProposeIdRule, TumourAndNormalTissueAreProposedApart) {
  Strings a, b;
  for (int i = 0; i < 20; ++i)
    for (const char* type : {"-01A", "-11A"}) {
      const std::string patient = "TCGA-AB-" + std::to_string(1000 + i) + type;
      a.push_back(patient + "-11R-A29S-07");
      b.push_back(patient + "-11D-A29S-05");
    }
  EXPECT_EQ(propose_id_rule({with_ids("a", a), with_ids("b", b)})->rule, "tcga-sample");
}

TEST(ProposeIdRule, NoRuleThatForgetsTheSampleTypeIsProposed) {
  Strings a, b;
  for (int i = 0; i < 20; ++i) {
    a.push_back(fmt::format("TCGA-02-{:04d}-01A", i));
    b.push_back(fmt::format("TCGA-02-{:04d}-11A", i));
  }
  EXPECT_FALSE(propose_id_rule({with_ids("a", a), with_ids("b", b)}));
}

TEST(ProposeIdRule, IdsThatMatchOrHaveNothingInCommonNeedNoRule) {
  const auto id = [](int i) { return "S" + std::to_string(i); };
  EXPECT_FALSE(proposal(id, id));
  EXPECT_FALSE(proposal(id, [](int i) { return "Q-" + std::to_string(i * i) + "-z"; }));
}

TEST(NumberedRows, AreMatchedOnlyWithinAFileOrWhenAsked) {
  const auto numbered = [](const std::string& file, Index first, Index n) {
    Strings ids;
    for (Index i = 0; i < n; ++i) ids.push_back(std::to_string(first + i));
    View view = with_ids(file, ids);
    view.file = file;
    view.numbered = true;
    return view;
  };
  std::vector<View> views = {numbered("a.csv", 0, 5), numbered("b.csv", 1, 5)};
  const InputError error = input_error([&] { match_numbered_rows(views, false); });
  expect_contains(error.what(), "only row numbers (0 to 4 and 1 to 5)");
  expect_contains(error.hint().text(), "match_rows");
  match_numbered_rows(views, true);
  EXPECT_EQ(views[1].ids, views[0].ids);
  std::vector<View> one_file = {numbered("a.npz", 0, 5), numbered("a.npz", 0, 5)};
  match_numbered_rows(one_file, false);
  std::vector<View> unequal = {numbered("a.csv", 0, 5), numbered("b.csv", 0, 4)};
  expect_contains(input_error([&] { match_numbered_rows(unequal, true); }).what(), "has 5 rows");
}

TEST(Replicates, TheBroadRuleChoosesByAnalyteThenPlateThenOrder) {
  const auto chosen = [](const Strings& ids) {
    std::vector<TcgaBarcode> all;
    for (const auto& id : ids) all.push_back(*parse_tcga_barcode(id));
    return ids[preferred_aliquot(all)].substr(17);
  };
  const std::string p = "TCGA-AB-1234-01A-";
  EXPECT_EQ(chosen({p + "11T-0002-07", p + "11R-0001-07", p + "11H-0001-07"}), "11H-0001-07");
  EXPECT_EQ(chosen({p + "12R-0001-07", p + "11R-0003-07", p + "11T-0009-07"}), "11R-0003-07");
  EXPECT_EQ(chosen({p + "11D-0002-01", p + "11W-0001-01"}), "11D-0002-01");
  EXPECT_EQ(chosen({p + "11D-0002-01", p + "11W-0003-01"}), "11W-0003-01");
  EXPECT_EQ(chosen({p + "11D-0009-01", p + "12D-0001-01"}), "12D-0001-01");
  EXPECT_EQ(chosen({p + "21-A39K-20", p + "11-A39K-20"}), "21-A39K-20");
}

TEST(Replicates, BroadKeepsOneAliquotOfASample) {
  std::vector<View> views = {with_ids("a", {"TCGA-02-0001-01A-11T-0001-07", tumour, other})};
  apply_id_rule(views, parse_id_rule("tcga-patient"));
  View refused = views[0];
  expect_contains(input_error([&] { merge_replicates(refused, Replicates::error); }).hint().text(),
                  "replicates=broad");
  merge_replicates(views[0], Replicates::broad);
  EXPECT_EQ(views[0].ids, (Strings{"TCGA-02-0001", "TCGA-02-0002"}));
  EXPECT_EQ(views[0].values, (Matrix(2, 1) << 1, 2).finished());
  View plain = with_ids("a", {"x", "x"});
  expect_contains(input_error([&] { merge_replicates(plain, Replicates::broad); }).what(),
                  "not a TCGA barcode");
}

TEST(NameLook, RecognisesNamingSchemes) {
  using Means = NameLook::Means;
  EXPECT_EQ(look_of({tumour, normal}).words, "TCGA barcodes");
  EXPECT_EQ(look_of({"AAACCTGAGAAACCAT-1", "AAACCTGAGAAACCGC-1"}).words, "cell barcodes");
  EXPECT_EQ(look_of({"ENSG00000141510.12", "ENSG00000012048"}).words, "Ensembl ids");
  EXPECT_EQ(look_of({"TP53", "EGFR", "MYC", "Zfp36"}).words, "gene symbols");
  EXPECT_EQ(look_of({"hsa-let-7a-1", "hsa-mir-21"}).words, "microRNA names");
  EXPECT_EQ(look_of({"S1", "S2", "S3"}).means, Means::sample);
  EXPECT_EQ(look_of({"gene1", "gene2"}).means, Means::feature);
  EXPECT_EQ(look_of({"q1", "q2"}).means, Means::nothing);
  EXPECT_EQ(look_of_corner("Sample_ID").means, Means::sample);
  EXPECT_EQ(look_of_corner("id").means, Means::sample);
  EXPECT_EQ(look_of_corner("Hugo Symbol").means, Means::feature);
  EXPECT_EQ(look_of_corner("").means, Means::nothing);
}

TEST(NameLook, RowNumbersAreConsecutive) {
  EXPECT_TRUE(are_row_numbers({"0", "1", "2"}));
  EXPECT_TRUE(are_row_numbers({"17", "18"}));
  EXPECT_FALSE(are_row_numbers({"1", "3"}));
  EXPECT_FALSE(are_row_numbers({"01", "02"}));
  EXPECT_FALSE(are_row_numbers({"a", "b"}));
  EXPECT_FALSE(are_row_numbers({"5"}));
}

}  // namespace
}  // namespace mkc
