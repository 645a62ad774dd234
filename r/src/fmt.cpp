// The functions that fmt keeps in a library of its own, compiled once: the other files would each
// take seconds for them. They are inline here, and put into this file because their addresses are
// taken.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

namespace {
[[gnu::used]] std::string (*const vformat)(fmt::string_view, fmt::format_args) = fmt::vformat;
[[gnu::used]] const auto throw_format_error = fmt::detail::throw_format_error;
[[gnu::used]] bool (*const is_printable)(std::uint32_t) = fmt::detail::is_printable;
}  // namespace
