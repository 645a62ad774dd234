#pragma once

#include <nlohmann/json.hpp>

#include "mkc/advise/advise.hpp"
#include "terminal.hpp"

namespace mkc::app {

/// advice.json: all that was found, with the names of samples and views.
nlohmann::ordered_json described(const AssayAdvice& advice, const Strings& samples,
                                 const Strings& views);

/// Mean value of the observed assays of each view (M), NaN where there is none.
Vector mean_value_by_view(const AssayAdvice& advice, Index n_views);

/// The first assays to measure, what they are expected to save, and what told least.
void print_advice(const AssayAdvice& advice, const Strings& samples, const Strings& views,
                  Terminal& terminal);

}  // namespace mkc::app
