#include "formats/mat73_read.hpp"

#include <algorithm>
#include <cstdio>

#include "formats/files.hpp"
#include "formats/hdf5.hpp"
#include "formats/sparse.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

/// Sizes as MATLAB has them: the file holds them in reverse.
Indices matlab_shape(const h5::Node& dataset) {
  Indices shape = h5::shape(dataset);
  std::reverse(shape.begin(), shape.end());
  while (shape.size() < 2) shape.push_back(1);
  return shape;
}

void take_numbers(const h5::Node& dataset, MatArray& array) {
  array.type = MatArray::Type::numbers;
  const Vector numbers = h5::read_numbers(dataset);
  const Index rows = array.shape[0];
  array.values = numbers.reshaped(rows, rows == 0 ? 0 : numbers.size() / rows);
}

void take_text(const h5::Node& dataset, MatArray& array) {
  array.type = MatArray::Type::text;
  if (array.shape.size() != 2) h5::fail(dataset.where, "text of more than two dimensions");
  std::u32string letters;
  for (const double code : h5::read_numbers(dataset))
    letters += code >= 0 && code < 0x110000 ? static_cast<char32_t>(code) : U'\uFFFD';
  array.text = text_rows(letters, array.shape[0]);
}

/// Compressed columns; the attribute MATLAB_sparse holds the number of rows.
MatArray sparse_array(const h5::Node& group, double rows) {
  const Vector starts = h5::read_numbers(h5::open(group, "jc"));
  Vector row_of, values;  // a matrix of zeros has neither
  if (h5::has(group, "ir")) row_of = h5::read_numbers(h5::open(group, "ir"));
  if (h5::has(group, "data")) values = h5::read_numbers(h5::open(group, "data"));
  MatArray array;
  array.type = MatArray::Type::numbers;
  array.values = dense_from_columns(rows, starts, row_of, values, group.where);
  array.shape = {array.values.rows(), array.values.cols()};
  return array;
}

MatArray read_array(const h5::Node& node, int depth);

void take_cells(const h5::Node& dataset, MatArray& array, int depth) {
  if (depth >= deepest_cell) h5::fail(dataset.where, "cells nested too deeply");
  array.type = MatArray::Type::cells;
  for (const hobj_ref_t& reference : h5::read_references(dataset))
    array.cells.push_back(read_array(h5::dereference(dataset, reference), depth + 1));
}

MatArray read_array(const h5::Node& node, int depth) {
  MatArray array;
  const std::string kind = h5::text_attribute(node, "MATLAB_class").value_or("");
  const auto sparse_rows = h5::number_attribute(node, "MATLAB_sparse");
  if (node.is_group() && sparse_rows && sparse_rows->size() == 1)
    return sparse_array(node, (*sparse_rows)(0));
  if (!node.is_dataset()) return array;
  array.shape = matlab_shape(node);
  const auto empty = h5::number_attribute(node, "MATLAB_empty");
  if (empty && empty->size() == 1 && (*empty)(0) != 0) {
    array.type = kind == "char"   ? MatArray::Type::text
                 : kind == "cell" ? MatArray::Type::cells
                                  : MatArray::Type::numbers;
    array.shape = {0, 0};
  } else if (kind == "cell") {
    take_cells(node, array, depth);
  } else if (kind == "char") {
    take_text(node, array);
  } else if (h5::is_numeric(node)) {
    take_numbers(node, array);
  }
  return array;
}

}  // namespace

bool is_mat73(const std::string& path) {
  const FilePointer file = open_for_reading(path);
  char header[128] = {};
  return std::fread(header, 1, sizeof(header), file.get()) == sizeof(header) &&
         std::string_view(header, 6) == "MATLAB" && header[125] == 2 && header[126] == 'I';
}

MatVariables parse_mat73(const std::string& path) {
  const h5::Node root = h5::open_root(path);
  MatVariables variables;
  for (const auto& name : h5::members(root)) {
    if (name.starts_with('#')) continue;  // #refs# and #subsystem# belong to MATLAB
    variables.emplace_back(name, read_array(h5::open(root, name), 0));
  }
  return variables;
}

}  // namespace mkc::io
