// Page-locked memory: mapped into the device, its flags, registration of ordinary memory and its errors.
#include "../check.h"

__global__ void square(int *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= values[i];
}

static void useThroughDevicePointer(int *host, int n) {
  for (int i = 0; i < n; ++i) host[i] = i;
  int *device = nullptr;
  CUDA_OK(cudaHostGetDevicePointer(&device, host, 0));
  square<<<(n + 127) / 128, 128>>>(device, n);
  LAUNCH_OK();
  for (int i = 0; i < n; ++i) CHECK_EQ(host[i], i * i);
}

int main() {
  const int n = 1001;
  int *host = nullptr;
  CUDA_OK(cudaHostAlloc(&host, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable));
  useThroughDevicePointer(host, n);
  unsigned flags = 0;
  CUDA_OK(cudaHostGetFlags(&flags, host));
  CHECK((flags & cudaHostAllocMapped) != 0);
  CHECK((flags & cudaHostAllocPortable) != 0);
  CUDA_OK(cudaFreeHost(host));

  CUDA_OK(cudaMallocHost(&host, n * sizeof(int)));
  useThroughDevicePointer(host, n);
  CUDA_OK(cudaHostGetFlags(&flags, host));
  CHECK_EQ(flags, unsigned{cudaHostAllocMapped});  // with unified addressing all of it is
  CUDA_OK(cudaFreeHost(host));
  CUDA_OK(cudaFreeHost(nullptr));

  // What CUDA has allocated cannot be registered.
  CUDA_OK(cudaMallocHost(&host, n * sizeof(int)));
  CHECK_EQ(cudaHostRegister(host, n * sizeof(int), 0), cudaErrorInvalidValue);
  CHECK_EQ(cudaHostUnregister(host), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CUDA_OK(cudaFreeHost(host));

  std::vector<int> ordinary(n);
  CUDA_OK(cudaHostRegister(ordinary.data(), n * sizeof(int), cudaHostRegisterMapped));
  useThroughDevicePointer(ordinary.data(), n);
  CHECK_EQ(cudaHostRegister(ordinary.data(), n * sizeof(int), 0), cudaErrorHostMemoryAlreadyRegistered);
  CHECK_EQ(cudaGetLastError(), cudaErrorHostMemoryAlreadyRegistered);
  CUDA_OK(cudaHostUnregister(ordinary.data()));
  CHECK_EQ(cudaHostUnregister(ordinary.data()), cudaErrorHostMemoryNotRegistered);
  CHECK_EQ(cudaGetLastError(), cudaErrorHostMemoryNotRegistered);
  CHECK_EQ(cudaFreeHost(ordinary.data()), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_EQ(cudaHostAlloc(&host, 16, 0xFFFFu), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  return check::finish();
}
