#include <cstdio>

int main() {
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, 0) != cudaSuccess) return 1;
  std::printf(GREETING " %s\n", p.name);
  return 0;
}
