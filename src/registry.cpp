#include "mkc/registry.hpp"

#include <fmt/format.h>

#include "mkc/baselines/affine.hpp"
#include "mkc/baselines/alone.hpp"
#include "mkc/baselines/em.hpp"
#include "mkc/baselines/knn.hpp"
#include "mkc/baselines/mean.hpp"
#include "mkc/models/app.hpp"
#include "mkc/models/cvkt.hpp"
#include "mkc/models/embd.hpp"
#include "mkc/models/latent.hpp"
#include "mkc/models/mkmc.hpp"
#include "mkc/models/sdp.hpp"
#include "mkc/models/transfer.hpp"
#include "mkc/stack/auto.hpp"
#include "mkc/text.hpp"

namespace mkc {

const std::vector<Method>& methods() {
  static const std::vector<Method> all = {
      // clang-format off
      mean_method(),
      alone_method(),
      affine_method(),
      knn_method(),
      wknn_method(),
      em_method(),
      embd_ht_method(),
      embd_hm_method(),
      app_method(),
      sdp_method(),
      transfer_method(),
      mkmc_method(),
      cvkt_method(),
      latent_method(),
      auto_method(),
      // clang-format on
  };
  return all;
}

const Method& find_method(const std::string& name) {
  Strings names;
  for (const auto& method : methods()) {
    if (method.name == name) return method;
    names.push_back(method.name);
  }
  throw OptionError(fmt::format("there is no method '{}'{}", name, suggestion(name, names)),
                    fmt::format("the methods are {}; 'mkc methods' describes them", join(names)));
}

}  // namespace mkc
