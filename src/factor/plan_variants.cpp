// Plans that follow from others: for other rows, or without some.
#include <algorithm>

#include "factor/plan_data.hpp"
#include "mkc/base/error.hpp"

namespace mkc::factor {

const Indices& Plan::rows() const { return data_->settings.skipped; }

bool Plan::is_shared() const { return data_->rows != PlanRows::own; }

Plan Plan::for_samples(Index count, const Indices& observed) const {
  auto data = std::make_shared<Data>(*data_);
  data->n_samples = count;
  for (std::size_t m = 0; m < observed.size(); ++m) data->views[m].observed = observed[m];
  data->settings.skipped.clear();
  return Plan(std::move(data));
}

Plan Plan::without(const Indices& gone, const Indices& observed) const {
  // The place of a row among those that stay.
  const auto moved = [&](Index row) {
    return row - (std::lower_bound(gone.begin(), gone.end(), row) - gone.begin());
  };
  auto data = std::make_shared<Data>(*data_);
  for (Indices* rows : {&data->sample_rows, &data->settings.skipped})
    for (Index& row : *rows) {
      if (std::binary_search(gone.begin(), gone.end(), row))
        throw InputError("the plan was made on a row that it is to forget", "make a new plan");
      row = moved(row);
    }
  for (FeatureMap& map : data->maps)
    for (Index& column : map.columns) column = moved(column);
  data->n_samples -= std::ssize(gone);
  for (std::size_t m = 0; m < observed.size(); ++m) data->views[m].observed = observed[m];
  return named(std::move(data));
}

}  // namespace mkc::factor
