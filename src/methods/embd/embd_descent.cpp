#include "methods/embd/embd_descent.hpp"

#include <fmt/format.h>

namespace mkc {

void check_form(const std::string& method, EmbeddingForm form, bool of_paper,
                const std::string& option, const std::string& why) {
  if (form == EmbeddingForm::features && of_paper)
    throw OptionError(fmt::format("{}: {} needs form=paper: {}", method, option, why),
                      "add form=paper, or leave the option out");
}

double choose_ridge(const TuningSet& tuning, const std::vector<double>& grid, double fallback,
                    DiagonalRule diagonal, int threads, SharedProgress& progress,
                    Strings& notices) {
  const Choice choice = tuning.choose(
      grid.size(), threads, progress, "choosing ridge",
      [&](const Problem& copy, std::size_t k, const ProgressCallback&) {
        return reconstructed_kernels(copy, leave_one_out_weights(copy, grid[k]), diagonal);
      });
  const double ridge = choice.made() ? grid[choice.best] : fallback;
  notices.push_back(choice.notice(fmt::format("ridge = {}", ridge)));
  return ridge;
}

std::string basis_notice(const Problem& problem, const Indices& basis) {
  std::string text = "basis sets:";
  for (Index m = 0; m < problem.n_views(); ++m)
    text += fmt::format("{} '{}' {} of {}", m == 0 ? "" : ",", problem.view(m).name, basis[at(m)],
                        problem.view(m).rows.size());
  return text;
}

Index nonzero_rows(const MatrixRef& A) { return (A.rowwise().squaredNorm().array() > 0).count(); }

}  // namespace mkc
