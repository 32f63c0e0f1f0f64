// Programs destroy a texture object right after the launch that uses it; the kernel still reads through it.
#include <cstdio>
#include <vector>

__global__ void sum(cudaTextureObject_t texture, int width, int repeat, float *result) {
  float total = 0;
  for (int i = 0; i < repeat; ++i) total += tex1Dfetch<float>(texture, (threadIdx.x + i) % width);
  result[threadIdx.x] = total;
}

int main() {
  const int width = 64, repeat = 20000;
  const std::vector<float> ones(width, 1.0f);
  float *data, *result;
  cudaMalloc(&data, width * sizeof(float));
  cudaMallocManaged(&result, width * sizeof(float));
  cudaMemcpy(data, ones.data(), width * sizeof(float), cudaMemcpyHostToDevice);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = width * sizeof(float);
  const cudaTextureDesc sampling{};
  for (int round = 0; round < 20; ++round) {
    cudaTextureObject_t texture;
    if (cudaCreateTextureObject(&texture, &resource, &sampling, nullptr) != cudaSuccess) return 1;
    sum<<<1, width>>>(texture, width, repeat, result);
    if (cudaDestroyTextureObject(texture) != cudaSuccess) return 1;
    if (cudaDestroyTextureObject(texture) != cudaErrorInvalidValue) return 1;
    cudaTextureDesc description;
    if (cudaGetTextureObjectTextureDesc(&description, texture) != cudaErrorInvalidValue) return 1;
  }
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < width; ++i)
    if (result[i] != repeat) return 1;
  std::puts("PASS");
}
