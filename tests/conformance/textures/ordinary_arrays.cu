// What only sparse arrays, arrays mapped later and arrays of several planes have an answer to.
#include "../check.h"

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr, plane = nullptr;
  cudaMipmappedArray_t mipmapped = nullptr;
  CUDA_OK(cudaMallocArray(&array, &format, 64, 64));
  CUDA_OK(cudaMallocMipmappedArray(&mipmapped, &format, make_cudaExtent(64, 64, 0), 3));
  cudaArraySparseProperties sparse = {};
  cudaArrayMemoryRequirements memory = {};
  CHECK_EQ(cudaArrayGetSparseProperties(&sparse, array), cudaErrorInvalidValue);
  CHECK_EQ(cudaMipmappedArrayGetSparseProperties(&sparse, mipmapped), cudaErrorInvalidValue);
  CHECK_EQ(cudaArrayGetMemoryRequirements(&memory, array, 0), cudaErrorInvalidValue);
  CHECK_EQ(cudaMipmappedArrayGetMemoryRequirements(&memory, mipmapped, 0), cudaErrorInvalidValue);
  CHECK_EQ(cudaArrayGetPlane(&plane, array, 0), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CUDA_OK(cudaFreeMipmappedArray(mipmapped));
  CUDA_OK(cudaFreeArray(array));
  return check::finish();
}
