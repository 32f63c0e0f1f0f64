// More races in shared memory: of algorithms that keep their data there, each beside the same kernel without it.
#include "pairs.h"

// Two buffers take turns, and one barrier a round is enough; without it neither is safe.
// finds: race: __syncthreads()
__global__ void racy_double_buffer(int *out) {
  __shared__ int buffers[2][64];
  buffers[0][threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    const int *from = buffers[round % 2];
    int *to = buffers[1 - round % 2];
    to[threadIdx.x] = from[(threadIdx.x + 32) % 64] + 1;  // HERE
  }
  out[threadIdx.x] = buffers[0][threadIdx.x];
}
__global__ void fixed_double_buffer(int *out) {
  __shared__ int buffers[2][64];
  buffers[0][threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    const int *from = buffers[round % 2];
    int *to = buffers[1 - round % 2];
    to[threadIdx.x] = from[(threadIdx.x + 32) % 64] + 1;
    __syncthreads();
  }
  out[threadIdx.x] = buffers[0][threadIdx.x];
}

// The sums are added in place: reading and writing need a barrier between them, too.
// finds: race: __syncthreads()
__global__ void racy_scan(int *out) {
  __shared__ int sums[128];
  sums[threadIdx.x] = 1;
  for (int step = 1; step < 128; step *= 2) {
    __syncthreads();
    if (threadIdx.x >= step) sums[threadIdx.x] += sums[threadIdx.x - step];  // HERE
  }
  out[threadIdx.x] = sums[threadIdx.x];
}
__global__ void fixed_scan(int *out) {
  __shared__ int sums[128];
  sums[threadIdx.x] = 1;
  for (int step = 1; step < 128; step *= 2) {
    __syncthreads();
    const int left = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
    __syncthreads();
    sums[threadIdx.x] += left;
  }
  out[threadIdx.x] = sums[threadIdx.x];
}

// The barrier stands behind a whole stage, not behind each step of it.
// finds: race: __syncthreads()
__global__ void racy_bitonic(int *out) {
  __shared__ int keys[64];
  keys[threadIdx.x] = (threadIdx.x * 37) % 64;
  __syncthreads();
  for (int size = 2; size <= 64; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      const int other = threadIdx.x ^ step;
      if (other > threadIdx.x) {
        const int a = keys[threadIdx.x], b = keys[other];
        if ((a > b) == ((threadIdx.x & size) == 0)) {
          keys[threadIdx.x] = b;
          keys[other] = a;
        }
      }
    }
    __syncthreads();
  }
  out[threadIdx.x] = keys[threadIdx.x];
}
__global__ void fixed_bitonic(int *out) {
  __shared__ int keys[64];
  keys[threadIdx.x] = (threadIdx.x * 37) % 64;
  __syncthreads();
  for (int size = 2; size <= 64; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      const int other = threadIdx.x ^ step;
      if (other > threadIdx.x) {
        const int a = keys[threadIdx.x], b = keys[other];
        if ((a > b) == ((threadIdx.x & size) == 0)) {
          keys[threadIdx.x] = b;
          keys[other] = a;
        }
      }
      __syncthreads();
    }
  }
  out[threadIdx.x] = keys[threadIdx.x];
}

// finds: race: __syncthreads()
__global__ void racy_transpose(int *out) {
  __shared__ int tile[16][17];
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  tile[y][x] = threadIdx.x;       // HERE
  out[threadIdx.x] = tile[x][y];  // HERE
}
__global__ void fixed_transpose(int *out) {
  __shared__ int tile[16][17];
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  tile[y][x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[x][y];
}

// The first threads load the halo, behind the barrier.
// finds: race: __syncthreads()
__global__ void racy_halo(int *out) {
  __shared__ int tile[64 + 2];
  tile[threadIdx.x + 1] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 2) tile[threadIdx.x * 65] = -1;                                      // HERE
  out[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];  // HERE
}
__global__ void fixed_halo(int *out) {
  __shared__ int tile[64 + 2];
  tile[threadIdx.x + 1] = threadIdx.x;
  if (threadIdx.x < 2) tile[threadIdx.x * 65] = -1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];
}

