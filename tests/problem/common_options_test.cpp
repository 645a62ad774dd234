#include "mkc/base/error.hpp"
#include "mkc/kernels/kernel_options.hpp"
#include "mkc/problem/assemble.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using test::random_matrix;

const OptionValues wide{{"gamma", "0.25"}};

View features(const std::string& name, const OptionValues& own, const OptionValues& common) {
  View view;
  view.name = name;
  view.source = name + ".csv";
  for (int i = 0; i < 12; ++i) view.ids.push_back(fmt::format("s{}", i));
  view.all_ids = view.ids;
  view.values = random_matrix(12, 4, 1);
  view.kernel_options = own;
  view.common_options = common;
  return view;
}

std::string refusal_of(std::vector<View> views) {
  try {
    assemble(std::move(views), {});
  } catch (const OptionError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(CommonOptions, AreForTheViewsWhoseKernelHasThem) {
  const Assembled found = assemble(
      {features("a", {{"kernel", "linear"}}, wide), features("b", {{"kernel", "rbf"}}, wide)}, {});
  const auto expected = [](const OptionValues& options) {
    return compute_kernel(random_matrix(12, 4, 1), kernel_option_table().parse(options)).kernel;
  };
  EXPECT_EQ(Matrix(found.problem.view(0).block), expected({{"kernel", "linear"}}));
  EXPECT_EQ(Matrix(found.problem.view(1).block), expected({{"kernel", "rbf"}, wide[0]}));
}

TEST(CommonOptions, GiveWayToThoseOfTheView) {
  const OptionValues own{{"kernel", "rbf"}, {"gamma", "3"}};
  const Assembled found = assemble({features("a", own, wide)}, {});
  EXPECT_NE(found.views[0].kernel.find("gamma 3"), std::string::npos) << found.views[0].kernel;
}

TEST(CommonOptions, NeedAnEffectInOneView) {
  EXPECT_EQ(refusal_of({features("a", {{"kernel", "linear"}}, wide),
                        features("b", {{"kernel", "cosine"}}, wide)}),
            "option 'gamma' has no effect with kernel=linear or kernel=cosine");
  EXPECT_EQ(refusal_of({features("a", {{"kernel", "linear"}}, wide),
                        features("b", {{"kernel", "linear"}}, wide)}),
            "option 'gamma' has no effect with kernel=linear");
}

TEST(CommonOptions, HaveNoEffectOnFinishedKernels) {
  View kernel = features("k", {}, {{"transform", "log1p"}});
  kernel.kind = ViewKind::kernel;
  kernel.values = Matrix::Identity(12, 12);
  EXPECT_EQ(refusal_of({kernel}), "option 'transform' has no effect with kernels that are given");
}

TEST(CommonOptions, WrongValuesNameTheView) {
  EXPECT_NE(refusal_of({features("a", {}, {{"gamma", "wide"}})}).find("view 'a' (a.csv): option"),
            std::string::npos);
}

}  // namespace
}  // namespace mkc
