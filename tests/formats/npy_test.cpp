#include "formats/npy.hpp"

#include <cmath>
#include <cstring>

#include "mkc/files/output_folder.hpp"
#include "support/random_matrices.hpp"
#include "support/view_files.hpp"

namespace mkc::io {
namespace {

using mkc::test::random_matrix;
using test::expect_contains;
using test::FileSizeLimit;
using test::message;
using test::read_file;
using test::TempDir;
using test::write_npy;

std::string npy(const std::string& header, const std::string& data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    bytes += static_cast<char>((header.size() >> (8 * i)) & 0xFF);
  return bytes + header + data;
}

std::string header(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
Matrix parsed(const std::string& descr, bool fortran) {
  const std::vector<T> values{1, 2, 3, 4, 5, 6};
  return take_matrix(parse_npy(npy(header(descr, "(2, 3)", fortran), bytes_of(values)), "x"), "x");
}

double first_of(const Array& array) { return std::get<Matrix>(array.values)(0, 0); }

std::string error_in(const std::string& bytes) {
  return message([&] { parse_npy(bytes, "x.npy"); });
}

TEST(Npy, EveryNumberTypeAndOrder) {
  const Matrix by_rows = (Matrix(2, 3) << 1, 2, 3, 4, 5, 6).finished();
  const Matrix by_columns = (Matrix(2, 3) << 1, 3, 5, 2, 4, 6).finished();
  for (const bool fortran : {false, true}) {
    const Matrix& expected = fortran ? by_columns : by_rows;
    EXPECT_EQ(parsed<double>("<f8", fortran), expected);
    EXPECT_EQ(parsed<float>("<f4", fortran), expected);
    EXPECT_EQ(parsed<std::int8_t>("|i1", fortran), expected);
    EXPECT_EQ(parsed<std::int16_t>("<i2", fortran), expected);
    EXPECT_EQ(parsed<std::int32_t>("<i4", fortran), expected);
    EXPECT_EQ(parsed<std::int64_t>("<i8", fortran), expected);
    EXPECT_EQ(parsed<std::uint8_t>("|u1", fortran), expected);
    EXPECT_EQ(parsed<std::uint16_t>("<u2", fortran), expected);
    EXPECT_EQ(parsed<std::uint32_t>("<u4", fortran), expected);
    EXPECT_EQ(parsed<std::uint64_t>("<u8", fortran), expected);
  }
  const Array flags = parse_npy(npy(header("|b1", "(1, 2)"), std::string("\1\0", 2)), "x");
  EXPECT_EQ(std::get<Matrix>(flags.values), (Matrix(1, 2) << 1, 0).finished());
}

TEST(Npy, BigEndianNumbersAndWords) {
  const std::string two("\x40\0\0\0\0\0\0\0", 8), minus("\xFF\xFE", 2);
  EXPECT_EQ(first_of(parse_npy(npy(header(">f8", "(1,)"), two), "x")), 2);
  EXPECT_EQ(first_of(parse_npy(npy(header(">i2", "(1,)"), minus), "x")), -2);
  const std::string word("\0\0\0a\0\0\0\xE9", 8);
  EXPECT_EQ(take_strings(parse_npy(npy(header(">U2", "(1,)"), word), "x"), "x"),
            Strings{"a\xC3\xA9"});
}

TEST(Npy, AllVersionsWordsAndShapes) {
  for (const int version : {1, 2, 3}) {
    const auto bytes = npy(header("|S3", "(2,)"), std::string("ab\0xyz", 6), version);
    EXPECT_EQ(take_strings(parse_npy(bytes, "x"), "x"), (Strings{"ab", "xyz"}));
  }
  const Array scalar = parse_npy(npy(header("<f8", "()"), bytes_of<double>({7})), "x");
  EXPECT_TRUE(scalar.shape.empty());
  EXPECT_EQ(first_of(scalar), 7);
  EXPECT_EQ(take_matrix(parse_npy(npy(header("<f8", "(0, 5)"), ""), "x"), "x").cols(), 5);
  EXPECT_EQ(parse_npy(npy(header("<f8", "(0,)"), ""), "x").shape, Indices{0});
}

TEST(Npy, OtherShapesAreRefused) {
  const auto cube = npy(header("<f8", "(1, 2, 3)"), bytes_of<double>({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(message([&] { take_matrix(parse_npy(cube, "x"), "x"); }),
            "x: numbers of shape (1, 2, 3), a matrix of numbers is needed");
  const auto line = npy(header("<f8", "(2,)"), bytes_of<double>({1, 2}));
  EXPECT_EQ(message([&] { take_matrix(parse_npy(line, "x"), "x"); }),
            "x: numbers of shape (2,), a matrix of numbers is needed");
  EXPECT_EQ(message([&] { take_strings(parse_npy(line, "x"), "x"); }),
            "x: numbers of shape (2,), a list of words is needed");
  EXPECT_EQ(take_ids(parse_npy(line, "x"), "x"), (Strings{"1", "2"}));
  const auto halves = npy(header("<f8", "(1,)"), bytes_of<double>({0.5}));
  EXPECT_THROW(take_ids(parse_npy(halves, "x"), "x"), InputError);
}

TEST(Npy, TruncatedAtEveryLength) {
  for (const int version : {1, 2}) {
    const auto whole = npy(header("<f8", "(2, 1)"), bytes_of<double>({1, 2}), version);
    for (std::size_t length = 0; length < whole.size(); ++length)
      EXPECT_NE(error_in(whole.substr(0, length)), "nothing thrown") << length;
    EXPECT_EQ(error_in(whole.substr(0, whole.size() - 3)),
              "x.npy: holds 13 bytes of data, shape (2, 1) with 8 bytes per value needs 16");
    EXPECT_NE(error_in(whole + "x"), "nothing thrown");
    expect_contains(error_in(whole.substr(0, 40)),
                    "x.npy: cut off after 40 bytes, inside an NPY header of");
  }
}

TEST(Npy, ImpossibleShapesTakeNoMemory) {
  for (const char* shape :
       {"(1152921504606846976, 1152921504606846976)", "(1152921504606846976, 0)",
        "(1152921504606846976,)", "(4294967296, 4294967296)", "(2147483648, 2147483648, 4)"})
    expect_contains(error_in(npy(header("<f8", shape), "12345678")), "is too large");
  expect_contains(error_in(npy(header("<f8", "(-1, 8)"), "12345678")), "negative size, -1");
  expect_contains(error_in(npy(header("<f8", "(99999999999999999999,)"), "")), "too large");
  expect_contains(error_in(npy(header("<f8", "(1000000000, 1000)"), "12345678")),
                  "holds 8 bytes of data, shape (1000000000, 1000)");
  expect_contains(error_in(npy(header("<U0", "(1000000000,)"), "")), "words of length 0");
  expect_contains(error_in(npy(header("<U4294967295", "(4294967295,)"), "")), "bytes");
}

TEST(Npy, DamagedHeadersAreRefused) {
  const std::string good = header("<f8", "(1,)");
  for (const std::string& bad :
       {std::string(""), std::string("{}"), std::string("{'descr'}"), good + "x", "x" + good,
        std::string("{'descr': '<f8', 'fortran_order': 1, 'shape': (1,)}"),
        std::string("{'descr': '<f8', 'fortran_order': True, 'shape': (1"),
        std::string("{'descr': '<f8', 'fortran_order': True, 'shape': (1 2)}"),
        std::string("{'descr': '<f8', 'fortran_order': True, 'shape': 1}"),
        std::string("{'descr': '<f8', 'fortran_order': True}"),
        std::string("{'descr': '<f8', 'descr': '<f8', 'shape': (1,)}"),
        std::string("{'descr': '<f8, 'fortran_order': True, 'shape': (1,)}"),
        std::string("{'more': 1}")})
    EXPECT_NE(error_in(npy(bad, "12345678")), "nothing thrown") << bad;
  expect_contains(error_in("PK\3\4 something else"), "x.npy: not an NPY array");
  expect_contains(error_in(npy(good, "12345678", 9)), "NPY version 9 is not supported");
}

TEST(Npy, OtherTypesAreRefusedWithAHint) {
  expect_contains(error_in(npy(header("|O", "(1,)"), "x")),
                  "object arrays are pickles; save with dtype float or str");
  expect_contains(
      error_in(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", "")),
      "structured arrays are not supported");
  for (const char* type : {"<f2", "<c16", "<M8[ns]", "<f3", "f8", "", "<i16", "<f-8"})
    expect_contains(error_in(npy(header(type, "(1,)"), "")), "are not supported");
  expect_contains(error_in(npy(header("<U1", "(1,)"), std::string("\0\0\x11\0", 4))),
                  "no character");
  expect_contains(error_in(npy(header("|S1", "(1,)"), "\xFF")), "not UTF-8");
}

TEST(Npy, WrittenFilesReadBack) {
  const TempDir folder;
  Matrix values = random_matrix(5, 3, 1);
  values(2, 1) = std::nan("");
  write_npy(folder.file("a.npy"), values);
  const Matrix back = take_matrix(read_npy(folder.file("a.npy")), "a");
  EXPECT_EQ(std::memcmp(back.data(), values.data(), 15 * sizeof(double)), 0);
  const std::string bytes = read_file(folder.file("a.npy"));
  EXPECT_EQ((bytes.size() - 15 * sizeof(double)) % 64, 0u);
  const Strings words{"", "a", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "P-07"};
  write_npy(folder.file("w.npy"), words);
  EXPECT_EQ(take_strings(read_npy(folder.file("w.npy")), "w"), words);
  write_npy(folder.file("e.npy"), Strings());
  EXPECT_EQ(take_strings(read_npy(folder.file("e.npy")), "e"), Strings());
}

TEST(Npy, LargeArraysAreReadInBlocks) {
  const Index rows = 3000, cols = 1000;
  std::vector<float> values(static_cast<std::size_t>(rows * cols));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const auto bytes = npy(header("<f4", "(3000, 1000)"), bytes_of(values));
  const Matrix matrix = take_matrix(parse_npy(bytes, "x"), "x");
  EXPECT_EQ(matrix(2999, 999), 2999999);
  EXPECT_EQ(matrix(1234, 567), 1234567);
}

TEST(Npy, AFullDiskIsReported) {
  const TempDir folder;
  const FileSizeLimit limit(1000);
  try {
    write_npy(folder.file("a.npy"), random_matrix(100, 100, 2));
    FAIL();
  } catch (const OutputError& error) {
    expect_contains(error.what(), folder.file("a.npy") + "': File too large");
  }
}

}  // namespace
}  // namespace mkc::io
