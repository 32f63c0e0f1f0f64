// Functions for both sides launch kernels, on the host as on the device; no other function of this program launches.
// options: -rdc=true -lcudadevrt
#include "../check.h"

__global__ void add(int *out, int value) { out[threadIdx.x] += value; }

__host__ __device__ void launchAdd(int *out) { add<<<1, 32>>>(out, 1); }

template <class T>
__host__ __device__ cudaError_t launchAddOf(T *out, cudaStream_t stream) {
  add<<<1, dim3(32), 0, stream>>>(out, T(2));
  return cudaGetLastError();
}

struct Adder {
  int *out;
  __host__ __device__ void operator()(int value) const { add<<<1, 32>>>(out, value); }
};

__global__ void callAll(int *out, int *error) {
  launchAdd(out);
  *error = launchAddOf(out, 0);
  Adder{out}(5);
}

int main() {
  check::DeviceArray<int> out(32, 0), error(1, -1);
  launchAdd(out.get());
  CUDA_OK(launchAddOf(out.get(), cudaStream_t()));
  Adder{out.get()}(5);
  LAUNCH_OK();
  for (int value : out.download()) CHECK_EQ(value, 8);
  callAll<<<1, 1>>>(out.get(), error.get());
  LAUNCH_OK();
  CHECK_EQ(error.download()[0], 0);
  for (int value : out.download()) CHECK_EQ(value, 16);
  return check::finish();
}
