#include "folders.hpp"

#include <filesystem>
#include <vector>

#include "files/result_reader.hpp"
#include "report/page_data.hpp"
#include "zip_sums.hpp"

namespace mkc::fuzz {

namespace fs = std::filesystem;

namespace {

/// A copy of a folder of tests/fixtures with one file replaced. The file that an earlier input
/// replaced is put back.
std::string write_into(Scratch& scratch, const std::string& kind,
                       const std::vector<std::string>& files, std::string_view bytes) {
  const fs::path whole = fs::path(MKC_SOURCE_DIR) / "tests/fixtures" / kind,
                 copy = fs::path(scratch.folder()) / kind;
  static std::string replaced;
  if (!fs::exists(copy)) {
    fs::create_directories(copy);
    fs::copy(whole, copy, fs::copy_options::recursive);
  }
  const unsigned char choice = bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]);
  const std::string& file = files[choice % files.size()];
  if (!replaced.empty() && replaced != file)
    fs::copy_file(whole / replaced, copy / replaced, fs::copy_options::overwrite_existing);
  replaced = file;
  bytes.remove_prefix(bytes.empty() ? 0 : 1);
  const std::string path = kind + "/" + file;
  scratch.write(path, file.ends_with(".npz") ? with_right_sums(bytes) : std::string(bytes));
  return copy.string();
}

}  // namespace

std::string write_into_result(Scratch& scratch, std::string_view bytes) {
  return write_into(scratch, "0.1/result",
                    {"meta_info.json", "observed.tsv", "quality.tsv", "uncertainty.tsv",
                     "view_relations.tsv", "kernels.npz"},
                    bytes);
}

std::string write_into_factors(Scratch& scratch, std::string_view bytes) {
  return write_into(scratch, "factors",
                    {"meta_info.json", "samples.txt", "extra.npy", "factors/rna.npy",
                     "observed.tsv", "quality.tsv"},
                    bytes);
}

std::string write_into_evaluation(Scratch& scratch, std::string_view bytes) {
  return write_into(scratch, "0.1/evaluation", {"meta_info.json", "scores.tsv", "labels.tsv"},
                    bytes);
}

void read_result_folder(const std::string& folder) {
  const io::StoredResult result = io::read_result(folder);
  report::completion_data(folder, result.samples, result.views, result.kernels, {});
}

void read_evaluation_folder(const std::string& folder) { report::evaluation_data(folder, {}); }

}  // namespace mkc::fuzz
