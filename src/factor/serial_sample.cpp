#include "factor/archive.hpp"
#include "factor/plan_data.hpp"
#include "mkc/base/error.hpp"

// What the sample of a plan holds, for writing and reading alike.
namespace mkc::factor {

namespace {

struct Named {  // an observed kernel of a trial
  std::string name;
  Indices rows;
  Matrix block;
};

/// A trial without the checks of a Problem.
struct StoredTrial {
  Strings samples;
  std::vector<Named> views;
  std::vector<Mask> hidden;
};

}  // namespace

template <class Archive>
void fields(Archive& archive, Rows& rows) {
  archive("features", rows.features);
  archive("has", rows.has);
}

template <class Archive>
void fields(Archive& archive, Named& view) {
  archive("name", view.name);
  archive("rows", view.rows);
  archive("block", view.block);
}

template <class Archive>
void fields(Archive& archive, StoredTrial& trial) {
  archive("samples", trial.samples);
  archive("views", trial.views);
  archive("hidden", trial.hidden);
}

namespace {

StoredTrial stored(const Trial& trial) {
  StoredTrial all{trial.truth.samples(), {}, trial.hidden};
  for (const auto& view : trial.truth.views())
    all.views.push_back({view.name, view.rows, Matrix(view.block)});
  return all;
}

Trial restored(StoredTrial all) {
  std::vector<ObservedKernel> views;
  for (auto& view : all.views)
    views.push_back({view.name, std::move(view.rows), std::move(view.block), {}});
  ProblemChecks checks;
  checks.psd = PsdPolicy::unchecked;
  return {Problem(std::move(all.samples), std::move(views), checks), std::move(all.hidden)};
}

}  // namespace

Arrays Plan::sample_arrays() const { return arrays_of(data_->sample()); }

Arrays arrays_of(const PlanSample& sample) {
  Arrays arrays{"sample", {}, {}};
  Writer writer(arrays);
  writer("rows", sample.rows);
  std::optional<StoredTrial> trial;
  if (sample.trial) trial = stored(*sample.trial);
  writer("trial", trial);
  return closed(std::move(arrays));
}

Plan Plan::with_sample(Arrays arrays) const {
  check_content(arrays, "sample");
  if (arrays.word("id") != data_->sample_id)
    throw InputError("sample: it belongs to another plan", "give the one that was made with it");
  auto sample = std::make_shared<PlanSample>();
  Reader reader(std::move(arrays));
  reader("rows", sample->rows);
  std::optional<StoredTrial> trial;
  reader("trial", trial);
  if (trial) sample->trial = restored(*std::move(trial));
  auto data = std::make_shared<Data>(*data_);
  data->known_sample = std::move(sample);
  return Plan(std::move(data));
}

}  // namespace mkc::factor
