#pragma once

#include <string_view>

namespace mkc {

// Words by which samples and features are named. All in lower case.

/// Symbols of genes that most panels and whole-genome tables have.
bool is_known_gene(std::string_view symbol);

/// Stems of numbered names: "patient" of patient1, "gene" of gene1.
bool is_sample_stem(std::string_view stem);
bool is_feature_stem(std::string_view stem);

/// First cells of headers, letters only: "sampleid", "genesymbol".
bool is_sample_word(std::string_view word);
bool is_feature_word(std::string_view word);

}  // namespace mkc
