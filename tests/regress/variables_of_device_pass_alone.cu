// A source whose device variables are __device__ only where __CUDA_ARCH__ is defined, with nothing else of the device's:
// without -rdc=true nothing registered them, and all uses of the symbols gave cudaErrorInvalidSymbol.
#include "../conformance/check.h"

#if defined(__CUDA_ARCH__)
#define OF_THE_DEVICE __device__
#else
#define OF_THE_DEVICE
#endif

OF_THE_DEVICE int number = 5;
OF_THE_DEVICE int table[3] = {1, 2, 3};

int main() {
  void *address = nullptr;
  CUDA_OK(cudaGetSymbolAddress(&address, number));
  CHECK_EQ(address != nullptr && address != &number, true);
  size_t bytes = 0;
  CUDA_OK(cudaGetSymbolSize(&bytes, table));
  CHECK_EQ(bytes, sizeof table);
  const int value = 50;
  int back = 0;
  CUDA_OK(cudaMemcpyToSymbol(number, &value, sizeof value));
  CUDA_OK(cudaMemcpyFromSymbol(&back, number, sizeof back));
  CHECK_EQ(back, 50);
  CUDA_OK(cudaMemcpyFromSymbol(&back, table, sizeof back, 2 * sizeof(int)));
  CHECK_EQ(back, 3);
  // The host's own variable is not the device's.
  CHECK_EQ(number, 5);
  return check::finish();
}
