#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/files.hpp"
#include "formats/hdf5.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io::h5 {

void fail(const std::string& where, const std::string& what, const std::string& hint) {
  throw InputError(fmt::format("{}: {}", where, what), hint);
}

bool Node::is_group() const { return H5Iget_type(id) == H5I_GROUP || H5Iget_type(id) == H5I_FILE; }

bool Node::is_dataset() const { return H5Iget_type(id) == H5I_DATASET; }

Node open_root(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors come as return values, not on stderr
  require_file(path);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  if (!file.good())
    fail(path, "not a complete HDF5 file",
         "save or copy it again: its first bytes are wrong, or it is cut off");
  return {std::move(file), path};
}

bool has(const Node& group, const std::string& name) {
  return group.is_group() && H5Lexists(group.id, name.c_str(), H5P_DEFAULT) > 0;
}

namespace {

/// Access that follows no link into another file, also not by way of a soft link.
Handle within_the_file() {
  const auto refuse = [](const char*, const char*, const char*, const char*, unsigned*, hid_t,
                         void*) -> herr_t { return -1; };
  Handle access(H5Pcreate(H5P_LINK_ACCESS), H5Pclose);
  H5Pset_elink_cb(access, refuse, nullptr);
  return access;
}

/// Members whose links lead to something in the file, or those whose do not.
Strings members_with(const Node& group, bool alive) {
  Strings all, names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<Strings*>(list)->emplace_back(name);
    return 0;
  };
  hsize_t start = 0;
  if (H5Literate(group.id, H5_INDEX_NAME, H5_ITER_INC, &start, add, &all) < 0)
    fail(group.where, "its members cannot be listed", damaged);
  const Handle access = within_the_file();
  for (auto& name : all)
    if ((H5Oexists_by_name(group.id, name.c_str(), access) > 0) == alive)
      names.push_back(std::move(name));
  return names;
}

}  // namespace

Node open(const Node& group, const std::string& name) {
  const std::string where = fmt::format("{}{}{}", group.where,
                                        H5Iget_type(group.id) == H5I_FILE ? ":" : "/", shown(name));
  H5L_info_t link;
  if (!has(group, name) || H5Lget_info(group.id, name.c_str(), &link, H5P_DEFAULT) < 0)
    fail(where, "is missing");
  if (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT)
    fail(where, "a link to another file is not followed", "copy the data into one file");
  Handle object(H5Oopen(group.id, name.c_str(), within_the_file()), H5Oclose);
  if (!object.good() && link.type == H5L_TYPE_SOFT)
    fail(where, "a link that leads to nothing in this file", "copy the data into this file");
  if (!object.good()) fail(where, "cannot be opened", damaged);
  return {std::move(object), where};
}

Node dereference(const Node& dataset, const hobj_ref_t& reference) {
  Handle object(H5Rdereference2(dataset.id, H5P_DEFAULT, H5R_OBJECT, &reference), H5Oclose);
  if (!object.good()) fail(dataset.where, "a cell cannot be found", damaged);
  return {std::move(object), dataset.where};
}

Strings members(const Node& group) { return members_with(group, true); }

Strings dead_links(const Node& group) { return members_with(group, false); }

Strings members_in_order(const Node& group, const std::string& attribute) {
  Strings names = members(group);
  const Strings order = words_attribute(group, attribute).value_or(Strings());
  const auto place = [&](const std::string& name) {
    return std::find(order.begin(), order.end(), name) - order.begin();
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
  return names;
}

}  // namespace mkc::io::h5
