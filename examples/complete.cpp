// Completes two small kernels; sample 2 lacks the first view. The tests build and run this example.
#include <iostream>

#include <mkc/complete.hpp>

int main() {
  mkc::Matrix A(3, 3), B(3, 3);
  A << 1.0, 0.2, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0, 0.0;
  B << 1.0, 0.1, 0.9, 0.1, 1.0, 0.2, 0.9, 0.2, 1.0;
  mkc::Mask observed = mkc::Mask::Constant(3, 2, true);
  observed(2, 0) = false;  // the entries of A for sample 2 are never read
  const mkc::Completion c = mkc::complete(mkc::Problem({A, B}, observed), "wknn,k=2");
  std::cout << c.kernels[0] << "\n";
}
