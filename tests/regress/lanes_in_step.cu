// forms: block
// unoptimised: no
// Warps whose lanes read what others write, without a barrier in between: on a GPU all lanes of a converged warp read
// before any writes. It is a race, but programs rely on it; a block function keeps that order.
#include <cstdio>

constexpr int threads = 128, warp = 32, blocks = 3;

__device__ int butterfly(int *s, int t) {
  for (int step = 16; step > 0; step /= 2) {
    s[t] += s[t ^ step];
    __syncthreads();
  }
  return s[t];
}

__device__ int neighbours(int *s, int t) {
  if (t % warp != 0) s[t] = s[t] * 3 + s[t - 1];
  __syncthreads();
  return s[t];
}

__device__ int rotated(int *s, int t) {
  s[t] = s[t / warp * warp + (t + 1) % warp];
  __syncthreads();
  return s[t];
}

__device__ int inLoop(int *s, int t) {
  for (int k = 0; k < threads / (int)gridDim.y; k += warp) s[t] += 2 * s[t / warp * warp + (t * 3 + k / warp) % warp];
  __syncthreads();
  return s[t];
}

__device__ int first(int *s, int t) {
  const int lane = t % warp, begin = t - lane;
  const int before = s[begin];
  if (lane == 3) s[begin] = t;
  return before;
}

__device__ int mirrored(int *s, int t) {
  s[t] -= s[t / warp * warp + (warp - 1 - t % warp)];
  __syncthreads();
  return s[t];
}

constexpr int pieces = 6;

__global__ void inStep(const int *in, int *global, int *out) {
  __shared__ int s[threads];
  const int t = threadIdx.x, i = blockIdx.x * threads + t, all = gridDim.x * threads;
  int *own = global + blockIdx.x * threads;
  s[t] = own[t] = in[i];
  __syncthreads();
  out[i] = butterfly(s, t);
  out[all + i] = neighbours(s, t);
  out[2 * all + i] = rotated(own, t);
  out[3 * all + i] = inLoop(s, t);
  out[4 * all + i] = mirrored(own, t);
  out[5 * all + i] = first(s, t);
}

// Lanes are the same for one warp by itself: `step` gives lane t's new value from all old ones.
template <typename Step>
void together(int *s, Step step) {
  int after[warp];
  for (int t = 0; t < warp; ++t) after[t] = step(s, t);
  for (int t = 0; t < warp; ++t) s[t] = after[t];
}

using Warp = int[warp];

void expectedOf(const int *in, Warp (&out)[pieces]) {
  Warp s, own;
  for (int t = 0; t < warp; ++t) s[t] = own[t] = in[t];
  const auto note = [&](int piece, const Warp &from) {
    for (int t = 0; t < warp; ++t) out[piece][t] = from[t];
  };
  for (int step = 16; step > 0; step /= 2) together(s, [=](int *v, int t) { return v[t] + v[t ^ step]; });
  note(0, s);
  together(s, [](int *v, int t) { return t != 0 ? v[t] * 3 + v[t - 1] : v[t]; });
  note(1, s);
  together(own, [](int *v, int t) { return v[(t + 1) % warp]; });
  note(2, own);
  for (int k = 0; k < threads / warp; ++k) together(s, [=](int *v, int t) { return v[t] + 2 * v[(t * 3 + k) % warp]; });
  note(3, s);
  together(own, [](int *v, int t) { return v[t] - v[warp - 1 - t]; });
  note(4, own);
  for (int t = 0; t < warp; ++t) out[5][t] = s[0];
}

int main() {
  constexpr int all = blocks * threads;
  int *in, *out, *global;
  for (int **array : {&in, &global}) cudaMallocManaged(array, all * sizeof(int));
  cudaMallocManaged(&out, pieces * all * sizeof(int));
  for (int i = 0; i < all; ++i) in[i] = (i * 7 + 3) % 101;
  inStep<<<blocks, threads>>>(in, global, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int failures = 0;
  for (int begin = 0; begin < all; begin += warp) {
    Warp expected[pieces];
    expectedOf(in + begin, expected);
    for (int piece = 0; piece < pieces; ++piece)
      for (int t = 0; t < warp; ++t) {
        const int result = out[piece * all + begin + t];
        if (result != expected[piece][t] && ++failures < 9)
          std::printf("piece %d, thread %d: %d, not %d\n", piece, begin + t, result, expected[piece][t]);
      }
  }
  std::printf("%s\n", failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
