// Threads that leave before the first barrier, and between two of them, in blocks of any shape: those that stay keep
// their loop counters and values.
#include <algorithm>

#include "../check.h"

__global__ void exchange(int *out, int n, int rounds) {
  extern __shared__ int s[];
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  const int g = blockIdx.x * threads + t;
  if (g >= n) return;
  const int live = min(threads, n - int(blockIdx.x) * threads);
  int sum = 0;
  s[t] = t;
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    const int x = s[(t + 1) % live];
    __syncthreads();
    sum += x * (i + 1);
    s[t] = x + (i & 1);
    __syncthreads();
    if (i == 3 && t % 5 == 4) return;
  }
  out[g] = sum;
}

// expected() does the same for one block, one step after the other.
static void expected(std::vector<int> &out, int first, int live, int rounds) {
  std::vector<int> s(live), sum(live), x(live);
  for (int t = 0; t < live; ++t) s[t] = t;
  const auto stays = [](int t, int i) { return i <= 3 || t % 5 != 4; };
  for (int i = 0; i < rounds; ++i) {
    for (int t = 0; t < live; ++t) x[t] = s[(t + 1) % live];
    for (int t = 0; t < live; ++t) {
      if (!stays(t, i)) continue;
      sum[t] += x[t] * (i + 1);
      s[t] = x[t] + (i & 1);
    }
  }
  for (int t = 0; t < live; ++t)
    if (rounds <= 3 || t % 5 != 4) out[first + t] = sum[t];
}

static void test(dim3 block, int n, int rounds) {
  const int threads = block.x * block.y * block.z;
  check::DeviceArray<int> out(std::vector<int>(n, -7));
  exchange<<<(n + threads - 1) / threads, block, threads * sizeof(int)>>>(out.get(), n, rounds);
  LAUNCH_OK();
  std::vector<int> wanted(n, -7);
  for (int first = 0; first < n; first += threads) expected(wanted, first, std::min(threads, n - first), rounds);
  CHECK(out.download() == wanted);
}

int main() {
  for (dim3 block : {dim3(1), dim3(31), dim3(33), dim3(100), dim3(7, 5, 3), dim3(1, 256), dim3(3, 1, 31), dim3(16, 16)})
    for (int n : {1, 32, 97, 1025})
      for (int rounds : {0, 1, 9}) test(block, n, rounds);
  return check::finish();
}
