#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "formats/dense_size.hpp"
#include "formats/hdf5.hpp"
#include "formats/hdf5_parts.hpp"

namespace mkc::io::h5 {

namespace {

constexpr Index cells_per_block = Index{1} << 20;
constexpr std::uint64_t values_always_allowed = std::uint64_t{1} << 23;
constexpr std::uint64_t longest_word = std::uint64_t{1} << 20;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Handle type_of(const Node& dataset) {
  Handle type(H5Dget_type(dataset.id), H5Tclose);
  if (!type.good()) fail(dataset.where, "its type cannot be read", damaged);
  return type;
}

bool is_numeric_type(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  return kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_ENUM;
}

}  // namespace

std::uint64_t count_of(const Indices& sizes, const std::string& where) {
  std::uint64_t count = 1;
  for (const Index size : sizes) {
    if (size > 0 && count > (std::uint64_t{1} << 60) / static_cast<std::uint64_t>(size))
      fail(where, fmt::format("{} values", fmt::join(sizes, " x ")), damaged);
    count *= static_cast<std::uint64_t>(size);
  }
  return count;
}

void check_claim(const Node& dataset, std::uint64_t count) {
  const Handle plan(H5Dget_create_plist(dataset.id), H5Pclose);
  if (!plan.good()) fail(dataset.where, "its layout cannot be read", damaged);
  if (H5Pget_layout(plan) == H5D_VIRTUAL || H5Pget_external_count(plan) > 0)
    fail(dataset.where, "its values are in other files, which are not read",
         "copy them into one file");
  const hsize_t stored = H5Dget_storage_size(dataset.id);
  if (count > values_always_allowed + largest_deflate_ratio * static_cast<std::uint64_t>(stored))
    fail(dataset.where,
         fmt::format("claims {} values, but stores {} bytes for them", count, stored), damaged);
  check_chunks(dataset, plan);
}

Index rows_per_block(const Node& dataset, Index columns) {
  const Handle plan(H5Dget_create_plist(dataset.id), H5Pclose);
  hsize_t chunk[2] = {1, 1};
  if (H5Pget_layout(plan) == H5D_CHUNKED) H5Pget_chunk(plan, 2, chunk);
  const auto step = static_cast<Index>(std::clamp<hsize_t>(chunk[0], 1, 1 << 20));
  return std::max<Index>(1, (cells_per_block / columns + step - 1) / step) * step;
}

void read_part(const Node& dataset, int dimensions, Index first, Index count, Index columns,
               double* to) {
  const Handle space(H5Dget_space(dataset.id), H5Sclose);
  const hsize_t start[] = {static_cast<hsize_t>(first), 0};
  const hsize_t size[] = {static_cast<hsize_t>(count), static_cast<hsize_t>(columns)};
  const Handle memory(H5Screate_simple(dimensions, size, nullptr), H5Sclose);
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, size, nullptr) < 0 ||
      H5Dread(dataset.id, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, to) < 0)
    fail(dataset.where, fmt::format("its values from row {} on cannot be read", first), damaged);
}

namespace {

/// Values that are all read into memory.
void check_storage(const Node& dataset, std::uint64_t count) {
  check_claim(dataset, count);
  check_dense_size(count, 1, dataset.where);
}

void require_numeric(const Node& dataset) {
  if (!dataset.is_dataset() || !is_numeric(dataset)) fail(dataset.where, "numbers are needed here");
}

void read_all(const Node& dataset, hid_t type, void* to) {
  if (H5Dread(dataset.id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0)
    fail(dataset.where, "its values cannot be read", damaged);
}

std::string checked_word(std::string word, const std::string& where) {
  if (!is_utf8(word)) fail(where, "a word is not UTF-8 text");
  return word;
}

/// Words of a dataset or attribute; `read` fills memory of the given type.
template <class Read>
Strings words_of(hid_t file_type, hid_t space, std::uint64_t count, const std::string& where,
                 Read read) {
  Strings words;
  if (H5Tis_variable_str(file_type) > 0) {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5Tget_cset(file_type));
    std::vector<char*> pointers(count, nullptr);
    read(type, pointers.data());
    for (const char* text : pointers) words.emplace_back(text == nullptr ? "" : text);
    if (count > 0) H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  } else {
    const std::uint64_t size = H5Tget_size(file_type);
    if (size == 0 || size > longest_word)
      fail(where, fmt::format("words of {} bytes", size), damaged);
    check_dense_size(count, size / sizeof(double) + 1, where);
    std::string bytes(count * size, '\0');
    const Handle type(H5Tcopy(file_type), H5Tclose);
    read(type, bytes.data());
    for (std::uint64_t i = 0; i < count; ++i) {
      std::string word = bytes.substr(i * size, size);
      word.resize(std::min(word.find('\0'), word.size()));
      while (H5Tget_strpad(file_type) == H5T_STR_SPACEPAD && word.ends_with(' ')) word.pop_back();
      words.push_back(std::move(word));
    }
  }
  for (auto& word : words) word = checked_word(std::move(word), where);
  return words;
}

struct Attribute {
  Handle id, type, space;
  std::string where;

