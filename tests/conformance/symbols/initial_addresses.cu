// device: h100 h100:2
// Variables that begin with addresses of variables have those of the device that they are on [CUDA 5.1.2, 5.4.1].
#include "../check.h"

struct Pair {
  int before;
  const int *place;
};

__device__ int one = 5;
__device__ int table[4] = {1, 2, 3, 4};
__device__ int *where = &table[1];
__constant__ int *inConstant[2] = {&one, &table[3]};
__device__ int *const both[] = {&one, &table[2]};
__device__ Pair pairs[2][2] = {{{1, table}, {2, &one}}, {{3, nullptr}, {4, table + 2}}};
__device__ int called(int x) { return 2 * x; }
__device__ int (*function)(int) = called;

__global__ void change(int by) {
  one += by;
  for (int i = 0; i < 4; ++i) table[i] += by;
}

__global__ void read(int *out, int i) {
  out[0] = *where;
  out[1] = *inConstant[i - 1];
  out[2] = *inConstant[i];
  out[3] = *both[i];
  out[4] = *pairs[0][0].place;
  out[5] = *pairs[0][i].place;
  out[6] = pairs[1][0].place == nullptr;
  out[7] = *pairs[i][1].place;
  out[8] = where == &table[1] && both[0] == &one;
  out[9] = function(21);
}

int main() {
  int devices = 0;
  CUDA_OK(cudaGetDeviceCount(&devices));
  // Each device's variables are changed by another number, and read when all have been.
  for (int device = 0; device < devices; ++device) {
    CUDA_OK(cudaSetDevice(device));
    change<<<1, 1>>>(10 * (device + 1));
    LAUNCH_OK();
  }
  for (int device = 0; device < devices; ++device) {
    CUDA_OK(cudaSetDevice(device));
    const int by = 10 * (device + 1);
    check::DeviceArray<int> out(10);
    read<<<1, 1>>>(out.get(), 1);
    LAUNCH_OK();
    const std::vector<int> values = out.download();
    const int expected[] = {2 + by, 5 + by, 4 + by, 3 + by, 1 + by, 5 + by, 1, 3 + by, 1, 42};
    for (int i = 0; i < 10; ++i) CHECK_EQ(values[i], expected[i]);
  }
  return check::finish();
}
