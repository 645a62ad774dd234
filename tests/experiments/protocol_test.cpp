#include "experiments/protocol.hpp"

#include <algorithm>

#include "experiments/toy.hpp"
#include "support/expect_message.hpp"

namespace mkc {
namespace {

Problem toy() { return toy_problem("TOYG1", ToyRecipe::paper, 0); }

Split split_of(const Problem& data, const Protocol& protocol, Index number) {
  return draw_losses(data, draw_partition(data, protocol, 7, number), protocol, 7, number);
}

TEST(Protocol, PartitionsAreOfTheRightSizesAndDisjoint) {
  const Problem data = toy();
  for (const auto& [tuning, whole] : {std::pair{0.4, 0.1}, {0.6, 0.2}}) {
    Protocol protocol;
    protocol.tuning = tuning;
    protocol.whole = whole;
    const Partition p = draw_partition(data, protocol, 7, 1);
    EXPECT_EQ(double(p.whole.size()), 100 * whole);
    EXPECT_EQ(double(p.whole.size() + p.tuning.size()), 100 * tuning);
    Indices all = p.whole;
    all.insert(all.end(), p.tuning.begin(), p.tuning.end());
    all.insert(all.end(), p.test.begin(), p.test.end());
    std::sort(all.begin(), all.end());
    ASSERT_EQ(all.size(), 100u);
    for (Index i = 0; i < 100; ++i) EXPECT_EQ(all[std::size_t(i)], i);
  }
}

TEST(Protocol, PartitionsDiffer) {
  const Problem data = toy();
  EXPECT_EQ(draw_partition(data, {}, 7, 1).test, draw_partition(data, {}, 7, 1).test);
  EXPECT_NE(draw_partition(data, {}, 7, 1).test, draw_partition(data, {}, 7, 2).test);
  EXPECT_NE(draw_partition(data, {}, 7, 1).test, draw_partition(data, {}, 8, 1).test);
  Protocol few;
  few.most_tuning = 12;
  const Partition part = draw_partition(data, few, 7, 1), all = draw_partition(data, {}, 7, 1);
  EXPECT_EQ(part.tuning.size(), 12u);
  EXPECT_EQ(part.test, all.test);
  EXPECT_TRUE(
      std::includes(all.tuning.begin(), all.tuning.end(), part.tuning.begin(), part.tuning.end()));
}

TEST(Protocol, EveryChosenSampleLosesAsManyViews) {
  const Problem data = toy();
  for (const Index views : {1, 2, 3})
    for (const double losing : {0.5, 1.0}) {
      Protocol protocol;
      protocol.views_missing = views;
      protocol.losing = losing;
      const Split split = split_of(data, protocol, 2);
      for (const Index i : split.partition.whole) EXPECT_EQ(split.hidden.row(i).count(), 0);
      for (const Indices* set : {&split.partition.tuning, &split.partition.test}) {
        Index losers = 0;
        for (const Index i : *set) {
          const Index lost = split.hidden.row(i).count();
          EXPECT_TRUE(lost == 0 || lost == views);
          losers += lost > 0;
        }
        EXPECT_EQ(double(losers), losing * double(set->size()));
      }
    }
}

TEST(Protocol, EveryViewIsLostAboutAsOften) {
  Protocol protocol;
  protocol.views_missing = 2;
  const Problem data = toy();
  Eigen::ArrayXd lost = Eigen::ArrayXd::Zero(5);
  for (Index number = 1; number <= 20; ++number)
    for (Index m = 0; m < 5; ++m)
      lost(m) += double(split_of(data, protocol, number).hidden.col(m).count());
  for (Index m = 0; m < 5; ++m) EXPECT_NEAR(lost(m), 20 * 90 * 2 / 5.0, 100);
}

TEST(Protocol, TheFirstViewCanBeKept) {
  Protocol protocol;
  protocol.views_missing = 4;
  protocol.first_view_complete = true;
  const Split split = split_of(toy(), protocol, 1);
  EXPECT_EQ(split.hidden.col(0).count(), 0);
  EXPECT_EQ(split.hidden.col(1).count(), 90);
}

TEST(Protocol, ImpossibleSplitsAreRefused) {
  const Problem data = toy();
  Protocol protocol;
  protocol.views_missing = 5;
  test::expect_message([&] { split_of(data, protocol, 1); }, "5 of 5 views");
  protocol.views_missing = 1;
  protocol.whole = 0.02;
  test::expect_message([&] { split_of(data, protocol, 1); }, "2 would stay whole");
}

TEST(Protocol, TasksShareOnlyTheWholeSamples) {
  const Problem data = toy();
  Protocol protocol;
  protocol.views_missing = 2;
  const Split split = split_of(data, protocol, 1);
  const Task tuning = tuning_task(data, split), test = test_task(data, split);
  const Strings &a = tuning.truth.samples(), &b = test.truth.samples();
  EXPECT_EQ(a.size(), 40u);
  EXPECT_EQ(b.size(), 70u);
  Strings common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  Strings whole;
  for (const Index i : split.partition.whole) whole.push_back(data.samples()[std::size_t(i)]);
  EXPECT_EQ(common, whole);
  for (const Task* task : {&tuning, &test})
    for (Index m = 0; m < 5; ++m) {
      const auto& hidden = task->visible.hidden[std::size_t(m)];
      EXPECT_EQ(task->visible.problem.missing(m), hidden);
      for (const Index i : hidden) {
        const auto& name = task->truth.samples()[std::size_t(i)];
        const auto at =
            std::find(data.samples().begin(), data.samples().end(), name) - data.samples().begin();
        EXPECT_TRUE(split.hidden(at, m));
        EXPECT_EQ(task->truth.view(m).block(i, 0),
                  data.view(m).block(at, std::find(data.samples().begin(), data.samples().end(),
                                                   task->truth.samples()[0]) -
                                             data.samples().begin()));
      }
    }
}

}  // namespace
}  // namespace mkc
