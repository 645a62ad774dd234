#include "completion_form.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/names.hpp"
#include "files/large_views.hpp"
#include "formats/dense_size.hpp"
#include "mkc/base/error.hpp"

namespace mkc::app {

namespace {

constexpr Index most_dense_samples = 10000;          // beyond, the dense form takes hours
constexpr double least_factor_bytes = 400 * 0x1p20;  // that factor form runs in
constexpr double share_of_tables = 0.3;              // of the memory, beside what the work takes

// Options that only dense kernels have: the first that was given.
std::string dense_option(const CompleteArguments& arguments) {
  if (parse_spec(arguments.method).name != default_method ||
      !parse_spec(arguments.method).options.empty())
    return "--method " + arguments.method;
  if (!arguments.budget.empty()) return "--budget";
  if (arguments.format != "npz") return "--format " + arguments.format;
  if (arguments.fitted) return "--fitted";
  if (arguments.input.center) return "--center";
  if (arguments.input.normalize != "none") return "--normalize " + arguments.input.normalize;
  if (arguments.input.psd != "error") return "--psd " + arguments.input.psd;
  if (arguments.labels.given()) return "--labels";
  return "";
}

double bytes_of_making_kernels(const Input& input) {
  double kernels = 0, largest = 0;
  for (const auto& view : input.read.views) {
    if (view.kind != ViewKind::features) continue;
    const auto n = static_cast<double>(view.ids.size());
    kernels += 8 * n * n;
    largest = std::max(largest, 16 * static_cast<double>(view.values.size()));
  }
  return kernels + largest;
}

}  // namespace

const Strings& form_names() {
  static const Strings names = {"auto", "dense", "factor"};
  return names;
}

double allowed_bytes(const CompleteArguments& arguments) {
  return arguments.memory.empty() ? io::resident_bytes() + io::memory_left()
                                  : parse_bytes(arguments.memory);
}

void check_form(const CompleteArguments& arguments) {
  if (arguments.form == "factor") {
    if (const std::string option = dense_option(arguments); !option.empty())
      throw OptionError(fmt::format("{} needs --form dense: completion in factor form does not "
                                    "have it",
                                    option),
                        "leave it out, or choose --form dense");
  } else if (arguments.form == "dense") {
    if (const std::string option = given_factor_option(arguments.factor); !option.empty())
      throw OptionError(option + " is an option of --form factor", "leave it out");
  }
}

bool may_read_blocks(const CompleteArguments& arguments) {
  if (arguments.form == "factor") return true;
  return arguments.form == "auto" && dense_option(arguments).empty() &&
         allowed_bytes(arguments) > least_factor_bytes;
}

bool tables_too_large(const CompleteArguments& arguments) {
  return io::bytes_of_values(view_specs(arguments.input)) >
         share_of_tables * allowed_bytes(arguments);
}

RunSize size_of(const Input& input) {
  const std::vector<View>& views = input.read.views;
  RunSize size{0, std::ssize(views), 0};
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const auto& view : views) {
    const auto n = static_cast<double>(view.ids.size());
    size.kernel_bytes += 8 * n * n;
    fewest = std::min(fewest, view.ids.size());
  }
  switch (input.options.samples.kind) {
    case SampleChoice::Kind::all:
      size.n_samples = std::ssize(union_of(views, &View::all_ids));
      break;
    case SampleChoice::Kind::in_every_view:
      size.n_samples = static_cast<Index>(fewest);
      break;
    case SampleChoice::Kind::listed:
      size.n_samples = std::ssize(input.options.samples.list);
      break;
  }
  const double largest = 8 * static_cast<double>(size.n_samples) *
                         static_cast<double>(size.n_samples) * static_cast<double>(size.n_views);
  size.kernel_bytes = std::min(size.kernel_bytes, largest);
  return size;
}

double dense_bytes(const CompleteArguments& arguments, const Input& input) {
  return std::max(bytes_needed(size_of(input), arguments.method, thread_count(arguments.threads),
                               arguments.quality),
                  io::resident_bytes() + bytes_of_making_kernels(input));
}

std::optional<std::string> why_factor_form(const CompleteArguments& arguments, const Input& input,
                                           Terminal& terminal) {
  if (arguments.form == "factor") return "as asked for";
  const RunSize size = size_of(input);
  const double needed = dense_bytes(arguments, input);
  terminal.detail(fmt::format("memory needed: about {:.0f} MiB", needed / 0x1p20));
  const bool may_be_factor = arguments.form == "auto" && dense_option(arguments).empty();
  if (may_be_factor && size.n_samples > most_dense_samples)
    return fmt::format("dense kernels of {} samples would take {:.1f} GiB and hours",
                       size.n_samples, needed / 0x1p30);
  const double allowed = allowed_bytes(arguments);
  if (may_be_factor && needed > allowed && allowed > least_factor_bytes)
    return fmt::format("dense kernels need {:.1f} GiB, {:.1f} GiB are allowed", needed / 0x1p30,
                       allowed / 0x1p30);
  if (!arguments.memory.empty() && needed > allowed)
    throw MemoryError(fmt::format(
        "completing {} samples x {} views with '{}' needs about {:.0f} MiB, --memory "
        "allows {:.0f} MiB",
        size.n_samples, size.n_views, arguments.method, needed / 0x1p20, allowed / 0x1p20));
  return std::nullopt;
}

}  // namespace mkc::app
