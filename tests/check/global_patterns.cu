// More races in global memory: of algorithms that spread over blocks, locks and barriers made by hand, and orders and
// scopes in PTX.
// options: -arch=sm_80
#include "pairs.h"

// finds: race: blocks run in any order
__global__ void racy_histogram(int *out) {
  const int value = (blockIdx.x * blockDim.x + threadIdx.x) * 7 % 16;
  if (threadIdx.x == 0) ++out[value];  // HERE
}
__global__ void fixed_histogram(int *out) {
  const int value = (blockIdx.x * blockDim.x + threadIdx.x) * 7 % 16;
  if (threadIdx.x == 0) atomicAdd(&out[value], 1);
}

// Red and black cells take turns by launches; here all cells are updated at once.
// finds: race: blocks run in any order
__global__ void racy_red_black(int *out) {
  const int i = 1 + blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (out[i - 1] + out[i + 1] + i) / 2;  // HERE
}
__global__ void fixed_red_black(int *out) {
  const int i = 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2) out[i] = (out[i - 1] + out[i + 1] + i) / 2;
}

// Each block's part ends one element too late.
// finds: race: blocks run in any order
__global__ void racy_chunks(int *out) {
  const int first = blockIdx.x * 31;
  if (threadIdx.x < 32) out[first + threadIdx.x] = 100 + first + blockIdx.x;  // HERE
}
__global__ void fixed_chunks(int *out) {
  const int first = blockIdx.x * 32;
  if (threadIdx.x < 32) out[first + threadIdx.x] = 100 + first + blockIdx.x;
}

// The next frontier of a search grows by a plain counter.
// finds: race: blocks run in any order
__global__ void racy_frontier(int *out) {
  int *length = out, *frontier = out + 1;
  if (threadIdx.x == 0) {
    const int place = *length;
    *length = place + 1;
    frontier[place] = blockIdx.x;
  }
}
__global__ void fixed_frontier(int *out) {
  int *length = out, *frontier = out + 1;
  if (threadIdx.x == 0) {
    const int place = atomicAdd(length, 1);
    frontier[place] = blockIdx.x;
  }
}

// Two blocks reach a node at once, and both think that they are the first.
// finds: race: blocks run in any order
__global__ void racy_visited(int *out) {
  int *parent = out + threadIdx.x;
  if (*parent == 0) *parent = blockIdx.x + 1;  // HERE
}
__global__ void fixed_visited(int *out) {
  int *parent = out + threadIdx.x;
  atomicCAS(parent, 0, blockIdx.x + 1);
}

// A list's head is put in place by a plain store.
// finds: race: blocks run in any order
__global__ void racy_push(int *out) {
  int *head = out, *next = out + 1;
  next[blockIdx.x] = *head;  // HERE
  *head = blockIdx.x + 1;    // HERE
}
__global__ void fixed_push(int *out) {
  int *head = out, *next = out + 1;
  next[blockIdx.x] = atomicExch(head, blockIdx.x + 1);
}

// A table of keys with open addressing: looking and taking are two steps.
// finds: race: blocks run in any order
__global__ void racy_table(int *out) {
  const int key = blockIdx.x + 1;
  for (int place = 0; place < 16; ++place)
    if (out[place] == 0) {  // HERE
      out[place] = key;     // HERE
      break;
    }
}
__global__ void fixed_table(int *out) {
  const int key = blockIdx.x + 1;
  for (int place = 0; place < 16; ++place)
    if (atomicCAS(&out[place], 0, key) == 0) break;
}

// Bits of one word belong to many threads.
// finds: race: blocks run in any order
__global__ void racy_bits(int *out) { out[0] |= 1 << blockIdx.x; }  // HERE
__global__ void fixed_bits(int *out) { atomicOr(&out[0], 1 << blockIdx.x); }

