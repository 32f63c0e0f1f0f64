// y = a * x + y with managed memory and a grid-stride loop: any launch size covers any vector.
#include "../common.h"

__global__ void saxpy(int n, float a, const float *x, float *y) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 1 << 20;
  float *x, *y;  // the same pointers work on both sides
  CUDA_CHECK(cudaMallocManaged(&x, n * sizeof(float)));
  CUDA_CHECK(cudaMallocManaged(&y, n * sizeof(float)));
  for (int i = 0; i < n; ++i) {
    x[i] = 1.0f;
    y[i] = 2.0f;
  }

  saxpy<<<32, 256>>>(n, 3.0f, x, y);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());  // before the host looks at y

  bool ok = true;
  for (int i = 0; i < n; ++i) ok &= y[i] == 5.0f;
  printf("y[0] = %.1f, y[%d] = %.1f\n", y[0], n - 1, y[n - 1]);
  CUDA_CHECK(cudaFree(x));
  CUDA_CHECK(cudaFree(y));
  return report(ok);
}
