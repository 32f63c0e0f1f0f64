// cudaPointerGetAttributes tells device, pinned host, managed and ordinary host memory apart, also inside a block.
#include "../check.h"

__device__ int deviceVariable[8];

static cudaPointerAttributes of(const void *pointer) {
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, pointer));
  return attributes;
}

int main() {
  int device = -1;
  CUDA_OK(cudaGetDevice(&device));
  check::DeviceArray<int> array(100);
  cudaPointerAttributes a = of(array.get() + 50);
  CHECK_EQ(a.type, cudaMemoryTypeDevice);
  CHECK_EQ(a.device, device);
  CHECK_EQ(a.devicePointer, static_cast<void *>(array.get() + 50));
  CHECK_EQ(a.hostPointer, static_cast<void *>(nullptr));

  int *pinned = nullptr;
  CUDA_OK(cudaMallocHost(&pinned, 400));
  a = of(pinned + 10);
  CHECK_EQ(a.type, cudaMemoryTypeHost);
  CHECK_EQ(a.hostPointer, static_cast<void *>(pinned + 10));
  CHECK(a.devicePointer != nullptr);
  CUDA_OK(cudaFreeHost(pinned));

  int *managed = nullptr;
  CUDA_OK(cudaMallocManaged(&managed, 400));
  a = of(managed + 99);
  CHECK_EQ(a.type, cudaMemoryTypeManaged);
  CHECK_EQ(a.devicePointer, static_cast<void *>(managed + 99));
  CHECK_EQ(a.hostPointer, static_cast<void *>(managed + 99));
  CUDA_OK(cudaFree(managed));

  void *symbol = nullptr;
  CUDA_OK(cudaGetSymbolAddress(&symbol, deviceVariable));
  CHECK_EQ(of(symbol).type, cudaMemoryTypeDevice);

  std::vector<int> ordinary(4);
  a = of(ordinary.data());
  CHECK_EQ(a.type, cudaMemoryTypeUnregistered);
  CHECK_EQ(a.device, cudaInvalidDeviceId);
  CHECK_EQ(a.devicePointer, static_cast<void *>(nullptr));
  CHECK_EQ(a.hostPointer, static_cast<void *>(ordinary.data()));
  CHECK_EQ(cudaPointerGetAttributes(nullptr, ordinary.data()), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  return check::finish();
}
