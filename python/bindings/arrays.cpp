#include "arrays.hpp"

#include <cstdint>

namespace mkc::python {

namespace {

template <class Values>
nb::capsule owner_of(Values* values) {
  return nb::capsule(values, [](void* p) noexcept { delete static_cast<Values*>(p); });
}

std::size_t size(Index n) { return static_cast<std::size_t>(n); }

}  // namespace

Array to_numpy(Matrix values, bool transposed) {
  auto* kept = new Matrix(std::move(values));
  const nb::capsule owner = owner_of(kept);
  const std::size_t rows = size(kept->rows()), cols = size(kept->cols());
  const std::int64_t step = kept->rows();
  if (transposed) return Array(kept->data(), {cols, rows}, owner, {step, 1});
  return Array(kept->data(), {rows, cols}, owner, {1, step});
}

Numbers to_numpy(const Vector& values) {
  auto* kept = new Vector(values);
  const nb::capsule owner = owner_of(kept);
  return Numbers(kept->data(), {size(kept->size())}, owner);
}

Flags to_numpy(const Mask& mask) {
  auto* kept = new Mask(mask);
  const nb::capsule owner = owner_of(kept);
  return Flags(kept->data(), {size(kept->rows()), size(kept->cols())}, owner,
               {1, static_cast<std::int64_t>(kept->rows())});
}

}  // namespace mkc::python
