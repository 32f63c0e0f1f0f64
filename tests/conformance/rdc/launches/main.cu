// Device code launches kernels that another file defines.
// options: -lcudadevrt
#include "../../check.h"
#include "kernels.h"

static __global__ void own(int *out) { atomicAdd(out, 1); }

__global__ void start(int *out) {
  elsewhere<<<1, 64>>>(out, 3);
  own<<<1, 5>>>(out + 1);
  both<int><<<1, 2>>>(out + 2, 20);
  launchFromLibrary(out + 10);
}

int main() {
  check::DeviceArray<int> out(20, 0);
  start<<<1, 1>>>(out.get());
  LAUNCH_OK();
  const std::vector<int> wanted = {192, 5, 20, 20, 0, 0, 0, 0, 0, 0, 400, 7, 7, 7, 7, 0};
  const std::vector<int> got = out.download();
  for (size_t i = 0; i < wanted.size(); ++i) CHECK_EQ(got[i], wanted[i]);
  elsewhere<<<1, 32>>>(out.get(), 2);
  LAUNCH_OK();
  CHECK_EQ(out.download()[0], 64);
  return check::finish();
}
