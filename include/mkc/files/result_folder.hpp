#pragma once

#include "mkc/files/output_folder.hpp"
#include "mkc/problem/assemble.hpp"
#include "mkc/problem/result.hpp"

namespace mkc::io {

enum class KernelFormat { npz, tsv, hdf5, h5mu, mat };
const Strings& kernel_format_names();  // in the order of the enumeration

struct InputFile {
  std::string path;
  std::string sha256;
};

/// The time now, "2026-01-31T09:30:00Z".
std::string now_utc();

/// What a run was: stored with its result, so that the result can be made again.
struct RunRecord {
  std::string command_line;
  std::vector<InputFile> inputs;
  int threads = 1;
  bool fitted = false;
  std::vector<std::pair<std::string, double>> seconds;  // phases around the method: read, write
  std::string created = now_utc();                      // when the run began
  std::string ids = "exact";                            // the rule by which ids name samples
};

/// meta_info.json: version, command line, parameters, seed, status, timings, input hashes.
std::string meta_info(const Assembled& assembled, const Completion& completion,
                      const RunRecord& record);

/// Whether a file of a result may have this name inside its folder.
bool is_result_name(const std::string& relative);

/// The output contract (docs/reference/output.md): kernels, observed.tsv, view_relations.tsv where
/// there is S, uncertainty.tsv where the method has one, meta_info.json, mkc_mqc.json for MultiQC.
void write_result(OutputFolder& folder, const Assembled& assembled, const Completion& completion,
                  const RunRecord& record, KernelFormat format);

}  // namespace mkc::io
