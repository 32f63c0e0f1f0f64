#include "../../check.h"
#include "shared.h"

#ifdef __CUDA_ARCH__
#define OF_THE_DEVICE __device__
#define CONSTANT __constant__
#else
#define OF_THE_DEVICE
#define CONSTANT
#endif

OF_THE_DEVICE int number = firstValue;
static OF_THE_DEVICE int inFile = firstValue + 1;
CONSTANT int table[2] = {0, firstValue + 2};
namespace {
CONSTANT int hidden = firstValue + 3;
}

__device__ int valueOf(int variable) {
  switch (variable) {
    case 0:
      return number;
    case 1:
      return inFile;
    case 2:
      return table[1];
    default:
      return hidden;
  }
}

template <class T>
static void replace(T &symbol, int variable, size_t offset = 0) {
  const int value = secondValue + variable;
  CUDA_OK(cudaMemcpyToSymbol(symbol, &value, sizeof value, offset));
  size_t bytes = 0;
  CUDA_OK(cudaGetSymbolSize(&bytes, symbol));
  CHECK_EQ(bytes, sizeof symbol);
}

void replaceAll() {
  replace(number, 0);
  replace(inFile, 1);
  replace(table, 2, sizeof(int));
  replace(hidden, 3);
  // The host's own variables are not the device's.
  CHECK_EQ(number + inFile + table[1] + hidden, 4 * firstValue + 6);
}
