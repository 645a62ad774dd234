#pragma once

#include "formats/hdf5_write.hpp"

namespace mkc::io {

/// One AnnData object: features in X, or a kernel in obsp/kernel. Borrowed.
struct AnnDataOut {
  std::string name;  // of the modality
  const Strings& samples;
  const Strings& features;  // of X; empty for a kernel
  const Matrix* X = nullptr;
  const Matrix* kernel = nullptr;
  std::vector<bool> observed;  // a column of obs, where it is not empty
};

void write_h5ad_file(const std::string& path, const AnnDataOut& data);

/// MuData over the union `samples`; `relations` (M, M) goes to uns/view_relations.
void write_h5mu_file(const std::string& path, const Strings& samples,
                     const std::vector<AnnDataOut>& modalities, const Matrix* relations);

}  // namespace mkc::io
