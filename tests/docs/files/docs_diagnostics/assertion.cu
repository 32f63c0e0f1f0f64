#include <cassert>

__global__ void check(int n) { assert(threadIdx.x + blockIdx.x < n); }

int main() {
  check<<<2, 32>>>(32);
  return cudaDeviceSynchronize() != cudaErrorAssert;
}
