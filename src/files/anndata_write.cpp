#include "files/anndata_write.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "base/names.hpp"
#include "formats/files.hpp"
#include "formats/tables_out.hpp"
#include "mkc/files/output_folder.hpp"
#include "mkc/version.hpp"

namespace mkc::io {

namespace {

constexpr hsize_t userblock = 512;

void encode(h5::Writer& file, const std::string& path, const std::string& type,
            const std::string& version) {
  file.attribute(path, "encoding-type", type);
  file.attribute(path, "encoding-version", version);
}

void write_array(h5::Writer& file, const std::string& path, const Matrix& values) {
  file.matrix(path, values);
  encode(file, path, "array", "0.2.0");
}

void write_dict(h5::Writer& file, const std::string& path) {
  file.group(path);
  encode(file, path, "dict", "0.1.0");
}

/// obs or var: an index, and the column `observed` where there is one.
void write_frame(h5::Writer& file, const std::string& path, const Strings& index,
                 const std::vector<bool>& observed) {
  file.group(path);
  encode(file, path, "dataframe", "0.2.0");
  file.attribute(path, "_index", std::string("_index"));
  file.attribute(path, "column-order", observed.empty() ? Strings{} : Strings{"observed"});
  file.words(path + "/_index", index);
  encode(file, path + "/_index", "string-array", "0.2.0");
  if (observed.empty()) return;
  file.flags(path + "/observed", observed);
  encode(file, path + "/observed", "array", "0.2.0");
}

/// `base` is "" for a file of its own, else "mod/<name>/".
void write_anndata(h5::Writer& file, const std::string& base, const AnnDataOut& data) {
  const std::string root = base.empty() ? "/" : base.substr(0, base.size() - 1);
  write_frame(file, base + "obs", data.samples, data.observed);
  write_frame(file, base + "var", data.features, {});
  if (data.X != nullptr) write_array(file, base + "X", *data.X);
  for (const char* part : {"layers", "obsm", "obsp", "uns", "varm", "varp"})
    write_dict(file, base + part);
  if (data.kernel != nullptr) write_array(file, base + "obsp/kernel", *data.kernel);
  encode(file, root, "anndata", "0.1.0");
}

/// For every sample the row of the modality counted from 1, or 0.
Indices rows_from_one(const Strings& samples, const Strings& own) {
  const Places row_of = places_of(own);
  Indices rows;
  for (const auto& sample : samples) {
    const auto found = row_of.find(sample);
    rows.push_back(found == row_of.end() ? 0 : found->second + 1);
  }
  return rows;
}

void write_map(h5::Writer& file, const std::string& path, const Indices& rows) {
  file.counts(path, rows);
  encode(file, path, "array", "0.2.0");
}

/// mudata marks its files in the bytes before the HDF5 part.
void write_mark(const std::string& path) {
  const FilePointer file(std::fopen(path.c_str(), "r+b"));
  const std::string mark =
      fmt::format("MuData (format-version=0.1.0;creator=mkc;creator-version={})", version);
  if (!file || std::fwrite(mark.data(), 1, mark.size(), file.get()) != mark.size() ||
      std::fflush(file.get()) != 0)
    throw OutputError(path, reason(errno));
}

}  // namespace

void write_h5ad_file(const std::string& path, const AnnDataOut& data) {
  h5::Writer file(path);
  write_anndata(file, "", data);
  file.close();
}

void write_h5mu_file(const std::string& path, const Strings& samples,
                     const std::vector<AnnDataOut>& modalities, const Matrix* relations) {
  h5::Writer file(path, userblock);
  Strings order, features;
  for (const auto& data : modalities) {
    order.push_back(data.name);
    features.insert(features.end(), data.features.begin(), data.features.end());
  }
  const Strings links = file_names_for(order);
  file.group("mod");
  file.attribute("mod", "mod-order", links);
  write_frame(file, "obs", samples, {});
  write_frame(file, "var", features, {});
  for (const char* part : {"obsm", "obsp", "obsmap", "varm", "varp", "varmap", "uns"})
    write_dict(file, part);
  Index first = 0;
  for (std::size_t m = 0; m < modalities.size(); ++m) {
    write_anndata(file, "mod/" + links[m] + "/", modalities[m]);
    write_map(file, "obsmap/" + links[m], rows_from_one(samples, modalities[m].samples));
    Indices columns(features.size(), 0);
    const auto count = static_cast<Index>(modalities[m].features.size());
    for (Index j = 0; j < count; ++j) columns[at(first + j)] = j + 1;
    write_map(file, "varmap/" + links[m], columns);
    first += count;
  }
  if (relations != nullptr) write_array(file, "uns/view_relations", *relations);
  encode(file, "/", "MuData", "0.1.0");
  file.attribute("/", "axis", std::int64_t{0});
  file.close();
  write_mark(path);
}

}  // namespace mkc::io
