#pragma once

#include "arguments.hpp"
#include "files/result_reader.hpp"
#include "mkc/analyse/drivers.hpp"

namespace mkc::app {

/// The features of the views given on the command line, on the samples of the result. A note names
/// views that are kernels. Ids name samples as in the result. InputError where no view has
/// features, or one shares no sample.
std::vector<ViewFeatures> features_of_views(const ViewArguments& arguments,
                                            const io::StoredResult& result, Terminal& terminal);

/// The same from a model that `mkc complete --save-model` wrote, as it keeps them: scaled.
std::vector<ViewFeatures> features_of_model(const std::string& path, const Strings& samples,
                                            Terminal& terminal);

}  // namespace mkc::app
