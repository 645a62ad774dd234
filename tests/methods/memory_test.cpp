// The working memory that the methods of the paper declare, against what they allocate.
#include "mkc/complete.hpp"
#include "mkc/registry.hpp"
#include "support/allocation_counter.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

struct Case {
  std::string method;
  Index n_samples, n_views;
  double missing;
  int threads;
};

class Memory : public ::testing::TestWithParam<Case> {};

TEST_P(Memory, IsAtMostWhatTheMethodDeclares) {
  const Case& c = GetParam();
  const Problem problem =
      test::random_problem(1,
                           {.n_samples = c.n_samples, .n_views = c.n_views, .missing = c.missing})
          .problem();
  RunOptions run;
  run.threads = c.threads;
  complete(problem, c.method, run);  // tables and thread-local buffers are made once
  test::reset_peak_bytes();
  const auto before = static_cast<double>(test::live_bytes());
  const Completion completion = complete(problem, c.method, run);
  const double square = 8.0 * static_cast<double>(c.n_samples * c.n_samples);
  const double result = square * static_cast<double>(c.n_views);
  const double counted = static_cast<double>(test::peak_bytes()) - before - result;
  const double claimed =
      find_method(parse_spec(c.method).name).working_bytes(c.n_samples, c.n_views, c.threads);
  EXPECT_LE(counted, claimed) << counted / square << " of " << claimed / square << " N^2 doubles";
  RecordProperty("counted", std::to_string(counted / square));
  // with the options given: choosing them takes as much per thread, on 300 samples at most
  if (c.method.rfind("embd_ht,c1", 0) == 0) {
    EXPECT_LE(counted, 8 * result) << counted / square << " N^2 doubles";
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const double missing : {0.1, 0.4}) {
    all.push_back({"embd_ht,c1=0.1,c2=0.03,ridge=0.01,max_iter=2", 140, 4, missing, 1});
    all.push_back({"embd_hm,c2=0.1,ridge=0.01,max_iter=2", 140, 4, missing, 1});
    all.push_back({"app,c2=0.01,max_iter=2", 100, 4, missing, 1});
    all.push_back({"sdp,c=0.1,max_iter=2", 100, 4, missing, 1});
    for (const int threads : {1, 2})
      for (const char* method :
           {"embd_ht,max_iter=2", "embd_hm,max_iter=2", "app,max_iter=2", "sdp,max_iter=2"})
        all.push_back({method, 64, 3, missing, threads});
  }
  all.push_back({"auto,candidates=latent+mean", 70, 8, 0.3, 2});
  all.push_back({"auto,candidates=transfer+mean", 130, 4, 0.3, 1});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Methods, Memory, ::testing::ValuesIn(cases()), [](const auto& parameter) {
  const Case& c = parameter.param;
  std::string name = c.method + "_" + std::to_string(static_cast<int>(100 * c.missing)) + "_" +
                     std::to_string(c.threads);
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
});

}  // namespace
}  // namespace mkc
