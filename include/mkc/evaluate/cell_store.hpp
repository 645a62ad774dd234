#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "mkc/files/output_folder.hpp"

namespace mkc::io {

/// Finished cells of an evaluation or an experiment, as texts. While it runs they stand in
/// `.<name>.cells` beside the output folder, so that even a killed run loses none; at the end they
/// move into `cells/` of the result. Files are named by the key of the cell.
class CellStore {
 public:
  /// Whether a text is a whole cell: damaged ones are not found.
  using Check = std::function<bool(const std::string& text)>;

  /// `fresh`: what earlier runs left is forgotten by start().
  CellStore(const std::filesystem::path& target, bool fresh, Check is_cell);

  /// Before the first cell is looked for, and after all that could be wrong was checked.
  void start() const;

  std::optional<std::string> find(const std::string& key) const;
  void keep(const std::string& key, const std::string& text) const;

  /// Copies every cell there is, of other plans too, into the result.
  void move_into(OutputFolder& folder) const;
  /// After the result stands.
  void clear() const;

 private:
  std::filesystem::path earlier_, running_;
  Check is_cell_;
  bool fresh_;
};

/// Whether an evaluation or experiment writes a file or folder of this name.
bool is_name_of_run(const std::string& name);

/// Whether the folder holds the result of this command.
bool is_result_of(const std::string& command, const std::filesystem::path& folder);

}  // namespace mkc::io
