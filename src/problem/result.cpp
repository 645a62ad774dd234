#include "mkc/problem/result.hpp"

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

}  // namespace mkc
