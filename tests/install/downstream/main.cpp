#include <iostream>

#include <mkc/complete.hpp>
#include <mkc/version.hpp>

int main() {
  const mkc::Matrix K = mkc::Matrix::Identity(3, 3);
  mkc::Mask observed = mkc::Mask::Constant(3, 2, true);
  observed(2, 0) = false;
  const mkc::Completion c = mkc::complete(mkc::Problem({K, K}, observed), "knn,k=2");
  std::cout << "mkc " << mkc::version << ": " << c.kernels[0](0, 2) << "\n";
  return c.kernels[0](0, 2) == 0.5 ? 0 : 1;
}
