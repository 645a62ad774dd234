#include <gtest/gtest.h>

#include "mkc/problem/assemble.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using test::expect_contains;
using test::input_error;

View view_of(const std::string& name, const Strings& ids) {
  View view;
  view.name = name;
  view.source = name + ".csv";
  view.ids = view.all_ids = ids;
  view.values = Matrix(static_cast<Index>(ids.size()), 2);
  for (Index i = 0; i < view.values.rows(); ++i)
    view.values.row(i) << static_cast<double>(ids[at(i)].back()), static_cast<double>(i % 2);
  return view;
}

std::vector<View> three() {
  return {view_of("a", {"s1", "s2", "s3"}), view_of("b", {"s3", "s4", "s2"}),
          view_of("c", {"s2", "s3", "s5"})};
}

AssembleOptions listed(const Strings& list) {
  AssembleOptions options;
  options.samples = {SampleChoice::Kind::listed, list, "list.txt"};
  return options;
}

AssembleOptions in_every_view() {
  AssembleOptions options;
  options.samples.kind = SampleChoice::Kind::in_every_view;
  return options;
}

TEST(AlignSamples, UnionIntersectionAndList) {
  const Alignment all = align_samples(three(), {});
  EXPECT_EQ(all.samples, (Strings{"s1", "s2", "s3", "s4", "s5"}));
  Mask expected(5, 3);
  expected << true, false, false, true, true, true, true, true, true, false, true, false, false,
      false, true;
  EXPECT_TRUE((all.observed == expected).all());
  EXPECT_EQ(align_samples(three(), in_every_view()).samples, (Strings{"s2", "s3"}));
  const Alignment some = align_samples(three(), listed({"s4", "s2"}));
  EXPECT_EQ(some.samples, (Strings{"s4", "s2"}));
  EXPECT_TRUE(some.observed(0, 1) && !some.observed(0, 0) && some.observed.row(1).all());
}

TEST(AlignSamples, AMaskHidesBeforeTheIntersectionIsTaken) {
  AssembleOptions options = in_every_view();
  options.mask = MaskTable{{"s1", "s2", "s3", "s4", "s5"}, {"b"}, Mask(5, 1)};
  options.mask->observed << false, false, true, true, false;
  EXPECT_EQ(align_samples(three(), options).samples, Strings{"s3"});
}

TEST(AlignSamples, EmptyIntersectionsAndUnknownSamplesAreRefused) {
  InputError error = input_error(
      [] { align_samples({view_of("a", {"s1"}), view_of("b", {"s2"})}, in_every_view()); });
  expect_contains(error.what(), "none of the 2 samples is in all 2 views (a has 1, b has 1)");
  error = input_error([] { align_samples(three(), listed({"s2", "s22", "x"})); });
  expect_contains(error.what(), "list.txt: 2 of 3 samples are in no view: 's22', 'x'");
  expect_contains(error.what(), "did you mean 's2'?");
}

TEST(Assemble, KernelsAreInTheOrderOfTheSamples) {
  const std::vector<View> views = {view_of("a", {"s1", "s2", "s3", "s5"}),
                                   view_of("b", {"s3", "s4", "s2", "s5"})};
  const Assembled assembled = assemble(views, listed({"s3", "s2", "s4", "s5"}));
  EXPECT_EQ(assembled.problem.samples(), (Strings{"s3", "s2", "s4", "s5"}));
  EXPECT_EQ(assembled.problem.view(0).rows, (Indices{0, 1, 3}));
  EXPECT_EQ(assembled.problem.view(1).rows, (Indices{0, 1, 2, 3}));
}

TEST(Assemble, AViewThatSharesTwoSamplesIsRefusedAndOneThatSharesFewIsNoticed) {
  std::vector<View> views = {view_of("a", {"s1", "s2", "s3", "s4", "s5"}),
                             view_of("b", {"s4", "s5", "t1"})};
  expect_contains(input_error([&] { assemble(views, {}); }).what(),
                  "view 'b' (b.csv) has only 2 samples in common with any other view");
  views[1] = view_of("b", {"s3", "s4", "s5", "t1"});
  const Strings notices = assemble(views, {}).notices;
  ASSERT_EQ(notices.size(), 2u);
  expect_contains(notices[1], "view 'b' (b.csv): it shares only 3 samples with other views");
}

TEST(Assemble, AViewThatSharesNoSampleIsRefused) {
  std::vector<View> views = {view_of("a", {"s1", "s2"}), view_of("b", {"s1", "s2"}),
                             view_of("c", {"t7", "t8"})};
  InputError error = input_error([&] { assemble(views, {}); });
  expect_contains(error.what(),
                  "view 'c' (c.csv) has no sample in common with any other view: it "
                  "has 't7', 't8', view 'a' has 's1', 's2'");
  expect_contains(error.hint().text(), "sample_map=FILE");
  views[2] = view_of("c", {"S-1", "S-2", "S-3"});
  views[0] = view_of("a", {"s.1", "s.2", "s.3"});
  views[1] = view_of("b", {"s.1", "s.2", "s.3"});
  error = input_error([&] { assemble(views, {}); });
  expect_contains(error.hint().text(), "ids=loose");
}

}  // namespace
}  // namespace mkc::io
