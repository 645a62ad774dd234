#pragma once

#include "files/large_views.hpp"
#include "mkc/factor/source.hpp"
#include "mkc/problem/assemble.hpp"

namespace mkc::io {

/// Where the values of a view are.
struct ViewRows {
  std::shared_ptr<const RowSource> source;
  ViewKind kind = ViewKind::features;
  Indices columns;         // of the source, those in use; empty: all
  std::string columns_id;  // digest of their names; "": they have none
};

/// What a source of several views consists of.
struct JointTables {
  std::vector<factor::SourceView> views;
  std::vector<ViewRows> rows;
  std::shared_ptr<const RowSource> index;  // (views, samples): the row of each sample; -1: missing
  Strings samples;                         // names of samples first_named, first_named + 1, ...
  Index first_named = 0;
};

/// Views of a run, row by row in the order of its samples.
class JointSource : public factor::Source {
 public:
  /// OptionError for options of a view that completion in factor form does not have.
  JointSource(std::vector<LargeView> views, const Alignment& alignment, NaPolicy na_features);
  explicit JointSource(JointTables tables) : tables_(std::move(tables)) {}

  Index n_samples() const override { return tables_.index->columns(); }
  std::string sample(Index row) const override {
    return tables_.samples[at(row - tables_.first_named)];
  }
  const std::vector<factor::SourceView>& views() const override { return tables_.views; }
  const JointTables& tables() const { return tables_; }
  Index observed(Index view) const;  // how many samples a view has

  void read(Index view, Index first, Index count, Matrix& X, factor::Presence& has) const override;
  void presence(Index view, Index first, Index count, factor::Presence& has) const override;
  void gather(Index view, const Indices& rows, Matrix& X, factor::Presence& has) const override;
  void read_columns(Index view, Index first, Index count, const Indices& columns, Matrix& X,
                    factor::Presence& has) const override;

  /// The same without some samples, ascending; those of the source have names.
  JointSource without(const Indices& gone) const;

  /// The row of each sample first, ..., first + count - 1 in the table of a view; -1: missing.
  Vector places(Index view, Index first, Index count) const;

 private:
  void read_rows_of(Index view, const Indices& samples, Matrix& X, factor::Presence& has) const;

  JointTables tables_;
};

}  // namespace mkc::io