// A matrix product, whose second barrier was thought to be one too many.
// finds: race: __syncthreads()
__global__ void racy_product(int *out) {
  __shared__ int a[8][8], b[8][8];
  const int x = threadIdx.x % 8, y = threadIdx.x / 8;
  int sum = 0;
  for (int part = 0; part < 3; ++part) {
    a[y][x] = out[part * 64 + threadIdx.x];
    b[y][x] = out[part * 64 + threadIdx.x];  // HERE
    __syncthreads();
    for (int k = 0; k < 8; ++k) sum += a[y][k] * b[k][x];  // HERE
  }
  out[1024 + threadIdx.x] = sum;
}
__global__ void fixed_product(int *out) {
  __shared__ int a[8][8], b[8][8];
  const int x = threadIdx.x % 8, y = threadIdx.x / 8;
  int sum = 0;
  for (int part = 0; part < 3; ++part) {
    a[y][x] = out[part * 64 + threadIdx.x];
    b[y][x] = out[part * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 8; ++k) sum += a[y][k] * b[k][x];
    __syncthreads();
  }
  out[1024 + threadIdx.x] = sum;
}

// A ring of two slots: barriers 1 and 2 tell that one is full, 3 and 4 that it is empty, which is said before it is
// read.
__device__ void tell(int barrier) { asm volatile("bar.arrive %0, 64;" ::"r"(barrier) : "memory"); }
__device__ void waitAt(int barrier) { asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory"); }
// finds: race: __syncthreads()
__global__ void racy_ring(int *out) {
  __shared__ int slots[2][32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i < 6; ++i) {
      waitAt(i % 2 ? 4 : 3);
      slots[i % 2][lane] = i;  // HERE
      tell(i % 2 ? 2 : 1);
    }
  } else {
    int sum = 0;
    tell(3);
    tell(4);
    for (int i = 0; i < 6; ++i) {
      waitAt(i % 2 ? 2 : 1);
      if (i + 2 < 6) tell(i % 2 ? 4 : 3);
      sum += slots[i % 2][31 - lane];  // HERE
    }
    out[lane] = sum;
  }
}
__global__ void fixed_ring(int *out) {
  __shared__ int slots[2][32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i < 6; ++i) {
      waitAt(i % 2 ? 4 : 3);
      slots[i % 2][lane] = i;
      tell(i % 2 ? 2 : 1);
    }
  } else {
    int sum = 0;
    tell(3);
    tell(4);
    for (int i = 0; i < 6; ++i) {
      waitAt(i % 2 ? 2 : 1);
      sum += slots[i % 2][31 - lane];
      if (i + 2 < 6) tell(i % 2 ? 4 : 3);
    }
    out[lane] = sum;
  }
}

__device__ int warpSum(int value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(~0u, value, step);
  return value;
}
// Warps leave their sums to the first warp.
// finds: race: __syncthreads()
__global__ void racy_warp_sums(int *out) {
  __shared__ int sums[4];
  const int sum = warpSum(threadIdx.x);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;  // HERE
  if (threadIdx.x < 32) {
    const int total = warpSum(threadIdx.x < 4 ? sums[threadIdx.x] : 0);  // HERE
    if (threadIdx.x == 0) *out = total;
  }
}
__global__ void fixed_warp_sums(int *out) {
  __shared__ int sums[4];
  const int sum = warpSum(threadIdx.x);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    const int total = warpSum(threadIdx.x < 4 ? sums[threadIdx.x] : 0);
    if (threadIdx.x == 0) *out = total;
  }
}

// A block's sum, asked for twice: the second call writes what the first one's slow threads have yet to read.
template <bool guarded>
__device__ int blockSum(int value) {
  __shared__ int sums[4];
  if (guarded) __syncthreads();
  const int sum = warpSum(value);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  return sums[0] + sums[1] + sums[2] + sums[3];
}
// finds: race: __syncthreads()
__global__ void racy_called_twice(int *out) {
  const int first = blockSum<false>(threadIdx.x), second = blockSum<false>(1);
  out[threadIdx.x] = first / second;
}
__global__ void fixed_called_twice(int *out) {
  const int first = blockSum<true>(threadIdx.x), second = blockSum<true>(1);
  out[threadIdx.x] = first / second;
}

// Two arrays in the dynamic part: the second begins before the first ends.
// finds: race: __syncthreads()
__global__ void racy_overlap(int *out) {
  extern __shared__ int buffer[];
  auto *keys = reinterpret_cast<short *>(buffer);
  auto *counts = reinterpret_cast<int *>(keys + 32);
  if (threadIdx.x < 40)
    keys[threadIdx.x] = threadIdx.x;  // HERE
  else if (threadIdx.x >= 64 && threadIdx.x < 72)
    counts[threadIdx.x - 64] = 0;  // HERE
  out[threadIdx.x] = 1;
}
__global__ void fixed_overlap(int *out) {
  extern __shared__ int buffer[];
  auto *keys = reinterpret_cast<short *>(buffer);
  auto *counts = reinterpret_cast<int *>(keys + 40);
  if (threadIdx.x < 40)
    keys[threadIdx.x] = threadIdx.x;
  else if (threadIdx.x >= 64 && threadIdx.x < 72)
    counts[threadIdx.x - 64] = 0;
  out[threadIdx.x] = 1;
}

