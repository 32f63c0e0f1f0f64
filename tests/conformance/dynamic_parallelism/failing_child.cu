// A fault in a grid that device code launched reaches the host.
// options: -rdc=true -lcudadevrt
#include "../check.h"

__global__ void trap() { __trap(); }
__global__ void parent(int depth) {
  if (depth == 0)
    trap<<<1, 1>>>();
  else
    parent<<<1, 1>>>(depth - 1);
}

int main() {
  parent<<<2, 1>>>(2);
  CUDA_OK(cudaGetLastError());
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  return check::finish();
}
