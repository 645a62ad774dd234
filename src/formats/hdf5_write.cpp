#include "formats/hdf5_write.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io::h5 {

namespace {

/// A file that could not be closed (a full disk) stays half open in the library, which would try
/// again when the process ends, and crash. Files are closed here, so nothing is left to do then.
[[maybe_unused]] const herr_t nothing_left_to_do_at_exit = H5dont_atexit();

constexpr Index cells_per_block = Index{1} << 20;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// UTF-8 words of any length.
Handle word_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

Handle flag_type() {
  Handle type(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
  const signed char no = 0, yes = 1;
  H5Tenum_insert(type, "FALSE", &no);
  H5Tenum_insert(type, "TRUE", &yes);
  return type;
}

Handle space_of(const Indices& shape) {
  std::vector<hsize_t> sizes(shape.begin(), shape.end());
  return {H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose};
}

/// Links in UTF-8; groups on the way are made.
Handle link_plan() {
  Handle plan(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(plan, 1);
  H5Pset_char_encoding(plan, H5T_CSET_UTF8);
  return plan;
}

std::vector<const char*> pointers(const Strings& words) {
  std::vector<const char*> list;
  for (const auto& word : words) list.push_back(word.c_str());
  return list;
}

hid_t create_file(const std::string& path, hsize_t userblock) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const Handle plan(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_userblock(plan, userblock);
  return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, plan, H5P_DEFAULT);
}

}  // namespace

Writer::Writer(const std::string& path, hsize_t userblock)
    : path_(path), file_(create_file(path, userblock), H5Fclose) {
  if (!file_.good()) fail("the HDF5 file cannot be created");
}

void Writer::fail(const std::string& what) const { throw OutputError(path_, what); }

Handle Writer::make_dataset(const std::string& path, hid_t type, const Indices& shape) {
  const Handle plan(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(plan, false);  // the same result gives the same bytes
  Handle dataset(
      H5Dcreate2(file_, path.c_str(), type, space_of(shape), link_plan(), plan, H5P_DEFAULT),
      H5Dclose);
  if (!dataset.good()) fail("cannot create " + shown(path));
  return dataset;
}

void Writer::list(const std::string& path, hid_t type, std::size_t count, const void* values) {
  const Handle dataset = make_dataset(path, type, {static_cast<Index>(count)});
  if (count > 0) check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), path);
}

void Writer::attribute(const std::string& path, const std::string& name, hid_t type, hid_t space,
                       const void* value) {
  const Handle object(H5Oopen(file_, path.c_str(), H5P_DEFAULT), H5Oclose);
  const Handle made(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                    H5Aclose);
  if (!made.good()) fail("cannot create attribute " + name + " of " + shown(path));
  if (value != nullptr) check(H5Awrite(made, type, value), path);
}

void Writer::group(const std::string& path) {
  const Handle made(H5Gcreate2(file_, path.c_str(), link_plan(), H5P_DEFAULT, H5P_DEFAULT),
                    H5Gclose);
  if (!made.good()) fail("cannot create " + shown(path));
}

void Writer::matrix(const std::string& path, const Matrix& values) {
  const Handle dataset = make_dataset(path, H5T_IEEE_F64LE, {values.rows(), values.cols()});
  if (values.size() == 0) return;
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const Index most = std::max<Index>(1, cells_per_block / values.cols());
  RowMajor block;
  for (Index first = 0; first < values.rows(); first += block.rows()) {
    block = values.middleRows(first, std::min(most, values.rows() - first));
    const hsize_t start[] = {static_cast<hsize_t>(first), 0};
    const hsize_t count[] = {static_cast<hsize_t>(block.rows()),
                             static_cast<hsize_t>(block.cols())};
    const Handle memory(H5Screate_simple(2, count, nullptr), H5Sclose);
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr), path);
    check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, block.data()), path);
  }
}

void Writer::words(const std::string& path, const Strings& words) {
  list(path, word_type(), words.size(), pointers(words).data());
}

void Writer::flags(const std::string& path, const std::vector<bool>& values) {
  const std::vector<signed char> bytes(values.begin(), values.end());
  list(path, flag_type(), bytes.size(), bytes.data());
}

void Writer::counts(const std::string& path, const Indices& values) {
  const std::vector<std::int64_t> numbers(values.begin(), values.end());
  list(path, H5T_STD_I64LE, numbers.size(), numbers.data());
}

void Writer::attribute(const std::string& path, const std::string& name, const std::string& value) {
  const char* text = value.c_str();
  attribute(path, name, word_type(), Handle(H5Screate(H5S_SCALAR), H5Sclose), &text);
}

void Writer::attribute(const std::string& path, const std::string& name, const Strings& values) {
  const auto texts = pointers(values);
  attribute(path, name, word_type(), space_of({static_cast<Index>(values.size())}),
            values.empty() ? nullptr : texts.data());
}

void Writer::attribute(const std::string& path, const std::string& name, std::int64_t value) {
  attribute(path, name, H5T_STD_I64LE, Handle(H5Screate(H5S_SCALAR), H5Sclose), &value);
}

void Writer::close() {
  check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "writing to the disk failed");
  const hid_t id = file_.release();
  check(H5Fclose(id), "writing to the disk failed");
}

}  // namespace mkc::io::h5
