#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "mkc/io/evaluation.hpp"
#include "mkc/io/output_folder.hpp"

namespace mkc::app {

/// Finished cells of an evaluation. While it runs they stand in `.<name>.cells` beside the output
/// folder, so that even a killed run loses none; at the end they move into `cells/` of the result.
/// Files are named by the key of the cell.
class CellStore {
 public:
  /// `fresh`: forget what earlier runs left.
  CellStore(const std::filesystem::path& target, bool fresh);

  std::optional<EvaluatedCell> find(const std::string& key) const;
  void keep(const std::string& key, const EvaluatedCell& cell) const;

  /// Copies every cell there is, of other plans too, into the result.
  void move_into(io::OutputFolder& folder) const;
  /// After the result stands.
  void clear() const;

 private:
  std::filesystem::path earlier_, running_;
};

/// Whether the folder holds the result of an evaluation.
bool is_evaluation(const std::filesystem::path& folder);

}  // namespace mkc::app
