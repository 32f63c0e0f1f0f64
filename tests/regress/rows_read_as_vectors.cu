// Rows of a float array in local memory read as uint4: the array was aligned for floats only, and the vector move of
// the CPU failed. In shared memory, the array was put behind variables with larger elements, not where the program has
// it.
#include "../conformance/check.h"

constexpr int rows = 32;

// The index is not known before, so that the arrays stay in memory.
__global__ void local(const int *order, float *out) {
  float x[rows][4];
  char small[8];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 4; ++j) x[order[i]][j] = static_cast<float>(i * 4 + j + threadIdx.x);
  for (int j = 0; j < 8; ++j) small[order[j]] = static_cast<char>(j);
  float sum = 0;
  for (int i = 0; i < rows; ++i) {
    const uint4 row = *reinterpret_cast<const uint4 *>(x[order[i]]);
    sum += __uint_as_float(row.x) - __uint_as_float(row.w) + __uint_as_float(row.y);
  }
  *reinterpret_cast<float4 *>(x[order[rows - 1]]) = make_float4(sum, 0, 0, 0);
  const uint2 both = *reinterpret_cast<const uint2 *>(small);
  out[threadIdx.x] = x[order[rows - 1]][0] + static_cast<float>((both.x ^ both.y) & 0xff);
}

// With a barrier between, the block's threads have their arrays in the block's frame.
__global__ void localAcrossBarrier(const int *order, float *out) {
  __shared__ float passed[64];
  float x[rows][4];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 4; ++j) x[order[i]][j] = static_cast<float>(i + j + threadIdx.x);
  passed[threadIdx.x] = x[order[3]][1];
  __syncthreads();
  const float4 row = *reinterpret_cast<const float4 *>(x[order[5]]);
  out[threadIdx.x] = row.x + row.w + passed[threadIdx.x ^ 1];
}

__global__ void shared(const int *order, float *out) {
  __shared__ float x[rows][4];
  __shared__ double last[3];
  x[threadIdx.x / 4 % rows][threadIdx.x % 4] = static_cast<float>(threadIdx.x);
  if (threadIdx.x == 0) last[order[0]] = 0.5;
  __syncthreads();
  const float4 row = *reinterpret_cast<const float4 *>(x[order[threadIdx.x % 8]]);
  out[threadIdx.x] = row.x + row.w + static_cast<float>(last[0]);
}

// Whatever the number of threads, each one's array begins where a vector may.
__global__ void aligned(const int *order, float *rests) {
  float x[rows][4];
  for (int i = 0; i < rows; ++i) x[order[i]][0] = static_cast<float>(i);
  __syncthreads();
  const auto address = reinterpret_cast<size_t>(&x[0][0]);
  rests[threadIdx.x] = static_cast<float>(address % 16) + x[order[0]][0];
}

// A double behind an array of floats does not come to stand before it.
__global__ void inOrder(const int *order, float *rests) {
  __shared__ float x[3];
  __shared__ double last;
  x[order[threadIdx.x % 3]] = 1;
  last = 2;
  __syncthreads();
  rests[threadIdx.x] = static_cast<float>(reinterpret_cast<size_t>(x) % 16) + x[order[0]] - static_cast<float>(last);
}

int main() {
  std::vector<int> indices(rows);
  for (int i = 0; i < rows; ++i) indices[i] = i;
  check::DeviceArray<int> order(indices);
  check::DeviceArray<float> out(64, 0);
  local<<<1, 64>>>(order.get(), out.get());
  LAUNCH_OK();
  std::vector<float> results = out.download();
  // Over the rows: 4i + t - (4i + 3 + t) + 4i + 1 + t; then 0 ^ 4.
  for (int t = 0; t < 64; ++t) CHECK_EQ(results[t], 4 * (rows * (rows - 1) / 2) + rows * (t - 2) + 4);
  localAcrossBarrier<<<1, 64>>>(order.get(), out.get());
  LAUNCH_OK();
  results = out.download();
  for (int t = 0; t < 64; ++t) CHECK_EQ(results[t], 2 * (5 + t) + 3 + 4 + (t ^ 1));
  shared<<<1, 64>>>(order.get(), out.get());
  LAUNCH_OK();
  results = out.download();
  for (int t = 0; t < 64; ++t) CHECK_EQ(results[t], 2 * 4 * (t % 8) + 3 + 0.5f);
  aligned<<<1, 33>>>(order.get(), out.get());
  LAUNCH_OK();
  results = out.download();
  for (int t = 0; t < 33; ++t) CHECK_EQ(results[t], 0);
  inOrder<<<1, 33>>>(order.get(), out.get());
  LAUNCH_OK();
  results = out.download();
  for (int t = 0; t < 33; ++t) CHECK_EQ(results[t], -1);
  return check::finish();
}
