// A barrier holds the threads that come to it at once until those have come that go through loops first.
#include "../check.h"

constexpr int threads = 64;

// Threads from `from` to below `to` add up their column.
__global__ void sums(const int *in, int *out, int rows, int from, int to) {
  __shared__ int shared[threads];
  const int t = threadIdx.x;
  int sum = 1;
  if (t >= from && t < to)
    for (int i = 0; i < rows; ++i) sum += in[i * threads + t];
  shared[t] = sum;
  __syncthreads();
  out[t] = shared[(t + threads / 2) % threads];
}

// Some come to one barrier several times, behind loops of their own.
__global__ void rounds(const int *in, int *out, int rows) {
  __shared__ int shared[2][threads];
  const int t = threadIdx.x;
  int last = 0;
  for (int round = 0; round < 4; ++round) {
    int sum = last;
    if (t % 4 == round)
      for (int i = 0; i < rows; ++i) sum += in[i * threads + t];
    shared[round % 2][t] = sum;
    __syncthreads();
    last = shared[round % 2][(t + 5) % threads];
  }
  out[t] = last;
}

static int added(int t, int rows, int from, int to) { return 1 + (t >= from && t < to ? rows * (t + 1) : 0); }

int main() {
  constexpr int rows = 10;
  std::vector<int> numbers(rows * threads);
  for (int i = 0; i < rows * threads; ++i) numbers[i] = i % threads + 1;
  check::DeviceArray<int> in(numbers), out(threads, 0);
  const int ranges[][2] = {{0, 32}, {32, 64}, {63, 64}, {0, 1}, {20, 45}, {5, 5}};
  for (const auto &[from, to] : ranges) {
    sums<<<1, threads>>>(in.get(), out.get(), rows, from, to);
    LAUNCH_OK();
    const std::vector<int> result = out.download();
    for (int t = 0; t < threads; ++t)
      CHECK_EQ(result[t], added((t + threads / 2) % threads, rows, from, to));
  }
  rounds<<<1, threads>>>(in.get(), out.get(), rows);
  LAUNCH_OK();
  std::vector<int> last(threads, 0), next(threads);
  for (int round = 0; round < 4; ++round) {
    for (int t = 0; t < threads; ++t) {
      const int from = (t + 5) % threads;
      next[t] = last[from] + (from % 4 == round ? rows * (from + 1) : 0);
    }
    last = next;
  }
  const std::vector<int> result = out.download();
  for (int t = 0; t < threads; ++t) CHECK_EQ(result[t], last[t]);
  return check::finish();
}
