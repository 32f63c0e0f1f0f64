// forms: block
// unoptimised: no
// Warps whose lanes read what others write, without a barrier in between: on a GPU all lanes of a converged warp read
// before any writes. It is a race, but programs rely on it; a block function keeps that order.
#include <algorithm>
#include <cstdio>

constexpr int warp = 32, blocks = 3, pieces = 6, rounds = 4;

// Lane is a thread in its warp, whose elements of an array begin at `own`; the last warp of a block may be smaller.
struct Lane {
  int *own, number, size;
};

__device__ int butterfly(Lane lane) {
  for (int step = 16; step > 0; step /= 2) {
    if ((lane.number ^ step) < lane.size) lane.own[lane.number] += lane.own[lane.number ^ step];
    __syncthreads();
  }
  return lane.own[lane.number];
}

__device__ int neighbours(Lane lane) {
  if (lane.number != 0) lane.own[lane.number] = lane.own[lane.number] * 3 + lane.own[lane.number - 1];
  __syncthreads();
  return lane.own[lane.number];
}

__device__ int rotated(Lane lane) {
  lane.own[lane.number] = lane.own[(lane.number + 1) % lane.size];
  __syncthreads();
  return lane.own[lane.number];
}

__device__ int inLoop(Lane lane) {
  for (int k = 0; k < rounds * (int)gridDim.y; ++k)
    lane.own[lane.number] += 2 * lane.own[(lane.number * 3 + k) % lane.size];
  __syncthreads();
  return lane.own[lane.number];
}

__device__ int mirrored(Lane lane) {
  lane.own[lane.number] -= lane.own[lane.size - 1 - lane.number];
  __syncthreads();
  return lane.own[lane.number];
}

__device__ int first(Lane lane) {
  const int before = lane.own[0];
  if (lane.number == 3) lane.own[0] = lane.number;
  return before;
}

__global__ void inStep(const int *in, int *global, int *out) {
  extern __shared__ int shared[];
  const int t = threadIdx.x, lane = t % warp, threads = blockDim.x, i = blockIdx.x * threads + t;
  const int size = min(warp, threads - (t - lane)), all = gridDim.x * threads;
  const Lane local{shared + t - lane, lane, size}, wide{global + i - lane, lane, size};
  shared[t] = global[i] = in[i];
  __syncthreads();
  out[i] = butterfly(local);
  out[all + i] = neighbours(local);
  out[2 * all + i] = rotated(wide);
  out[3 * all + i] = inLoop(local);
  out[4 * all + i] = mirrored(wide);
  out[5 * all + i] = first(local);
}

// Warp is what one should come to.
struct Warp {
  int local[warp], wide[warp], size;

  // together() gives each lane a new value, made of all old ones.
  template <typename Step>
  void together(int (&values)[warp], Step step) {
    int after[warp];
    for (int t = 0; t < size; ++t) after[t] = step(values, t);
    std::copy_n(after, size, values);
  }
};

void expectedOf(const int *in, int size, int (&out)[pieces][warp]) {
  Warp w{};
  w.size = size;
  std::copy_n(in, size, w.local);
  std::copy_n(in, size, w.wide);
  const auto note = [&](int piece, const int(&from)[warp]) { std::copy_n(from, size, out[piece]); };
  for (int step = 16; step > 0; step /= 2)
    w.together(w.local, [=](int *v, int t) { return (t ^ step) < size ? v[t] + v[t ^ step] : v[t]; });
  note(0, w.local);
  w.together(w.local, [](int *v, int t) { return t != 0 ? v[t] * 3 + v[t - 1] : v[t]; });
  note(1, w.local);
  w.together(w.wide, [=](int *v, int t) { return v[(t + 1) % size]; });
  note(2, w.wide);
  for (int k = 0; k < rounds; ++k) w.together(w.local, [=](int *v, int t) { return v[t] + 2 * v[(t * 3 + k) % size]; });
  note(3, w.local);
  w.together(w.wide, [=](int *v, int t) { return v[t] - v[size - 1 - t]; });
  note(4, w.wide);
  std::fill_n(out[5], size, w.local[0]);
}

int failuresWith(int threads) {
  const int all = blocks * threads;
  int *in, *out, *global, failures = 0;
  for (int **array : {&in, &global}) cudaMallocManaged(array, all * sizeof(int));
  cudaMallocManaged(&out, pieces * all * sizeof(int));
  for (int i = 0; i < all; ++i) in[i] = (i * 7 + 3) % 101;
  inStep<<<blocks, threads, threads * sizeof(int)>>>(in, global, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int t = 0; t < all; ++t) {
    const int inBlock = t % threads, lane = inBlock % warp, begin = t - lane;
    int expected[pieces][warp];
    expectedOf(in + begin, std::min(warp, threads - (inBlock - lane)), expected);
    for (int piece = 0; piece < pieces; ++piece) {
      const int result = out[piece * all + t];
      if (result != expected[piece][lane] && ++failures < 9)
        std::printf("%d threads, piece %d, thread %d: %d, not %d\n", threads, piece, t, result, expected[piece][lane]);
    }
  }
  return failures;
}

int main() {
  int failures = 0;
  for (int threads : {128, 32, 40, 20, 8, 111}) failures += failuresWith(threads);
  std::printf("%s\n", failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
