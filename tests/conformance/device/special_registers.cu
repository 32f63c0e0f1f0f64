// Special registers read through inline PTX agree with the built-in variables.
#include "../check.h"

#define READ(name)                                          \
  __device__ unsigned name() {                              \
    unsigned value;                                         \
    asm volatile("mov.u32 %0, %%" #name ";" : "=r"(value)); \
    return value;                                           \
  }
READ(laneid)
READ(smid)
READ(nsmid)
READ(lanemask_lt)
READ(lanemask_eq)
READ(lanemask_ge)

__global__ void compare(unsigned *wrong, unsigned multiprocessors) {
  const unsigned linear = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), lane = linear % 32;
  bool right = laneid() == lane;
  right = right && lanemask_lt() == (1u << lane) - 1 && lanemask_eq() == 1u << lane && lanemask_ge() == ~0u << lane;
  right = right && smid() < nsmid() && nsmid() >= multiprocessors;
  if (!right) atomicAdd(wrong, 1u);
}
__global__ void sameForBlock(unsigned *wrong) {
  __shared__ unsigned mine;
  if (threadIdx.x == 0) mine = smid();
  __syncthreads();
  if (mine != smid()) atomicAdd(wrong, 1u);
}

int main() {
  int multiprocessors = 0;
  CUDA_OK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  check::DeviceArray<unsigned> wrong(1, 0u);
  compare<<<dim3(3, 2), dim3(5, 7, 3)>>>(wrong.get(), multiprocessors);
  LAUNCH_OK();
  sameForBlock<<<50, 70>>>(wrong.get());
  LAUNCH_OK();
  CHECK_EQ(wrong.download()[0], 0u);
  return check::finish();
}
