#include <cstdio>
#include <exception>

#include "kernels.h"

int main() try {
  const std::vector<float> x = {1, 2, 3, 4}, y = {10, 20, 30, 40};
  for (const float value : saxpy(2, x, y)) std::printf("%g\n", value);
} catch (const std::exception &error) {
  std::fprintf(stderr, "@NAME@: %s\n", error.what());
  return 1;
}
