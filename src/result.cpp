#include "mkc/result.hpp"

namespace mkc {

const char* status_name(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::max_iterations:
      return "max_iterations";
    case Status::interrupted:
      return "interrupted";
  }
  return "unknown";
}

double Info::total_seconds() const {
  double total = 0;
  for (const auto& [phase, duration] : seconds) total += duration;
  return total;
}

}  // namespace mkc