// Each warp has a field of its own, but one copies the whole structure.
struct State {
  int low, high;
};
// finds: race: __syncthreads()
__global__ void racy_fields(int *out) {
  __shared__ State state;
  if (threadIdx.x == 32) state.high = 2;  // HERE
  if (threadIdx.x == 0) {
    state.low = 1;
    const State copy = state;  // HERE
    out[0] = copy.low;
  }
}
__global__ void fixed_fields(int *out) {
  __shared__ State state;
  if (threadIdx.x == 32) state.high = 2;
  if (threadIdx.x == 0) {
    state.low = 1;
    out[0] = state.low;
  }
}

// Bit fields of one word are written by reading and writing that word.
// finds: race: __syncthreads()
__global__ void racy_bit_fields(int *out) {
  __shared__ struct {
    unsigned left : 12, right : 20;
  } both;
  if (threadIdx.x == 0) both.left = threadIdx.x + 3;    // HERE
  if (threadIdx.x == 32) both.right = threadIdx.x + 5;  // HERE
  __syncthreads();
  out[threadIdx.x] = both.left + both.right;
}
__global__ void fixed_bit_fields(int *out) {
  __shared__ struct {
    unsigned left : 12, : 0, right : 20;
  } both;
  if (threadIdx.x == 0) both.left = threadIdx.x + 3;
  if (threadIdx.x == 32) both.right = threadIdx.x + 5;
  __syncthreads();
  out[threadIdx.x] = both.left + both.right;
}

// Sixteen bytes at once, of which another thread writes the last four.
// finds: race: __syncthreads()
__global__ void racy_vectors(int *out) {
  __shared__ int4 values[2];
  auto *words = reinterpret_cast<int *>(values);
  if (threadIdx.x == 0) values[0] = make_int4(1, 2, 3, 4);                        // HERE
  if (threadIdx.x == 32) *reinterpret_cast<int2 *>(words + 2) = make_int2(5, 6);  // HERE
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x % 4];
}
__global__ void fixed_vectors(int *out) {
  __shared__ int4 values[2];
  auto *words = reinterpret_cast<int *>(values);
  if (threadIdx.x == 0) values[0] = make_int4(1, 2, 3, 4);
  if (threadIdx.x == 32) *reinterpret_cast<int2 *>(words + 4) = make_int2(5, 6);
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x % 4];
}

// A double that is read while half of it is written.
// finds: race: __syncthreads()
__global__ void racy_half_of_double(int *out) {
  __shared__ double value;
  if (threadIdx.x == 0) reinterpret_cast<int *>(&value)[1] = 1 << 30;  // HERE
  if (threadIdx.x == 32) out[0] = value > 1;                           // HERE
}
__global__ void fixed_half_of_double(int *out) {
  __shared__ double values[2];
  if (threadIdx.x == 32) values[1] = 2;
  if (threadIdx.x == 0) reinterpret_cast<int *>(values)[1] = 1 << 30;
  if (threadIdx.x == 32) out[0] = values[1] > 1;
}

// A search stops when somebody has found it; the flag is set again before all have looked.
// finds: race: __syncthreads()
__global__ void racy_found_flag(int *out) {
  __shared__ int found;
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == 0) found = 0;  // HERE
    __syncthreads();
    if (threadIdx.x == 20 + round * 16) found = round == 3;
    __syncthreads();
    if (found) break;  // HERE
  }
  out[threadIdx.x] = 1;
}
__global__ void fixed_found_flag(int *out) {
  __shared__ int found;
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (threadIdx.x == 20 + round * 16) found = round == 3;
    __syncthreads();
    const bool stop = found;
    __syncthreads();
    if (stop) break;
  }
  out[threadIdx.x] = 1;
}

// Who has less to do comes to the end of its loop earlier, and reads there.
// finds: race: __syncthreads()
__global__ void racy_trip_counts(int *out) {
  __shared__ int work[64];
  work[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < static_cast<int>(threadIdx.x); ++i) work[threadIdx.x] += i;  // HERE
  out[threadIdx.x] = work[63 - threadIdx.x];                                       // HERE
}
__global__ void fixed_trip_counts(int *out) {
  __shared__ int work[64];
  work[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < static_cast<int>(threadIdx.x); ++i) work[threadIdx.x] += i;
  __syncthreads();
  out[threadIdx.x] = work[63 - threadIdx.x];
}