// Blocks fetch work until there is none.
// finds: race: blocks run in any order
__global__ void racy_queue(int *out) {
  __shared__ int item;
  for (;;) {
    if (threadIdx.x == 0) item = out[0]++;  // HERE
    __syncthreads();
    const int mine = item;
    __syncthreads();
    if (mine >= 8) break;
    if (threadIdx.x == 0) atomicAdd(&out[1 + mine], 1);
  }
}
__global__ void fixed_queue(int *out) {
  __shared__ int item;
  for (;;) {
    if (threadIdx.x == 0) item = atomicAdd(&out[0], 1);
    __syncthreads();
    const int mine = item;
    __syncthreads();
    if (mine >= 8) break;
    if (threadIdx.x == 0) atomicAdd(&out[1 + mine], 1);
  }
}

// A lock that is opened by a plain store.
// finds: race: one of the two is atomic
__global__ void racy_plain_unlock(int *out) {
  while (atomicCAS(out, 0, 1) != 0) {  // HERE
  }
  __threadfence();
  ++out[1];
  __threadfence();
  *out = 0;  // HERE
}
__global__ void fixed_plain_unlock(int *out) {
  while (atomicCAS(out, 0, 1) != 0) {
  }
  __threadfence();
  ++out[1];
  __threadfence();
  atomicExch(out, 0);
}

// What the lock guards is written once more when it is open.
// finds: race: a fence is missing
__global__ void racy_behind_unlock(int *out) {
  while (atomicCAS(out, 0, 1) != 0) {
  }
  __threadfence();
  const int value = out[1];  // HERE
  __threadfence();
  atomicExch(out, 0);
  out[1] = value + 1;  // HERE
}
__global__ void fixed_behind_unlock(int *out) {
  while (atomicCAS(out, 0, 1) != 0) {
  }
  __threadfence();
  const int value = out[1];
  out[1] = value + 1;
  __threadfence();
  atomicExch(out, 0);
}

// A lock with tickets: the fence stands behind the call of the next number.
// finds: race: a fence is missing
__global__ void racy_ticket(int *out) {
  const int mine = atomicAdd(&out[0], 1);
  while (atomicAdd(&out[1], 0) != mine) {
  }
  __threadfence();
  ++out[2];  // HERE
  atomicAdd(&out[1], 1);
  __threadfence();
}
__global__ void fixed_ticket(int *out) {
  const int mine = atomicAdd(&out[0], 1);
  while (atomicAdd(&out[1], 0) != mine) {
  }
  __threadfence();
  ++out[2];
  __threadfence();
  atomicAdd(&out[1], 1);
}

// A semaphore: what has been produced is counted without a fence.
// finds: race: a fence is missing
__global__ void racy_semaphore(int *out) {
  if (blockIdx.x < 2) {
    out[1 + blockIdx.x] = 5;  // HERE
    atomicAdd(out, 1);
  } else {
    while (atomicAdd(out, 0) < 2) {
    }
    __threadfence();
    out[3] = out[1] + out[2];  // HERE
  }
}
__global__ void fixed_semaphore(int *out) {
  if (blockIdx.x < 2) {
    out[1 + blockIdx.x] = 5;
    __threadfence();
    atomicAdd(out, 1);
  } else {
    while (atomicAdd(out, 0) < 2) {
    }
    __threadfence();
    out[3] = out[1] + out[2];
  }
}

// A barrier of the grid by hand: those who wait for it see the count, but not what the others wrote.
template <bool fenced>
__device__ void gridBarrier(int *count) {
  __syncthreads();
  if (threadIdx.x == 0) {
    if (fenced) __threadfence();
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < static_cast<int>(gridDim.x)) {
    }
    if (fenced) __threadfence();
  }
  __syncthreads();
}
// finds: race
__global__ void racy_grid_barrier(int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  out[1 + i] = i;  // HERE
  gridBarrier<false>(out);
  out[1024 + i] = out[1 + (i + blockDim.x) % n];  // HERE
}
__global__ void fixed_grid_barrier(int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  out[1 + i] = i;
  gridBarrier<true>(out);
  out[1024 + i] = out[1 + (i + blockDim.x) % n];
}

