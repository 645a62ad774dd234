// One libFuzzer program per format; MKC_FUZZ_FORMAT is its name.
#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mkc::fuzz::read_as(MKC_FUZZ_FORMAT, data, size);
  return 0;
}
