// Shuffles of tiles of all sizes, of several types, in blocks that are no multiple of a warp or have short rows, and
// where some tiles only take part.
#include <cooperative_groups.h>

#include "../check.h"

namespace cg = cooperative_groups;

struct Wide {
  int a, b, c;
};
__host__ __device__ inline float made(int t, float) { return t * 1.5f; }
__host__ __device__ inline double made(int t, double) { return t + 0.25; }
__host__ __device__ inline short made(int t, short) { return (short)(t - 100); }
__host__ __device__ inline Wide made(int t, Wide) { return {t, -t, 7 * t}; }
__host__ __device__ inline bool same(Wide a, Wide b) { return a.a == b.a && a.b == b.b && a.c == b.c; }
template <class T>
__host__ __device__ bool same(T a, T b) {
  return a == b;
}

// exchange() writes what each thread gets down, up, across and from one rank; with `some`, odd tiles only.
template <class T, unsigned size>
__global__ void exchange(T *out, bool some) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<size>(block);
  const int t = (int)block.thread_rank();
  const T own = made(t, T());
  T got[4] = {own, own, own, own};
  if (!some || tile.meta_group_rank() % 2) {
    got[0] = tile.shfl_down(own, 1);
    got[1] = tile.shfl_up(own, size / 2);
    got[2] = tile.shfl_xor(own, size > 1 ? 1 : 0);
    got[3] = tile.shfl(own, (int)(size - 1) / 2);
  }
  for (int i = 0; i < 4; ++i) out[4 * t + i] = got[i];
}

template <class T, unsigned size>
void checkSize(dim3 block) {
  const unsigned threads = block.x * block.y;
  T *out;
  CUDA_OK(cudaMallocManaged(&out, 4 * threads * sizeof(T)));
  for (const bool some : {false, true}) {
    exchange<T, size><<<1, block>>>(out, some);
    LAUNCH_OK();
    for (unsigned t = 0; t < threads; ++t) {
      const unsigned rank = t % size, first = t - rank;
      const bool takesPart = !some || t / size % 2;
      const unsigned from[] = {rank + 1 < size ? t + 1 : t, rank >= size / 2 ? t - size / 2 : t,
                               size > 1 ? first + (rank ^ 1) : t, first + (size - 1) / 2};
      for (int i = 0; i < 4; ++i) {
        // What a thread gets from one that does not exist is undefined.
        const unsigned source = takesPart ? from[i] : t;
        if (source < threads) CHECK(same(out[4 * t + i], made((int)source, T())));
      }
    }
  }
  CUDA_OK(cudaFree(out));
}

template <class T>
void checkType() {
  for (const dim3 block : {dim3(32), dim3(96), dim3(48), dim3(100), dim3(8, 8), dim3(16, 3)}) {
    checkSize<T, 1>(block);
    checkSize<T, 2>(block);
    checkSize<T, 4>(block);
    checkSize<T, 8>(block);
    checkSize<T, 16>(block);
    checkSize<T, 32>(block);
  }
}

int main() {
  checkType<float>();
  checkType<double>();
  checkType<short>();
  checkType<Wide>();
  return check::finish();
}