// The last block sums up: thread 0 counts its block in before the others have written.
// finds: race: blocks run in any order
__global__ void racy_counted_early(int *out) {
  __shared__ bool last;
  out[1 + blockIdx.x * blockDim.x + threadIdx.x] = 1;  // HERE
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(out, 1) == static_cast<int>(gridDim.x) - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (int i = 0; i < static_cast<int>(gridDim.x); ++i) sum += out[1 + i * blockDim.x + threadIdx.x];  // HERE
  out[1024 + threadIdx.x] = sum;
}
__global__ void fixed_counted_early(int *out) {
  __shared__ bool last;
  out[1 + blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(out, 1) == static_cast<int>(gridDim.x) - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (int i = 0; i < static_cast<int>(gridDim.x); ++i) sum += out[1 + i * blockDim.x + threadIdx.x];
  out[1024 + threadIdx.x] = sum;
}

// Each block adds to what the one before it has: the sum and the flag are two words, or one.
// finds: race: a fence is missing
__global__ void racy_look_back(int *out) {
  const int mine = atomicAdd(&out[0], 1);
  int *flags = out + 16, *sums = out + 32;
  int before = 0;
  if (mine > 0) {
    while (atomicAdd(&flags[mine - 1], 0) == 0) {
    }
    before = sums[mine - 1];  // HERE
  }
  sums[mine] = before + mine;  // HERE
  atomicExch(&flags[mine], 1);
}
__global__ void fixed_look_back(int *out) {
  const int mine = atomicAdd(&out[0], 1);
  auto *states = reinterpret_cast<unsigned long long *>(out + 16);
  unsigned long long before = 0;
  while (mine > 0 && (before = atomicAdd(&states[mine - 1], 0)) == 0) {
  }
  atomicExch(&states[mine], (1ull << 32) | (static_cast<unsigned>(before) + mine));
}

// Nobody looks again at the guard, by which most atomic accesses are saved.
// finds: race: one of the two is atomic
__global__ void racy_guard(int *out) {
  const int value = 10 - blockIdx.x + threadIdx.x;
  if (value > *out) atomicMax(out, value);  // HERE
}
__global__ void fixed_guard(int *out) {
  const int value = 10 - blockIdx.x + threadIdx.x;
  if (value > atomicMax(out, 0)) atomicMax(out, value);
}

// The lower half of a wide counter is read as it stands.
// finds: race: one of the two is atomic
__global__ void racy_wide_counter(int *out) {
  atomicAdd(reinterpret_cast<unsigned long long *>(out), 1);  // HERE
  out[2 + blockIdx.x] = out[0];                               // HERE
}
__global__ void fixed_wide_counter(int *out) {
  const auto before = atomicAdd(reinterpret_cast<unsigned long long *>(out), 1);
  out[2 + blockIdx.x] = static_cast<int>(before) + 1;
}

// finds: race: blocks run in any order
__global__ void racy_pinned(int *out) { *out += blockIdx.x + 1; }  // HERE
__global__ void fixed_pinned(int *out) { atomicAdd_system(out, blockIdx.x + 1); }

__device__ int loadAcquire(const int *p) {
  int value;
  asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
  return value;
}
__device__ int loadRelaxed(const int *p) {
  int value;
  asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
  return value;
}
__device__ void storeRelease(int *p, int value) {
  asm volatile("st.release.gpu.s32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
}
__device__ void storeRelaxed(int *p, int value) {
  asm volatile("st.relaxed.gpu.s32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
}

// finds: race: a fence is missing
__global__ void racy_st_relaxed(int *out) {
  if (blockIdx.x == 0) {
    out[1] = 42;  // HERE
    storeRelaxed(out, 1);
  } else {
    while (loadAcquire(out) == 0) {
    }
    out[1 + blockIdx.x] = out[1];  // HERE
  }
}
__global__ void fixed_st_relaxed(int *out) {
  if (blockIdx.x == 0) {
    out[1] = 42;
    storeRelease(out, 1);
  } else {
    while (loadAcquire(out) == 0) {
    }
    out[1 + blockIdx.x] = out[1];
  }
}

// finds: race: a fence is missing
__global__ void racy_ld_relaxed(int *out) {
  if (blockIdx.x == 0) {
    out[1] = 42;  // HERE
    storeRelease(out, 1);
  } else {
    while (loadRelaxed(out) == 0) {
    }
    out[1 + blockIdx.x] = out[1];  // HERE
  }
}
__global__ void fixed_ld_relaxed(int *out) {
  if (blockIdx.x == 0) {
    out[1] = 42;
    storeRelease(out, 1);
  } else {
    while (loadRelaxed(out) == 0) {
    }
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    out[1 + blockIdx.x] = out[1];
  }
}

// Fences of the block do not reach another one.
// finds: race: a fence is missing
__global__ void racy_fence_cta(int *out) {
  if (blockIdx.x == 0) {
    out[1] = 42;  // HERE
    asm volatile("fence.acq_rel.cta;" ::: "memory");
    storeRelaxed(out, 1);
  } else {
    while (loadRelaxed(out) == 0) {
    }
    asm volatile("fence.acq_rel.cta;" ::: "memory");
    out[1 + blockIdx.x] = out[1];  // HERE
  }
}
__global__ void fixed_fence_cta(int *out) {
  if (blockIdx.x == 0) {
    out[1] = 42;
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    storeRelaxed(out, 1);
  } else {
    while (loadRelaxed(out) == 0) {
    }
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    out[1 + blockIdx.x] = out[1];
  }
}

// Within a block, the block's scope is enough: here the reader has no order at all.
// finds: race: a fence is missing
__global__ void racy_cta_pair(int *out) {
  int *mine = out + blockIdx.x * 8;
  if (threadIdx.x == 0) {
    mine[1] = 42;  // HERE
    asm volatile("st.release.cta.s32 [%0], 1;" ::"l"(mine) : "memory");
  } else if (threadIdx.x == 32) {
    int seen;
    do asm volatile("ld.relaxed.cta.s32 %0, [%1];" : "=r"(seen) : "l"(mine) : "memory");
    while (seen == 0);
    mine[2] = mine[1];  // HERE
  }
}
__global__ void fixed_cta_pair(int *out) {
  int *mine = out + blockIdx.x * 8;
  if (threadIdx.x == 0) {
    mine[1] = 42;
    asm volatile("st.release.cta.s32 [%0], 1;" ::"l"(mine) : "memory");
  } else if (threadIdx.x == 32) {
    int seen;
    do asm volatile("ld.acquire.cta.s32 %0, [%1];" : "=r"(seen) : "l"(mine) : "memory");
    while (seen == 0);
    mine[2] = mine[1];
  }
}

// A lock of blocks whose scope is the block.
// finds: race: end in _block
__global__ void racy_atom_cta(int *out) {
  int held;
  do asm volatile("atom.acquire.cta.cas.b32 %0, [%1], 0, 1;" : "=r"(held) : "l"(out) : "memory");  // HERE
  while (held);
  ++out[1];
  asm volatile("atom.release.cta.exch.b32 %0, [%1], 0;" : "=r"(held) : "l"(out) : "memory");  // HERE
}
__global__ void fixed_atom_cta(int *out) {
  int held;
  do asm volatile("atom.acquire.gpu.cas.b32 %0, [%1], 0, 1;" : "=r"(held) : "l"(out) : "memory");
  while (held);
  ++out[1];
  asm volatile("atom.release.gpu.exch.b32 %0, [%1], 0;" : "=r"(held) : "l"(out) : "memory");
}

// Arrivals are counted without a result, and without an order.
// finds: race: a fence is missing
__global__ void racy_red(int *out) {
  if (blockIdx.x > 0) {
    out[blockIdx.x] = 7;  // HERE
    asm volatile("red.relaxed.gpu.add.s32 [%0], 1;" ::"l"(out) : "memory");
  } else {
    while (loadAcquire(out) != static_cast<int>(gridDim.x) - 1) {
    }
    out[8] = out[1] + out[2];  // HERE
  }
}
__global__ void fixed_red(int *out) {
  if (blockIdx.x > 0) {
    out[blockIdx.x] = 7;
    asm volatile("red.release.gpu.add.s32 [%0], 1;" ::"l"(out) : "memory");
  } else {
    while (loadAcquire(out) != static_cast<int>(gridDim.x) - 1) {
    }
    out[8] = out[1] + out[2];
  }
}

// A third block takes part by an update without an order: what the first released is still acquired behind it, unlike
// behind a store.
// finds: race
__global__ void racy_chain(int *out) {
  if (blockIdx.x == 0) {
    out[1] = 42;  // HERE
    storeRelease(out, 1);
  } else if (blockIdx.x == 1) {
    while (loadRelaxed(out) == 0) {
    }
    storeRelaxed(out, 2);
  } else {
    while (loadRelaxed(out) < 2) {
    }
    loadAcquire(out);
    out[2] = out[1];  // HERE
  }
}
__global__ void fixed_chain(int *out) {
  if (blockIdx.x == 0) {
    out[1] = 42;
    storeRelease(out, 1);
  } else if (blockIdx.x == 1) {
    while (loadRelaxed(out) == 0) {
    }
    atomicAdd(out, 1);
  } else {
    while (loadRelaxed(out) < 2) {
    }
    loadAcquire(out);
    out[2] = out[1];
  }
}

// From thread to thread with the block's scope, and from there to another block with the device's.
// finds: race
__global__ void racy_relay(int *out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    out[2] = 42;  // HERE
    __threadfence_block();
    atomicExch_block(out, 1);
  } else if (blockIdx.x == 0 && threadIdx.x == 32) {
    while (atomicAdd_block(out, 0) == 0) {
    }
    __threadfence_block();
    atomicExch(out + 1, 1);
  } else if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (atomicAdd(out + 1, 0) == 0) {
    }
    __threadfence();
    out[3] = out[2];  // HERE
  }
}
__global__ void fixed_relay(int *out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    out[2] = 42;
    __threadfence_block();
    atomicExch_block(out, 1);
  } else if (blockIdx.x == 0 && threadIdx.x == 32) {
    while (atomicAdd_block(out, 0) == 0) {
    }
    __threadfence();
    atomicExch(out + 1, 1);
  } else if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (atomicAdd(out + 1, 0) == 0) {
    }
    __threadfence();
    out[3] = out[2];
  }
}

