#pragma once

#include "files/large_views.hpp"
#include "mkc/factor/source.hpp"
#include "mkc/problem/assemble.hpp"

namespace mkc::io {

/// Views of a run, row by row in the order of its samples.
class JointSource : public factor::Source {
 public:
  /// OptionError for options of a view that completion in factor form does not have.
  JointSource(std::vector<LargeView> views, const Alignment& alignment, NaPolicy na_features);

  Index n_samples() const override { return static_cast<Index>(samples_.size()); }
  std::string sample(Index row) const override { return samples_[at(row)]; }
  const Strings& samples() const { return samples_; }
  const std::vector<factor::SourceView>& views() const override { return views_; }
  Index observed(Index view) const;  // how many samples a view has

  void read(Index view, Index first, Index count, Matrix& X, factor::Presence& has) const override;
  void presence(Index view, Index first, Index count, factor::Presence& has) const override;
  void gather(Index view, const Indices& rows, Matrix& X, factor::Presence& has) const override;
  void read_columns(Index view, Index first, Index count, const Indices& columns, Matrix& X,
                    factor::Presence& has) const override;

 private:
  struct Rows {
    std::shared_ptr<const RowSource> source;
    ViewKind kind;
    Indices columns;               // of the source, those in use; empty: all
    std::vector<std::int64_t> of;  // the row of the source of each sample; -1: missing
  };
  void read_rows_of(const Rows& view, const Indices& samples, Matrix& X,
                    factor::Presence& has) const;

  Strings samples_;
  std::vector<factor::SourceView> views_;
  std::vector<Rows> rows_;
};

}  // namespace mkc::io
