// Copies and kernels in several streams: each stream works on its part of the data, events measure and order them.
#include "../common.h"

constexpr int streamCount = 4, partSize = 1 << 16, n = streamCount * partSize;

__global__ void squareRoot(float *values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = sqrtf(values[i]);
}

int main() {
  float *host, *device;
  CUDA_CHECK(cudaMallocHost(&host, n * sizeof(float)));  // asynchronous copies want page-locked memory
  CUDA_CHECK(cudaMalloc(&device, n * sizeof(float)));
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i) * i;

  cudaStream_t streams[streamCount];
  cudaEvent_t begin, end, done[streamCount];
  CUDA_CHECK(cudaEventCreate(&begin));
  CUDA_CHECK(cudaEventCreate(&end));
  for (int s = 0; s < streamCount; ++s) {
    CUDA_CHECK(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming));
  }

  CUDA_CHECK(cudaEventRecord(begin, streams[0]));
  for (int s = 0; s < streamCount; ++s) {
    float *part = device + s * partSize, *hostPart = host + s * partSize;
    CUDA_CHECK(cudaMemcpyAsync(part, hostPart, partSize * sizeof(float), cudaMemcpyHostToDevice, streams[s]));
    squareRoot<<<divideUp(partSize, 256), 256, 0, streams[s]>>>(part, partSize);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpyAsync(hostPart, part, partSize * sizeof(float), cudaMemcpyDeviceToHost, streams[s]));
    CUDA_CHECK(cudaEventRecord(done[s], streams[s]));
    CUDA_CHECK(cudaStreamWaitEvent(streams[0], done[s], 0));  // the first stream ends last
  }
  CUDA_CHECK(cudaEventRecord(end, streams[0]));
  CUDA_CHECK(cudaEventSynchronize(end));
  float milliseconds;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  printf("%d streams have finished\n", streamCount);
  fprintf(stderr, "in %.3f ms\n", milliseconds);

  bool ok = milliseconds >= 0;
  for (int i = 0; i < n; ++i) ok &= close(host[i], i);
  for (int s = 0; s < streamCount; ++s) {
    CUDA_CHECK(cudaEventDestroy(done[s]));
    CUDA_CHECK(cudaStreamDestroy(streams[s]));
  }
  CUDA_CHECK(cudaEventDestroy(begin));
  CUDA_CHECK(cudaEventDestroy(end));
  CUDA_CHECK(cudaFreeHost(host));
  CUDA_CHECK(cudaFree(device));
  return report(ok);
}
