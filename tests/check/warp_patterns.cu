// More races between the threads of a warp: where something else was taken for a barrier of its lanes.
#include <cooperative_groups.h>

#include "pairs.h"

namespace cg = cooperative_groups;

// Tiles of 16 wait for themselves, but the whole warp's values are read.
// finds: race: __syncwarp()
__global__ void racy_tile16(int *out) {
  __shared__ int values[32];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  values[threadIdx.x] = threadIdx.x;  // HERE
  tile.sync();
  out[threadIdx.x] = values[31 - threadIdx.x];  // HERE
}
__global__ void fixed_tile16(int *out) {
  __shared__ int values[32];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  values[threadIdx.x] = threadIdx.x;
  tile.sync();
  out[threadIdx.x] = values[threadIdx.x ^ 15];
}

// A reduction over tiles of 8 through memory, whose last step goes over the tile's end.
// finds: race: __syncwarp()
__global__ void racy_tile8(int *out) {
  __shared__ int values[32 + 8];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  values[threadIdx.x] = 1;
  if (threadIdx.x < 8) values[32 + threadIdx.x] = 0;
  __syncwarp();
  for (int step = 4; step > 0; step /= 2) {
    const int other = values[threadIdx.x + step];  // HERE
    tile.sync();
    values[threadIdx.x] += other;  // HERE
    tile.sync();
  }
  out[threadIdx.x] = values[threadIdx.x];
}
__global__ void fixed_tile8(int *out) {
  __shared__ int values[32];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  values[threadIdx.x] = 1;
  tile.sync();
  for (int step = 4; step > 0; step /= 2) {
    const int other = tile.thread_rank() + step < 8 ? values[threadIdx.x + step] : 0;
    tile.sync();
    values[threadIdx.x] += other;
    tile.sync();
  }
  out[threadIdx.x] = values[threadIdx.x];
}

// A vote hands over a bit, and orders no memory.
// finds: race: __syncwarp()
__global__ void racy_ballot(int *out) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x * 3;  // HERE
  const unsigned odd = __ballot_sync(~0u, threadIdx.x & 1);
  out[threadIdx.x] = values[__ffs(odd) - 1];  // HERE
}
__global__ void fixed_ballot(int *out) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x * 3;
  const unsigned odd = __ballot_sync(~0u, threadIdx.x & 1);
  __syncwarp();
  out[threadIdx.x] = values[__ffs(odd) - 1];
}

// The first of those with the same key puts down the sum for the others.
// finds: race: __syncwarp()
__global__ void racy_match(int *out) {
  __shared__ int sums[4];
  const int key = threadIdx.x % 4;
  const unsigned peers = __match_any_sync(~0u, key);
  if (static_cast<int>(threadIdx.x) == __ffs(peers) - 1) sums[key] = __popc(peers);  // HERE
  out[threadIdx.x] = sums[key];                                                      // HERE
}
__global__ void fixed_match(int *out) {
  __shared__ int sums[4];
  const int key = threadIdx.x % 4;
  const unsigned peers = __match_any_sync(~0u, key);
  if (static_cast<int>(threadIdx.x) == __ffs(peers) - 1) sums[key] = __popc(peers);
  __syncwarp(peers);
  out[threadIdx.x] = sums[key];
}

// finds: race: __syncwarp()
__global__ void racy_all(int *out) {
  __shared__ int ready[32];
  ready[31 - threadIdx.x] = threadIdx.x + 1;                                     // HERE
  if (__all_sync(~0u, threadIdx.x < 32)) out[threadIdx.x] = ready[threadIdx.x];  // HERE
}
__global__ void fixed_all(int *out) {
  __shared__ int ready[32];
  ready[31 - threadIdx.x] = threadIdx.x + 1;
  __syncwarp();
  if (__all_sync(~0u, threadIdx.x < 32)) out[threadIdx.x] = ready[threadIdx.x];
}

// Lane 0 leaves a value for the others.
// finds: race: __syncwarp()
__global__ void racy_broadcast(int *out) {
  __shared__ int base[2];
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) base[warp] = atomicAdd(out, 32);  // HERE
  out[1 + threadIdx.x] = base[warp] + threadIdx.x % 32;        // HERE
}
__global__ void fixed_broadcast(int *out) {
  __shared__ int base[2];
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) base[warp] = atomicAdd(out, 32);
  __syncwarp();
  out[1 + threadIdx.x] = base[warp] + threadIdx.x % 32;
}

// The same in a loop: the lanes have to have read before lane 0 writes again.
// finds: race: __syncwarp()
__global__ void racy_broadcast_loop(int *out) {
  __shared__ int next;
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    if (threadIdx.x == 0) next = i;  // HERE
    __syncwarp();
    sum += next;  // HERE
  }
  out[threadIdx.x] = sum;
}
__global__ void fixed_broadcast_loop(int *out) {
  __shared__ int next;
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    if (threadIdx.x == 0) next = i;
    __syncwarp();
    sum += next;
    __syncwarp();
  }
  out[threadIdx.x] = sum;
}