// Places in a list are drawn with an atomic function, but its length is read before all have drawn.
// finds: race: one of the two is atomic
__global__ void racy_compaction(int *out) {
  __shared__ int count, kept[128];
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 3 == 0) kept[atomicAdd(&count, 1)] = threadIdx.x;  // HERE
  if (threadIdx.x < count) out[threadIdx.x] = 1;                       // HERE
}
__global__ void fixed_compaction(int *out) {
  __shared__ int count, kept[128];
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 3 == 0) kept[atomicAdd(&count, 1)] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < count) out[threadIdx.x] = kept[threadIdx.x];
}

// The index is one another's: odd threads swap with the even ones beyond the warp's border.
// finds: race: __syncthreads()
__global__ void racy_odd_even(int *out) {
  __shared__ int keys[65];
  keys[threadIdx.x] = 64 - threadIdx.x;
  if (threadIdx.x == 0) keys[64] = 100;
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x % 2 == round % 2 && keys[threadIdx.x] > keys[threadIdx.x + 1]) {
      const int key = keys[threadIdx.x];
      keys[threadIdx.x] = keys[threadIdx.x + 1];
      keys[threadIdx.x + 1] = key;
    }
    __syncwarp();
  }
  out[threadIdx.x] = keys[threadIdx.x];
}
__global__ void fixed_odd_even(int *out) {
  __shared__ int keys[65];
  keys[threadIdx.x] = 64 - threadIdx.x;
  if (threadIdx.x == 0) keys[64] = 100;
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x % 2 == round % 2 && keys[threadIdx.x] > keys[threadIdx.x + 1]) {
      const int key = keys[threadIdx.x];
      keys[threadIdx.x] = keys[threadIdx.x + 1];
      keys[threadIdx.x + 1] = key;
    }
    __syncthreads();
  }
  out[threadIdx.x] = keys[threadIdx.x];
}

// The vote of the block is a barrier, but what follows it is not.
// finds: race: __syncthreads()
__global__ void racy_vote(int *out) {
  __shared__ int best;
  const int any = __syncthreads_or(threadIdx.x == 40);
  if (threadIdx.x == 40) best = any;              // HERE
  if (threadIdx.x < 32) out[threadIdx.x] = best;  // HERE
}
__global__ void fixed_vote(int *out) {
  __shared__ int best;
  if (threadIdx.x == 40) best = 1;
  const int any = __syncthreads_or(threadIdx.x == 40);
  if (threadIdx.x < 32) out[threadIdx.x] = best + any;
}

// Threads that have read leave before the barrier that others write behind; many others have read the same.
// finds: race: has left the kernel
__global__ void racy_reader_leaves(int *out) {
  __shared__ int shared;
  if (threadIdx.x == 0) shared = 7;
  __syncthreads();
  const int value = shared;  // HERE
  if (threadIdx.x >= blockDim.x - 10) return;
  __syncthreads();
  if (threadIdx.x == 0) shared = 5;  // HERE
  __syncthreads();
  out[threadIdx.x] = value + shared;
}
__global__ void fixed_reader_leaves(int *out) {
  __shared__ int shared;
  if (threadIdx.x == 0) shared = 7;
  __syncthreads();
  const int value = shared;
  __syncthreads();
  if (threadIdx.x >= blockDim.x - 10) return;
  if (threadIdx.x == 0) shared = 5;
  __syncthreads();
  out[threadIdx.x] = value + shared;
}

int main() {
  PAIR(double_buffer, 1, 64);
  PAIR(scan, 1, 128);
  PAIR(bitonic, 1, 64);
  PAIR(transpose, 1, 256);
  PAIR(halo, 1, 64);
  PAIR(product, 1, 64);
  PAIR(ring, 1, 64);
  PAIR(warp_sums, 1, 128);
  PAIR(called_twice, 1, 128);
  PAIR(overlap, 1, 96);
  PAIR(fields, 1, 96);
  PAIR(bit_fields, 1, 64);
  PAIR(vectors, 1, 64);
  PAIR(half_of_double, 1, 64);
  PAIR(found_flag, 1, 96);
  PAIR(trip_counts, 1, 64);
  PAIR(compaction, 1, 128);
  PAIR(odd_even, 1, 64);
  PAIR(vote, 1, 64);
  PAIR(reader_leaves, 1, 32);
  PAIR(reader_leaves, 1, 64);
  PAIR(reader_leaves, 1, 200);
  return finish();
}
