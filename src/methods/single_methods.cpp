#include "methods/single_methods.hpp"

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "methods/affine.hpp"
#include "methods/alone.hpp"
#include "methods/app/app.hpp"
#include "methods/cvkt.hpp"
#include "methods/em.hpp"
#include "methods/embd/embd.hpp"
#include "methods/knn.hpp"
#include "methods/latent/latent.hpp"
#include "methods/mean.hpp"
#include "methods/mkkm.hpp"
#include "methods/mkmc.hpp"
#include "methods/run_method.hpp"
#include "methods/sdp/sdp.hpp"
#include "methods/transfer/transfer.hpp"
#include "mkc/base/error.hpp"

namespace mkc {

const std::vector<Method>& single_methods() {
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
      mkkm_method(),
      cvkt_method(),
      latent_method(),
      // clang-format on
  };
  return all;
}

const Method& find_method_in(const std::vector<Method>& list, const std::string& name) {
  for (const auto& method : list)
    if (method.name == name) return method;
  const Strings names = names_of(list);
  throw OptionError(fmt::format("there is no method '{}'{}", name, suggestion(name, names)),
                    {"the methods are " + join(names), {"command", "methods", "describes them"}});
}

Completion complete_single(const Problem& problem, const std::string& method,
                           const RunOptions& run) {
  const Spec spec = parse_spec(method);
  return run_method(find_method_in(single_methods(), spec.name), spec.options, problem, run);
}

}  // namespace mkc
