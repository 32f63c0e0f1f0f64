// Control flow that differs per thread: nested branches, switches, loops with break and continue, early returns.
#include "../check.h"

__host__ __device__ inline int branchy(int seed) {
  int result = 0;
  for (int i = 0; i < 50; ++i) {
    const int v = (seed * 31 + i * 17) % 23;
    if (v == 0) continue;
    if (v > 20 && i > 40) break;
    switch (v % 5) {
      case 0:
        result += v;
        break;
      case 1:
        result -= i;  // falls through
      case 2:
        result ^= v;
        break;
      case 3:
        for (int j = v; j > 0; j /= 2) result += j & 1;
        break;
      default: {
        int n = v;
        while (n != 1 && n < 1000) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        do {
          result += n--;
        } while (n > 0 && n < 4);
      }
    }
    if (result > 5000) return result - 5000;
  }
  return result;
}

__global__ void run(int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = branchy(i);
}

// Barriers inside a loop whose trip count is the same for the whole block but only known at run time.
__global__ void rotate(int *out, const int *steps) {
  extern __shared__ int ring[];
  const int i = threadIdx.x, n = blockDim.x;
  ring[i] = i;
  __syncthreads();
  for (int s = 0; s < steps[blockIdx.x]; ++s) {
    const int next = ring[(i + 1) % n];
    __syncthreads();
    ring[i] = next;
    __syncthreads();
  }
  out[blockIdx.x * n + i] = ring[i];
}

int main() {
  const int n = 1013;
  check::DeviceArray<int> out(n, -1);
  run<<<8, 128>>>(out.get(), n);
  LAUNCH_OK();
  std::vector<int> result = out.download();
  for (int i = 0; i < n; ++i) CHECK_EQ(result[i], branchy(i));

  const std::vector<int> steps = {0, 1, 5, 76, 200};
  const int threads = 77;
  check::DeviceArray<int> deviceSteps(steps), rotated(steps.size() * threads);
  rotate<<<steps.size(), threads, threads * sizeof(int)>>>(rotated.get(), deviceSteps.get());
  LAUNCH_OK();
  result = rotated.download();
  for (size_t b = 0; b < steps.size(); ++b)
    for (int i = 0; i < threads; ++i) CHECK_EQ(result[b * threads + i], (i + steps[b]) % threads);
  return check::finish();
}