// A butterfly through shared memory, where one barrier a round is not enough in place.
// finds: race: __syncwarp()
__global__ void racy_butterfly(int *out) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x;
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    const int other = values[threadIdx.x ^ step];  // HERE
    values[threadIdx.x] += other;                  // HERE
    __syncwarp();
  }
  out[threadIdx.x] = values[threadIdx.x];
}
__global__ void fixed_butterfly(int *out) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x;
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    const int other = values[threadIdx.x ^ step];
    __syncwarp();
    values[threadIdx.x] += other;
    __syncwarp();
  }
  out[threadIdx.x] = values[threadIdx.x];
}

// A sum of 32 without a barrier, since "a warp runs in step".
// finds: race: __syncwarp()
__global__ void racy_warp_reduce(int *out) {
  __shared__ int sums[32];
  sums[threadIdx.x] = out[threadIdx.x];  // HERE
  for (int step = 16; step > 0; step /= 2)
    if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];  // HERE
  if (threadIdx.x == 0) out[64] = sums[0];
}
__global__ void fixed_warp_reduce(int *out) {
  __shared__ int sums[32];
  sums[threadIdx.x] = out[threadIdx.x];
  for (int step = 16; step > 0; step /= 2) {
    __syncwarp();
    if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
  }
  if (threadIdx.x == 0) out[64] = sums[0];
}

// Each half waits with its own mask, and reads from the other.
// finds: race: __syncwarp()
__global__ void racy_half_masks(int *out) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x;  // HERE
  if (threadIdx.x < 16)
    __syncwarp(0x0000ffff);
  else
    __syncwarp(0xffff0000);
  out[threadIdx.x] = values[threadIdx.x ^ 16];  // HERE
}
__global__ void fixed_half_masks(int *out) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 16)
    __syncwarp(0x0000ffff);
  else
    __syncwarp(0xffff0000);
  out[threadIdx.x] = values[threadIdx.x ^ 8];
}

// The active lanes are asked for, and the rest of the warp has its values written without them.
// finds: race: __syncwarp()
__global__ void racy_active_group(int *out) {
  __shared__ int kept[32];
  kept[threadIdx.x] = 0;  // HERE
  if (threadIdx.x % 4 == 0) {
    const cg::coalesced_group group = cg::coalesced_threads();
    group.sync();
    kept[group.thread_rank() + 1] = threadIdx.x;  // HERE
  }
  __syncwarp();
  out[threadIdx.x] = kept[threadIdx.x];
}
__global__ void fixed_active_group(int *out) {
  __shared__ int kept[32];
  kept[threadIdx.x] = 0;
  __syncwarp();
  if (threadIdx.x % 4 == 0) {
    const cg::coalesced_group group = cg::coalesced_threads();
    group.sync();
    kept[group.thread_rank() + 1] = threadIdx.x;
  }
  __syncwarp();
  out[threadIdx.x] = kept[threadIdx.x];
}

// Both ways of a branch use the same place.
// finds: race: __syncwarp()
__global__ void racy_branches(int *out) {
  __shared__ int scratch;
  if (threadIdx.x == 3)
    scratch = 1;  // HERE
  else if (threadIdx.x == 4)
    out[0] = scratch;  // HERE
}
__global__ void fixed_branches(int *out) {
  __shared__ int scratch;
  if (threadIdx.x == 3) scratch = 1;
  __syncwarp();
  if (threadIdx.x == 4) out[0] = scratch;
}

// A fence orders what this lane does, but waits for nobody.
// finds: race: __syncwarp()
__global__ void racy_fence(int *out) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x;  // HERE
  __threadfence_block();
  out[threadIdx.x] = values[31 - threadIdx.x];  // HERE
}
__global__ void fixed_fence(int *out) {
  __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x;
  __threadfence_block();
  __syncwarp();
  out[threadIdx.x] = values[31 - threadIdx.x];
}

int main() {
  PAIR(tile16, 1, 32);
  PAIR(tile8, 1, 32);
  PAIR(ballot, 1, 32);
  PAIR(match, 1, 32);
  PAIR(all, 1, 32);
  PAIR(broadcast, 1, 64);
  PAIR(broadcast_loop, 1, 32);
  PAIR(butterfly, 1, 32);
  PAIR(warp_reduce, 1, 32);
  PAIR(half_masks, 1, 32);
  PAIR(active_group, 1, 32);
  PAIR(branches, 1, 32);
  PAIR(fence, 1, 32);
  return finish();
}
