#include "problems.hpp"

#include <sstream>
#include <utility>

#include "base/random.hpp"
#include "formats/npz.hpp"
#include "kernels/functions.hpp"
#include "mkc/base/error.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::bench {

namespace {

Problem synthetic(Index n, Index m, bool first_complete) {
  Random random(1, "benchmark");
  const auto normal = [&](Index, Index) { return random.normal(); };
  const Matrix state = Matrix::NullaryExpr(n, 5, normal);
  std::vector<Matrix> kernels;
  for (Index v = 0; v < m; ++v) {
    const Matrix loadings = Matrix::NullaryExpr(5, 20, normal);
    kernels.push_back(exponential_of_distances(
        squared_distances(linalg::multiply(state, loadings).array().tanh().matrix()), 0.05));
  }
  Mask observed(n, m);
  for (Index i = 0; i < n; ++i)
    for (Index v = 0; v < m; ++v) observed(i, v) = random.uniform() > 0.3 || v == i % m;
  if (first_complete) observed.col(0).setConstant(true);
  return Problem(kernels, observed);
}

Problem from_file(const std::string& path) {
  Strings samples;
  std::vector<ObservedKernel> views;
  for (auto& [name, array] : io::read_npz(path)) {
    if (name == "samples")
      samples = io::take_ids(std::move(array), path);
    else
      views.push_back(gather_observed(name, io::take_matrix(std::move(array), path)));
  }
  return Problem(std::move(samples), std::move(views), {.psd = PsdPolicy::clip});
}

}  // namespace

Problem problem_of(const std::string& text) {
  if (!text.starts_with("synthetic:")) return from_file(text);
  std::istringstream words(text.substr(10));
  Index n = 0, m = 0;
  char colon = 0;
  if (!(words >> n >> colon >> m) || n < 2 || m < 2)
    throw OptionError("'" + text + "' is not a problem", "write synthetic:N:M or a file");
  std::string rest;
  words >> rest;
  return synthetic(n, m, rest == ":complete");
}

}  // namespace mkc::bench
