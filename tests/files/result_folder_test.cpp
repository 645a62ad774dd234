// What a result stores about its run.
#include "mkc/files/result_folder.hpp"

#include <nlohmann/json.hpp>

#include "mkc/complete.hpp"
#include "support/random_problem.hpp"

namespace mkc::io {
namespace {

TEST(MetaInfo, HoldsTheTimeOfTheRunAndNotOfWriting) {
  // the file and the output of --json differed where a second ended between them
  Assembled assembled{test::random_problem(3).problem(), {}, {}, {}, {}};
  assembled.views.resize(at(assembled.problem.n_views()));
  const Completion completion = complete(assembled.problem, "mean", {});
  RunRecord record;
  EXPECT_EQ(record.created.size(), std::string("2026-01-31T09:30:00Z").size());
  record.created = "2001-02-03T04:05:06Z";
  const auto meta = nlohmann::json::parse(meta_info(assembled, completion, record));
  EXPECT_EQ(meta["created"], record.created);
  EXPECT_EQ(meta["n_views"], 3);
}

}  // namespace
}  // namespace mkc::io
