#pragma once

#include "mkc/factor/source.hpp"

namespace mkc::factor {

/// Tables in memory; rows that a view lacks are NaN in it.
class MatrixSource : public Source {
 public:
  MatrixSource(std::vector<Matrix> tables, std::vector<SourceView> views, Mask has,
               Strings samples = {})
      : tables_(std::move(tables)),
        views_(std::move(views)),
        has_(std::move(has)),
        samples_(std::move(samples)) {
    for (std::size_t m = 0; m < tables_.size(); ++m) {
      views_[m].columns = tables_[m].cols();
      for (Index i = 0; i < has_.rows(); ++i)
        if (!has_(i, static_cast<Index>(m)))
          tables_[m].row(i).setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }

  Index n_samples() const override { return has_.rows(); }
  std::string sample(Index row) const override {
    return samples_.empty() ? "s" + std::to_string(row) : samples_[at(row)];
  }
  const std::vector<SourceView>& views() const override { return views_; }
  void read(Index view, Index first, Index count, Matrix& X, Presence& has) const override {
    X = tables_[at(view)].middleRows(first, count);
    presence(view, first, count, has);
  }
  void presence(Index view, Index first, Index count, Presence& has) const override {
    has = has_.col(view).segment(first, count);
  }

 private:
  std::vector<Matrix> tables_;
  std::vector<SourceView> views_;
  Mask has_;
  Strings samples_;
};

/// Views named v0, v1, ... with the same kernel.
inline std::vector<SourceView> source_views(std::size_t count, const KernelOptions& kernel) {
  std::vector<SourceView> views;
  for (std::size_t m = 0; m < count; ++m) views.push_back({"v" + std::to_string(m), 0, kernel, {}});
  return views;
}

}  // namespace mkc::factor
