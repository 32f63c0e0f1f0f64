// A variable that is __device__ only where __CUDA_ARCH__ is defined was unknown to the host: cudaGetSymbolAddress() and
// copies to the symbol gave cudaErrorInvalidSymbol. To nvcc the host's variable of that name is its handle.
#include "../conformance/check.h"

#if defined(__CUDA_ARCH__)
#define OF_THE_DEVICE __device__
#else
#define OF_THE_DEVICE
#endif

OF_THE_DEVICE int number = 5;
static OF_THE_DEVICE int inFile = 6;
namespace library {
OF_THE_DEVICE int table[3] = {1, 2, 3};
}
__device__ int ordinary = 7;

__global__ void read(int *out) {
  out[0] = number;
  out[1] = inFile;
  out[2] = library::table[2];
  out[3] = ordinary;
}

template <class T>
static void replace(T &symbol, int value, size_t bytes, size_t offset = 0) {
  void *address = nullptr;
  CUDA_OK(cudaGetSymbolAddress(&address, symbol));
  CHECK_EQ(address != nullptr && address != &symbol, true);
  size_t size = 0;
  CUDA_OK(cudaGetSymbolSize(&size, symbol));
  CHECK_EQ(size, bytes);
  CUDA_OK(cudaMemcpyToSymbol(symbol, &value, sizeof value, offset));
}

int main() {
  replace(number, 50, sizeof(int));
  replace(inFile, 60, sizeof(int));
  replace(library::table, 30, 3 * sizeof(int), 2 * sizeof(int));
  replace(ordinary, 70, sizeof(int));
  // The host's own variables are not the device's.
  CHECK_EQ(number, 5);
  CHECK_EQ(inFile, 6);
  CHECK_EQ(library::table[2], 3);
  check::DeviceArray<int> out(4);
  read<<<1, 1>>>(out.get());
  LAUNCH_OK();
  const int expected[] = {50, 60, 30, 70};
  for (int i = 0; i < 4; ++i) CHECK_EQ(out.download()[i], expected[i]);
  return check::finish();
}
