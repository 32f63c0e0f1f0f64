// The same kernel through <<<>>>, cudaLaunchKernel, cudaLaunchKernelEx and cudaLaunchKernelExC.
#include "../check.h"

__global__ void scale(float *values, int n, float factor, double offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = static_cast<float>(values[i] * factor + offset);
}

int main() {
  int n = 1000;
  float factor = 2;
  double offset = 1;
  check::DeviceArray<float> values(n, 1.0f);
  float *pointer = values.get();
  const auto demand = [&](float expected, int line) {
    CUDA_OK(cudaDeviceSynchronize());
    for (float v : values.download()) check::equal(v, expected, "value", __FILE__, line);
  };
  scale<<<8, 128>>>(pointer, n, factor, offset);
  demand(3, __LINE__);

  void *arguments[] = {&pointer, &n, &factor, &offset};
  CUDA_OK(cudaLaunchKernel(reinterpret_cast<const void *>(scale), dim3(8), dim3(128), arguments, 0, nullptr));
  demand(7, __LINE__);

  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1001);
  config.blockDim = dim3(1);
  CUDA_OK(cudaLaunchKernelEx(&config, scale, pointer, n, factor, offset));
  demand(15, __LINE__);
  config.gridDim = dim3(4);
  config.blockDim = dim3(250);
  CUDA_OK(cudaLaunchKernelExC(&config, reinterpret_cast<const void *>(scale), arguments));
  demand(31, __LINE__);

  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaMemset(pointer, 0, values.bytes()));
  CUDA_OK(cudaDeviceSynchronize());
  const dim3 grid(8), block(128);
  scale<<<grid, block, 0, stream>>>(pointer, n, 0.0f, 4.5);
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(values.download()[999], 4.5f);
  CUDA_OK(cudaStreamDestroy(stream));

  // Many small launches in a row.
  CUDA_OK(cudaMemset(pointer, 0, values.bytes()));
  for (int i = 0; i < 2000; ++i) scale<<<1, 32>>>(pointer, 1, 1.0f, 1.0);
  LAUNCH_OK();
  CHECK_EQ(values.download()[0], 2000.0f);
  CHECK_EQ(values.download()[1], 0.0f);
  return check::finish();
}
