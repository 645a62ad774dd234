#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "mkc/files/output_folder.hpp"

namespace mkc::io {

/// Finished trials of an evaluation or an experiment, as texts in files named by their keys. During
/// a run they are in the folder `.<name>.cells` beside the output folder, so that even a killed run
/// loses none; at the end they move into `cells/` of the result.
class TrialStore {
 public:
  /// Whether a text is a whole trial. Damaged ones are not found.
  using Check = std::function<bool(const std::string& text)>;

  /// `fresh`: start() removes the trials of earlier runs.
  TrialStore(const std::filesystem::path& target, bool fresh, Check is_trial);

  /// To be called after all checks of the input and before the first find().
  void start() const;

  std::optional<std::string> find(const std::string& key) const;
  void keep(const std::string& key, const std::string& text) const;

  /// Copies all stored trials, also those of other plans, into the result.
  void move_into(OutputFolder& folder) const;
  /// To be called after the result is in place: removes the trials that it holds. Those that
  /// another run has finished since stay.
  void clear(const OutputFolder& result) const;
  /// To be called when no process of this run writes any more: removes what a killed one left.
  void remove_partial() const;

 private:
  void remove_running(const std::function<bool(const std::filesystem::path&)>& is_done) const;

  std::filesystem::path earlier_, running_;
  Check is_trial_;
  bool fresh_;
};

}  // namespace mkc::io
