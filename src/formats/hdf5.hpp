#pragma once

#include <hdf5.h>

#include <optional>
#include <string>
#include <utility>

#include "formats/files.hpp"
#include "formats/row_source.hpp"
#include "mkc/base/types.hpp"

/// A thin layer on the HDF5 C library: handles that close themselves, values as Eigen and STL
/// types, InputError instead of error stacks. The library is not thread-safe and not safe against
/// hostile files: readers run in a process of their own (hdf5_guard.hpp).
namespace mkc::io::h5 {

/// An open file, group, dataset, ... closed at the end of its scope.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  operator hid_t() const { return id_; }  // the C functions take hid_t
  bool good() const { return id_ >= 0; }
  hid_t release() { return std::exchange(id_, -1); }  // for a close that is checked

 private:
  hid_t id_;
  Close close_;
};

/// A group or dataset with its place for messages: "file.h5:views/rna".
struct Node {
  Handle id;
  std::string where;

  bool is_group() const;
  bool is_dataset() const;
};

/// The root group of a file opened for reading.
Node open_root(const std::string& path);

bool has(const Node& group, const std::string& name);

/// A member of a group; InputError where it is missing, leads into another file or to nothing.
Node open(const Node& group, const std::string& name);

/// The object a reference points to (cell arrays of MATLAB 7.3).
Node dereference(const Node& dataset, const hobj_ref_t& reference);

/// Names of the members, in alphabetical order, without dead links.
Strings members(const Node& group);

/// Names of links that lead into another file, which is not read, or to nothing.
Strings dead_links(const Node& group);

/// The same; those that the attribute lists come first, in its order.
Strings members_in_order(const Node& group, const std::string& attribute);

/// Sizes of a dataset; a single value has none.
Indices shape(const Node& dataset);
bool is_numeric(const Node& dataset);

/// A dataset of one or two dimensions as a matrix (one: n x 1); sizes are checked before memory is
/// allocated.
Matrix read_matrix(const Node& dataset);

/// The rows of a matrix, read when they are needed while its file is open.
std::shared_ptr<const RowSource> rows_of_matrix(const Node& dataset);

/// The same for a sparse matrix in compressed rows: a group of `indptr`, `indices` and `data`.
std::shared_ptr<const RowSource> rows_of_csr(const Node& group, double columns);

/// All numbers of a dataset in the order of the file.
Vector read_numbers(const Node& dataset);

/// A list of words, or of whole numbers as words.
Strings read_words(const Node& dataset);
std::vector<hobj_ref_t> read_references(const Node& dataset);

/// Attributes; nothing where there is none of that name and kind.
std::optional<std::string> text_attribute(const Node& node, const std::string& name);
std::optional<Strings> words_attribute(const Node& node, const std::string& name);
std::optional<Vector> number_attribute(const Node& node, const std::string& name);

[[noreturn]] void fail(const std::string& where, const std::string& what,
                       const std::string& hint = {});

}  // namespace mkc::io::h5
