#include "files/r_table.hpp"

namespace mkc::io {
namespace {

RObject r_words(Strings words) {
  RObject object;
  object.type = RObject::Type::text;
  object.text = std::move(words);
  return object;
}

RObject r_numbers(const std::vector<double>& values) {
  RObject object;
  object.type = RObject::Type::numbers;
  object.numbers = Eigen::Map<const Vector>(values.data(), std::ssize(values));
  return object;
}

void set_attribute(RObject& object, const std::string& name, RObject value) {
  object.attribute_names.push_back(name);
  object.attribute_values.push_back(std::move(value));
}

RObject r_factor(const std::vector<double>& codes, Strings levels) {
  RObject object = r_numbers(codes);
  set_attribute(object, "class", r_words({"factor"}));
  set_attribute(object, "levels", r_words(std::move(levels)));
  return object;
}

TEST(RTables, FactorsAreWordsAlsoWhereTheirLevelsAreNumbers) {
  RObject frame;
  frame.type = RObject::Type::list;
  frame.items = {r_factor({1, 2, 1, 2}, {"3", "7"}), r_factor({1, 2, 3, 4}, {"a", "b", "c", "d"}),
                 r_numbers({1, 2, 3, 4})};
  set_attribute(frame, "class", r_words({"data.frame"}));
  set_attribute(frame, "names", r_words({"site", "name", "age"}));
  set_attribute(frame, "row.names", r_words({"P1", "P2", "P3", "P4"}));
  const RTable table = table_of_object(frame, "x.rds");
  EXPECT_EQ(table.words[0], (Strings{"3", "7", "3", "7"}));
  EXPECT_EQ(table.word_columns, (Strings{"site", "name"}));
  EXPECT_EQ(table.factors, Strings{"site"});  // levels of the other do not repeat
}

}  // namespace
}  // namespace mkc::io
