#include "mkc/registry.hpp"

#include "factor/factor_method.hpp"
#include "methods/single_methods.hpp"
#include "select/auto.hpp"

namespace mkc {

const std::vector<Method>& methods() {
  static const std::vector<Method> all = [] {
    std::vector<Method> list = single_methods();
    list.push_back(factor_method());
    list.push_back(auto_method());
    return list;
  }();
  return all;
}

const Method& find_method(const std::string& name) { return find_method_in(methods(), name); }

}  // namespace mkc
