#pragma once

#include <fmt/format.h>

#include "mkc/base/error.hpp"
#include "report/report.hpp"
#include "report/result_files.hpp"

/// What the pages show, read from a result folder.
namespace mkc::report {

Json completion_data(const std::filesystem::path& folder, const Strings& samples,
                     const Strings& views, const std::vector<Matrix>& kernels,
                     const ReportOptions& options);
Json evaluation_data(const std::filesystem::path& folder, const ReportOptions& options);

/// read(), where meta_info.json may be JSON of another shape than mkc writes: an InputError.
template <class Read>
Json with_meta_of(const std::filesystem::path& folder, const Read& read) {
  try {
    return read();
  } catch (const Json::exception&) {
    throw InputError(fmt::format("'{}' is damaged", (folder / "meta_info.json").string()),
                     "the files of a result must be of one run: run mkc again");
  }
}

}  // namespace mkc::report
