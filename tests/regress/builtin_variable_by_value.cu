// The built-in variables are objects: they can be copied, passed on and returned, not only read by member.
#include "../conformance/check.h"

__device__ unsigned volume(dim3 extent) { return extent.x * extent.y * extent.z; }
__device__ unsigned linear(uint3 index, dim3 extent) { return index.x + extent.x * (index.y + extent.y * index.z); }
__device__ dim3 shape() { return blockDim; }

__global__ void run(unsigned *out) {
  const uint3 thread = threadIdx;
  const dim3 block = blockDim;
  out[linear(blockIdx, gridDim) * volume(shape()) + linear(thread, block)] =
      linear(threadIdx, blockDim) + 1000 * volume(gridDim);
}

int main() {
  check::DeviceArray<unsigned> out(6 * 60, 0u);
  run<<<dim3(2, 3), dim3(5, 4, 3)>>>(out.get());
  LAUNCH_OK();
  const std::vector<unsigned> host = out.download();
  for (unsigned i = 0; i < host.size(); ++i) CHECK_EQ(host[i], i % 60 + 6000);
  return check::finish();
}