// A block's lock is taken by thread 0 for all; the barrier that ends the work stands behind the unlocking.
// finds: race
__global__ void racy_lock_for_block(int *out) {
  if (threadIdx.x == 0) {
    while (atomicCAS(out, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  out[1 + threadIdx.x] += threadIdx.x + 1;  // HERE
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(out, 0);
  }
  __syncthreads();
}
__global__ void fixed_lock_for_block(int *out) {
  if (threadIdx.x == 0) {
    while (atomicCAS(out, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  out[1 + threadIdx.x] += threadIdx.x + 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(out, 0);
  }
}

// The first look at the flag, before the lock, is a plain one.
// finds: race
__global__ void racy_checked_twice(int *out) {
  int *ready = out, *lock = out + 1, *data = out + 2;
  if (*ready == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    if (*ready == 0) {
      *data = 42;
      *ready = 1;
    }
    __threadfence();
    atomicExch(lock, 0);
  }
  out[8 + blockIdx.x] = *data;
}
__global__ void fixed_checked_twice(int *out) {
  int *ready = out, *lock = out + 1, *data = out + 2;
  if (loadAcquire(ready) == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    if (loadRelaxed(ready) == 0) {
      *data = 42;
      storeRelease(ready, 1);
    }
    __threadfence();
    atomicExch(lock, 0);
  }
  out[8 + blockIdx.x] = *data;
}

// Each thread has a fence in front of the block's barrier, and the last block's threads one behind theirs: such fences
// have one order, those of acquire and release have none.
#define SUM_OF_LAST_BLOCK(fence)                                                             \
  __shared__ bool is_last;                                                                   \
  int *parts = out + 8, sum = 0;                                                             \
  parts[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + 1;                            \
  fence;                                                                                     \
  __syncthreads();                                                                           \
  if (threadIdx.x == 0) is_last = atomicAdd(&out[0], 1) == gridDim.x - 1;                    \
  __syncthreads();                                                                           \
  if (!is_last) return;                                                                      \
  __threadfence();                                                                           \
  for (unsigned i = 0; i < gridDim.x; ++i) sum += parts[i * blockDim.x + (threadIdx.x ^ 1)]; \
  parts[(gridDim.x + 1) * blockDim.x + threadIdx.x] = sum
// finds: race between blocks
__global__ void racy_fences_before_barrier(int *out) {
  SUM_OF_LAST_BLOCK(asm volatile("fence.acq_rel.gpu;" :: : "memory"));
}
__global__ void fixed_fences_before_barrier(int *out) { SUM_OF_LAST_BLOCK(__threadfence()); }

// Blocks take places by compare-and-swap, which is no lock: the first one, with two of them, hands over by a flag.
__device__ void take_places(int *out, bool waits) {
  int *head = out, *ready = out + 8, *item = out + 16;
  const int block = blockIdx.x;
  for (int place = 2 * block; place < block + 2; ++place)
    while (atomicCAS(head, place, place + 1) != place) {
    }
  if (block == 0) {
    *item = 42;  // HERE
    __threadfence();
    atomicExch(ready, 1);
  } else {
    while (waits && atomicAdd(ready, 0) == 0) __nanosleep(20);
    __threadfence();
    out[24] = *item;  // HERE
  }
}
// finds: race between blocks
__global__ void racy_places(int *out) { take_places(out, false); }
__global__ void fixed_places(int *out) { take_places(out, true); }

// Thousands of threads, one by one, read a word at two places; looking through all that have for each of them would
// take minutes.
__device__ int read_later(const int *word, int depth);
__device__ __noinline__ int read_now(const int *word, int depth) { return depth ? read_later(word, depth - 1) : *word; }
__device__ __noinline__ int read_later(const int *word, int depth) {
  return depth ? read_now(word, depth - 1) : 2 * *word;
}
__device__ int read_often(const int *word) {
  int sum = 0;
  for (int i = 0; i < 6; ++i) sum += read_now(word, (threadIdx.x + i) & 3);
  return sum;
}
// finds: race: blocks run in any order
__global__ void racy_readers(int *out) {
  const int sum = read_often(out);
  if (threadIdx.x == 5) out[1] = sum + blockIdx.x;  // HERE
}
__global__ void fixed_readers(int *out) {
  const int sum = read_often(out);
  if (threadIdx.x == 5) atomicAdd(&out[1], sum);
}

int main() {
  PAIR(histogram, 4, 64);
  PAIR(red_black, 4, 1);
  PAIR(chunks, 4, 32);
  PAIR(frontier, 4, 32);
  PAIR(visited, 4, 8);
  PAIR(push, 4, 1);
  PAIR(table, 4, 1);
  PAIR(bits, 4, 1);
  PAIR(queue, 3, 32);
  PAIR(plain_unlock, 3, 1);
  PAIR(behind_unlock, 3, 1);
  PAIR(ticket, 3, 1);
  PAIR(semaphore, 3, 1);
  PAIR(grid_barrier, 3, 32);
  PAIR(counted_early, 3, 32);
  PAIR(look_back, 4, 1);
  PAIR(guard, 4, 1);
  PAIR(wide_counter, 4, 1);
  PAIR(st_relaxed, 3, 1);
  PAIR(ld_relaxed, 3, 1);
  PAIR(fence_cta, 3, 1);
  PAIR(cta_pair, 2, 64);
  PAIR(atom_cta, 3, 1);
  PAIR(red, 3, 1);
  PAIR(checked_twice, 3, 1);
  PAIR(chain, 3, 1);
  PAIR(relay, 2, 64);
  PAIR(lock_for_block, 3, 64);
  PAIR(fences_before_barrier, 4, 64);
  PAIR(places, 2, 1);
  PAIR(readers, 64, 128);
  int *pinned;
  cudaHostAlloc(&pinned, 4, cudaHostAllocMapped);
  *pinned = 0;
  racy_pinned<<<4, 1>>>(pinned);
  cudaDeviceSynchronize();
  fixed_pinned<<<4, 1>>>(pinned);
  return finish();
}
