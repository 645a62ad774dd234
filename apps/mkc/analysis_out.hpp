#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "files/input_record.hpp"
#include "files/result_reader.hpp"
#include "mkc/files/pending_file.hpp"
#include "terminal.hpp"

namespace mkc::app {

/// What `mkc embed`, `mkc cluster` and `mkc drivers` read and write: a result folder or a kernel
/// file in, a table and a JSON file of the same name beside it out.
class AnalysisRun {
 public:
  /// Made before the work: refuses outputs that exist (without `force`), that are inputs, or that
  /// have a wrong extension. `more_inputs` are read beside the result.
  AnalysisRun(std::string command, std::string input, const std::string& output, bool gzip_too,
              const Strings& more_inputs, bool force);

  /// The kernels; a note where the run that made them was interrupted.
  io::StoredResult read(Terminal& terminal) const;

  /// The factors instead, where whole kernels are too many; nothing where they are not.
  std::optional<io::StoredFactors> read_factors(Terminal& terminal) const;

  std::string table_path() const { return table_.path(); }
  std::string json_target() const { return json_.target().string(); }

  /// Writes the JSON file (`content` after version, command line, time, hashes of the inputs and of
  /// the table) and moves both files into place. The table must have been written to table_path().
  /// A process that is killed between the two leaves a JSON file whose hash is not the table's.
  nlohmann::ordered_json commit(const nlohmann::ordered_json& content);

 private:
  std::string command_, input_, created_;
  io::InputRecord inputs_;
  io::PendingFile table_, json_;
};

/// NaN as null.
nlohmann::ordered_json json_number(double value);

}  // namespace mkc::app