  std::uint64_t count() const {
    const hssize_t count = space.good() ? H5Sget_simple_extent_npoints(space) : -1;
    if (count < 0 || count > (1 << 24)) fail(where, "its size cannot be true", damaged);
    return static_cast<std::uint64_t>(count);
  }
  void read(hid_t memory, void* to) const {
    if (H5Aread(id, memory, to) < 0) fail(where, "cannot be read", damaged);
  }
};

std::optional<Attribute> open_attribute(const Node& node, const std::string& name) {
  if (H5Aexists(node.id, name.c_str()) <= 0) return std::nullopt;
  const std::string where = fmt::format("{}, attribute '{}'", node.where, name);
  Handle id(H5Aopen(node.id, name.c_str(), H5P_DEFAULT), H5Aclose);
  Handle type(H5Aget_type(id), H5Tclose), space(H5Aget_space(id), H5Sclose);
  if (!id.good() || !type.good()) fail(where, "cannot be read", damaged);
  return Attribute{std::move(id), std::move(type), std::move(space), where};
}

}  // namespace

Indices shape(const Node& dataset) {
  const Handle space(H5Dget_space(dataset.id), H5Sclose);
  const int dimensions = space.good() ? H5Sget_simple_extent_ndims(space) : -1;
  if (dimensions < 0 || dimensions > H5S_MAX_RANK) fail(dataset.where, "has no shape", damaged);
  hsize_t sizes[H5S_MAX_RANK] = {};
  H5Sget_simple_extent_dims(space, sizes, nullptr);
  Indices result;
  for (int i = 0; i < dimensions; ++i) {
    if (sizes[i] > (hsize_t{1} << 60))
      fail(dataset.where, fmt::format("a dimension of {}", sizes[i]), damaged);
    result.push_back(static_cast<Index>(sizes[i]));
  }
  return result;
}

bool is_numeric(const Node& dataset) { return is_numeric_type(type_of(dataset)); }

Matrix read_matrix(const Node& dataset) {
  require_numeric(dataset);
  const Indices sizes = shape(dataset);
  if (sizes.empty() || sizes.size() > 2)
    fail(dataset.where, fmt::format("a matrix is needed, found {} dimensions", sizes.size()));
  if (sizes.size() == 1) return read_numbers(dataset);
  check_storage(dataset, count_of(sizes, dataset.where));
  Matrix values(sizes[0], sizes[1]);
  if (values.size() == 0) return values;
  const Index most = rows_per_block(dataset, values.cols());
  RowMajor block;
  for (Index first = 0; first < values.rows(); first += block.rows()) {
    block.resize(std::min(most, values.rows() - first), values.cols());
    read_part(dataset, 2, first, block.rows(), block.cols(), block.data());
    values.middleRows(first, block.rows()) = block;
  }
  return values;
}

Vector read_numbers(const Node& dataset) {
  require_numeric(dataset);
  const std::uint64_t count = count_of(shape(dataset), dataset.where);
  check_storage(dataset, count);
  Vector values(static_cast<Index>(count));
  if (count > 0) read_all(dataset, H5T_NATIVE_DOUBLE, values.data());
  return values;
}

Strings read_words(const Node& dataset) {
  if (!dataset.is_dataset()) fail(dataset.where, "a list of words is needed here");
  const Handle type = type_of(dataset);
  if (is_numeric_type(type)) {
    Strings words;
    for (const double number : read_numbers(dataset)) words.push_back(format_number(number));
    return words;
  }
  if (H5Tget_class(type) != H5T_STRING) fail(dataset.where, "a list of words is needed here");
  const std::uint64_t count = count_of(shape(dataset), dataset.where);
  check_storage(dataset, count);
  const Handle space(H5Dget_space(dataset.id), H5Sclose);
  return words_of(type, space, count, dataset.where, [&](hid_t memory, void* to) {
    if (count > 0) read_all(dataset, memory, to);
  });
}

std::vector<hobj_ref_t> read_references(const Node& dataset) {
  const Handle type = type_of(dataset);
  if (H5Tequal(type, H5T_STD_REF_OBJ) <= 0) fail(dataset.where, "holds no cells", damaged);
  const std::uint64_t count = count_of(shape(dataset), dataset.where);
  check_storage(dataset, count);
  std::vector<hobj_ref_t> references(count);
  if (count > 0) read_all(dataset, H5T_STD_REF_OBJ, references.data());
  return references;
}

std::optional<Strings> words_attribute(const Node& node, const std::string& name) {
  const auto attribute = open_attribute(node, name);
  if (!attribute || H5Tget_class(attribute->type) != H5T_STRING) return std::nullopt;
  return words_of(attribute->type, attribute->space, attribute->count(), attribute->where,
                  [&](hid_t memory, void* to) { attribute->read(memory, to); });
}

std::optional<std::string> text_attribute(const Node& node, const std::string& name) {
  const auto words = words_attribute(node, name);
  if (!words || words->empty()) return std::nullopt;
  return words->front();
}

std::optional<Vector> number_attribute(const Node& node, const std::string& name) {
  const auto attribute = open_attribute(node, name);
  if (!attribute || !is_numeric_type(attribute->type)) return std::nullopt;
  Vector values(static_cast<Index>(attribute->count()));
  if (values.size() > 0) attribute->read(H5T_NATIVE_DOUBLE, values.data());
  return values;
}

}  // namespace mkc::io::h5
