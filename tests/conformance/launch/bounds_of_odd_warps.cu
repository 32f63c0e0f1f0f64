// A kernel keeps to as many registers as let a block of its bound's size run, also where the warps do not fill the parts of
// an SM evenly [CUDA 5.4.9.2].
#include "../check.h"

template <int threads>
__global__ void __launch_bounds__(threads) hold(double *data) {
  double values[120];
#pragma unroll
  for (int i = 0; i < 120; ++i) values[i] = data[threadIdx.x + i * threads];
#pragma unroll
  for (int step = 1; step < 120; ++step)
    values[step] = fma(values[step - 1], values[(step * 7) % 120], values[step]);
#pragma unroll
  for (int i = 0; i < 120; ++i) data[threadIdx.x + i * threads] = values[i];
}

template <int threads>
void runs(double *data) {
  cudaFuncAttributes attributes = {};
  CUDA_OK(cudaFuncGetAttributes(&attributes, hold<threads>));
  const int warps = (threads + 127) / 128 * 4;
  CHECK(attributes.numRegs > 0 && attributes.numRegs <= 65536 / (warps * 32));
  int blocks = 0;
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, hold<threads>, threads, 0));
  CHECK(blocks >= 1);
  hold<threads><<<1, threads>>>(data);
  CUDA_OK(cudaGetLastError());
  CUDA_OK(cudaDeviceSynchronize());
}

int main() {
  double *data;
  CUDA_OK(cudaMalloc(&data, 120 * 1024 * sizeof *data));
  CUDA_OK(cudaMemset(data, 0, 120 * 1024 * sizeof *data));
  runs<32>(data);
  runs<96>(data);
  runs<160>(data);
  runs<288>(data);
  runs<352>(data);
  runs<416>(data);
  runs<544>(data);
  runs<1000>(data);
  CUDA_OK(cudaFree(data));
  return check::finish();
}
