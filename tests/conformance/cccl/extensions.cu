// CUDA's own additions to libcu++: <nv/target>, annotated_ptr and memcpy_async's shapes, cuda::ptx, and its arithmetic.
// needs: cuda/annotated_ptr cuda/cmath cuda/ptx nv/target
#include "../check.h"

#include <cuda/annotated_ptr>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/ptx>
#include <cuda/std/cstdint>
#include <nv/target>

__host__ __device__ int where() { NV_IF_ELSE_TARGET(NV_IS_DEVICE, (return 1;), (return 2;)) }

__host__ __device__ int atLeastVolta() {
  NV_DISPATCH_TARGET(NV_PROVIDES_SM_70, (return 70;), NV_IS_DEVICE, (return 1;), NV_IS_HOST, (return 0;))
}

__global__ void targets(int *result) {
  result[0] = where();
  result[1] = atLeastVolta();
}

__global__ void annotated(const int *source, int *target, int n) {
  cuda::annotated_ptr<const int, cuda::access_property::streaming> in(source);
  cuda::annotated_ptr<int, cuda::access_property::persisting> out(target);
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = in[i] * 2;
}

__global__ void instructions(unsigned *result) {
  __shared__ uint64_t barrier;
  namespace ptx = cuda::ptx;
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  const auto token = ptx::mbarrier_arrive(&barrier);
  while (!ptx::mbarrier_try_wait(&barrier, token)) {
  }
  result[threadIdx.x] = ptx::get_sreg_laneid() + 100 * ptx::get_sreg_tid_x() + 10000 * ptx::get_sreg_ntid_x();
}

__host__ __device__ int arithmetic() {
  const auto plusOne = cuda::proclaim_return_type<int>([](int x) { return x + 1; });
  return cuda::ceil_div(10, 4) * 10 + plusOne(4);
}

__global__ void arithmeticOnDevice(int *result) { *result = arithmetic(); }

int main() {
  CHECK_EQ(where(), 2);
  CHECK_EQ(atLeastVolta(), 0);
  CHECK_EQ(arithmetic(), 35);
  check::DeviceArray<int> result(2);
  targets<<<1, 1>>>(result.get());
  LAUNCH_OK();
  CHECK_EQ(result.download()[0], 1);
  CHECK_EQ(result.download()[1], 70);

  check::DeviceArray<int> source(100, 21), target(100);
  annotated<<<1, 32>>>(source.get(), target.get(), 100);
  LAUNCH_OK();
  for (int value : target.download()) CHECK_EQ(value, 42);

  check::DeviceArray<unsigned> registers(64);
  instructions<<<1, 64>>>(registers.get());
  LAUNCH_OK();
  const auto values = registers.download();
  for (unsigned i = 0; i < 64; ++i) CHECK_EQ(values[i], i % 32 + 100 * i + 640000);
  arithmeticOnDevice<<<1, 1>>>(result.get());
  LAUNCH_OK();
  CHECK_EQ(result.download()[0], 35);
  return check::finish();
}
