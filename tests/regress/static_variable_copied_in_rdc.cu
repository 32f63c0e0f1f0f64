// options: -rdc=true
// With -rdc=true, a static device variable that the host names is the one that the kernels of its file use.
#include "../conformance/check.h"

static __device__ int counter = 2;
static __constant__ int start = 40;

static __global__ void add() { counter += start; }

int main() {
  add<<<1, 1>>>();
  LAUNCH_OK();
  int host = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&host, counter, sizeof host));
  CHECK_EQ(host, 42);
  return check::finish();
}
