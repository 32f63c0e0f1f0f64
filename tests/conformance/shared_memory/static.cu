// Static shared memory: several arrays per kernel, multi-dimensional, in called functions, separate for each block.
#include "../check.h"

struct Pair {
  short a;
  double b;
};

__device__ int twice(int value) {
  __shared__ int own[64];  // one array per block, whoever calls
  own[threadIdx.x] = value;
  __syncthreads();
  const int result = own[blockDim.x - 1 - threadIdx.x] * 2;
  __syncthreads();
  return result;
}

__global__ void run(int *out, int *wrong) {
  __shared__ int line[64];
  __shared__ char odd[7];
  __shared__ double grid[4][5];
  __shared__ Pair pairs[3];
  __shared__ float4 wide[2];
  __shared__ int single;
  const int i = threadIdx.x;
  if (reinterpret_cast<size_t>(grid) % alignof(double) || reinterpret_cast<size_t>(wide) % 16) *wrong = 1;
  line[i] = i + blockIdx.x * 1000;
  if (i < 7) odd[i] = static_cast<char>(i);
  if (i < 20) grid[i / 5][i % 5] = i * 0.5;
  if (i < 3) pairs[i] = {static_cast<short>(-i), i * 2.0};
  if (i < 2) wide[i] = make_float4(i, i + 1, i + 2, i + 3);
  if (i == 0) single = blockIdx.x;
  __syncthreads();
  if (single != (int)blockIdx.x || odd[6] != 6 || grid[3][4] != 9.5 || pairs[2].b != 4.0 || wide[1].w != 4) *wrong = 2;
  const int sum = line[(i + 1) % blockDim.x] + twice(line[i]);
  out[blockIdx.x * blockDim.x + i] = sum + twice(1);
}

__global__ void transpose(int *out, const int *in, int n) {
  __shared__ int tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  for (int threads : {64, 33, 20}) {
    const int blocks = 9;
    check::DeviceArray<int> out(blocks * threads), wrong(1, 0);
    run<<<blocks, threads>>>(out.get(), wrong.get());
    LAUNCH_OK();
    CHECK_EQ(wrong.download()[0], 0);
    const std::vector<int> host = out.download();
    for (int b = 0; b < blocks; ++b)
      for (int i = 0; i < threads; ++i)
        CHECK_EQ(host[b * threads + i], (i + 1) % threads + b * 1000 + 2 * (threads - 1 - i + b * 1000) + 2);
  }
  const int n = 61;
  std::vector<int> in(n * n);
  for (int i = 0; i < n * n; ++i) in[i] = i;
  check::DeviceArray<int> from(in), to(n * n);
  transpose<<<dim3(4, 4), dim3(16, 16)>>>(to.get(), from.get(), n);
  LAUNCH_OK();
  const std::vector<int> result = to.download();
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) CHECK_EQ(result[y * n + x], x * n + y);
  return check::finish();
}
