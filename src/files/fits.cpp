#include "files/fits.hpp"

#include <fmt/format.h>

namespace mkc::io {

using factor::Model;

namespace {

/// The object that `make` makes of the arrays in a file; its errors name the file.
template <class Make>
auto made_of(const std::string& path, const std::string& kind, const Make& make) {
  factor::Arrays arrays = read_object(path, kind);
  try {
    return make(std::move(arrays));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path, error.what()), error.hint());
  }
}

}  // namespace

Model read_fit(const PlanFolder& folder, const std::string& path) {
  if (path.empty()) return factor::start_model(folder.plan());
  read_part(path, "fit", folder.id());
  return made_of(path, "model", [&](factor::Arrays arrays) {
    return Model::from(folder.plan(), std::move(arrays));
  });
}

Model fit_for_round(const PlanFolder& folder, const std::string& path, Index round) {
  Model model = read_fit(folder, path);
  if (model.rounds_done() >= folder.plan().rounds())
    throw InputError(fmt::format("{}: all {} rounds are done", path, model.rounds_done()),
                     "go on with 'mkc apply'");
  if (round != model.rounds_done() + 1)
    throw OptionError(fmt::format("round {}: {} round {} is next", round,
                                  path.empty() ? "without a fit" : "after '" + path + "'",
                                  model.rounds_done() + 1),
                      {{"fit", "FILE", "names the fit of the round before"}});
  return model;
}

Model finished_fit(const PlanFolder& folder, const std::string& path) {
  Model model = read_fit(folder, path);
  if (!model.finished())
    throw InputError(fmt::format("{}: {} of {} rounds are done", path, model.rounds_done(),
                                 folder.plan().rounds()),
                     "give the fit of the last round");
  return model;
}

factor::Moments read_moments(const std::string& path) {
  return made_of(path, "moments", factor::Moments::from);
}

std::unique_ptr<PendingFile> file_of_step(const std::string& output, bool force,
                                          const PartRecord& part) {
  return place_of_step(
      force, [&] { return is_done(output, output, part); },
      [&] { return std::make_unique<PendingFile>(output, force); });
}

bool write_step(const PartRecord& part, const factor::Arrays& object, PendingFile& file) {
  write_arrays(file.path(), {to_arrays(part), object});
  return commit_step(file, file.target().string(), part);
}

}  // namespace mkc::io
