// Races in global memory: between threads of a block, between blocks, with atomic functions and fences.
#include "pairs.h"

// finds: race: __syncthreads()
__global__ void racy_in_block(int *out) {
  out[threadIdx.x] = threadIdx.x;                 // HERE
  out[64 + threadIdx.x] = out[63 - threadIdx.x];  // HERE
}
__global__ void fixed_in_block(int *out) {
  out[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[64 + threadIdx.x] = out[63 - threadIdx.x];
}

// Blocks touch each other's borders.
// finds: race: blocks run in any order
__global__ void racy_stencil(int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] += out[i + 1];  // HERE
}
__global__ void fixed_stencil(int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[1024 + i] = out[i] + out[i + 1];
}

// finds: race: blocks run in any order
__global__ void racy_sum(int *out) {
  if (threadIdx.x == 0) *out += blockIdx.x;  // HERE
}
__global__ void fixed_sum(int *out) {
  if (threadIdx.x == 0) atomicAdd(out, blockIdx.x);
}

// finds: race: one of the two is atomic
__global__ void racy_mixed(int *out) {
  if (threadIdx.x == 0) atomicAdd(out, 1);           // HERE
  if (threadIdx.x == 1) out[1 + blockIdx.x] = *out;  // HERE
}
__global__ void fixed_mixed(int *out) {
  if (threadIdx.x == 0) out[1 + blockIdx.x] = atomicAdd(out, 1);
}

// A read that is the last thing that its block does is told of when there is no thread any more.
// finds: race: one of the two is atomic
__global__ void racy_last_read(int *out) {
  if (threadIdx.x == 0) atomicAdd(out, 1);            // HERE
  if (threadIdx.x == 1 && *out == 1 << 20) __trap();  // HERE
}
__global__ void fixed_last_read(int *out) {
  if (threadIdx.x == 0) atomicAdd(out, 1);
  if (threadIdx.x == 1 && atomicAdd(out, 0) == 1 << 20) __trap();
}

// finds: race: end in _block
__global__ void racy_scope(int *out) {
  if (threadIdx.x == 0) atomicAdd_block(out, 1);  // HERE
}
__global__ void fixed_scope(int *out) {
  if (threadIdx.x == 0) atomicAdd_block(out + blockIdx.x, 1);
}

// A later access for all threads does not hide the one for the block's.
// finds: race: end in _block
__global__ void racy_hidden_scope(int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) atomicExch_block(out, 1);  // HERE
  atomicAdd(out, 0);                              // HERE
}
__global__ void fixed_hidden_scope(int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) atomicExch(out, 1);
  atomicAdd(out, 0);
}

// A flag hands data from block 0 to the others: without a fence on the side that tells.
// finds: race: a fence is missing
__global__ void racy_publish(int *out) {
  if (blockIdx.x == 0) {
    out[1] = 42;  // HERE
    atomicExch(out, 1);
  } else {
    while (atomicAdd(out, 0) == 0) {
    }
    __threadfence();
    out[1 + blockIdx.x] = out[1];  // HERE
  }
}
__global__ void fixed_publish(int *out) {
  if (blockIdx.x == 0) {
    out[1] = 42;
    __threadfence();
    atomicExch(out, 1);
  } else {
    while (atomicAdd(out, 0) == 0) {
    }
    __threadfence();
    out[1 + blockIdx.x] = out[1];
  }
}

// ... and on the side that looks.
// finds: race: a fence is missing
__global__ void racy_look(int *out) {
  if (blockIdx.x == 0) {
    out[1] = 42;  // HERE
    __threadfence();
    atomicExch(out, 1);
  } else {
    while (atomicAdd(out, 0) == 0) {
    }
    out[1 + blockIdx.x] = out[1];  // HERE
  }
}
// An atomic function reads what others have written before it, and orders nothing else.
__global__ void fixed_look(int *out) {
  if (blockIdx.x == 0) {
    atomicExch(out + 1, 42);
    atomicExch(out, 1);
  } else {
    while (atomicAdd(out, 0) == 0) {
    }
    out[1 + blockIdx.x] = atomicAdd(out + 1, 0);
  }
}

// The fence reaches the threads of the block only.
// finds: race: a fence is missing
__global__ void racy_narrow_fence(int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = 42;  // HERE
    __threadfence_block();
    atomicExch(out, 1);
  } else {
    while (atomicAdd(out, 0) == 0) {
    }
    __threadfence();
    out[1 + blockIdx.x] = out[1];  // HERE
  }
}
__global__ void fixed_narrow_fence(int *out) {
  int *mine = out + blockIdx.x * 4;
  if (threadIdx.x == 0) {
    mine[1] = 42;
    __threadfence_block();
    atomicExch_block(mine, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd_block(mine, 0) == 0) {
    }
    __threadfence_block();
    mine[2] = mine[1];
  }
}

// The last block sums up what all have written.
// finds: race: a fence is missing
__global__ void racy_last_block(int *out) {
  out[2 + blockIdx.x] = blockIdx.x;  // HERE
  if (atomicAdd(out, 1) == static_cast<int>(gridDim.x) - 1)
    for (int i = 0; i < static_cast<int>(gridDim.x); ++i) out[1] += out[2 + i];  // HERE
}
__global__ void fixed_last_block(int *out) {
  out[2 + blockIdx.x] = blockIdx.x;
  __threadfence();
  if (atomicAdd(out, 1) == static_cast<int>(gridDim.x) - 1) {
    __threadfence();
    for (int i = 0; i < static_cast<int>(gridDim.x); ++i) out[1] += out[2 + i];
    *out = 0;
  }
}

// A lock, of which one side makes no use.
// finds: race: blocks run in any order
__global__ void racy_lock(int *out) {
  if (blockIdx.x != 2) {
    while (atomicCAS(out, 0, 1) != 0) {
    }
    __threadfence();
  }
  ++out[1];  // HERE
  if (blockIdx.x != 2) {
    __threadfence();
    atomicExch(out, 0);
  }
}
__global__ void fixed_lock(int *out) {
  while (atomicCAS(out, 0, 1) != 0) {
  }
  __threadfence();
  ++out[1];
  __threadfence();
  atomicExch(out, 0);
}

// Two locks for one place.
// finds: race: blocks run in any order
__global__ void racy_two_locks(int *out) {
  int *lock = out + (blockIdx.x & 1);
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  ++out[2];  // HERE
  __threadfence();
  atomicExch(lock, 0);
}
__global__ void fixed_two_locks(int *out) {
  int *lock = out + (blockIdx.x & 1);
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  ++lock[2];
  __threadfence();
  atomicExch(lock, 0);
}

// Release and acquire without fences.
// finds: race: a fence is missing
__global__ void racy_relaxed(int *out) {
  if (blockIdx.x == 0) {
    out[1] = 42;  // HERE
    __nv_atomic_store_n(out, 1, __NV_ATOMIC_RELAXED);
  } else {
    while (__nv_atomic_load_n(out, __NV_ATOMIC_ACQUIRE) == 0) {
    }
    out[1 + blockIdx.x] = out[1];  // HERE
  }
}
__global__ void fixed_relaxed(int *out) {
  if (blockIdx.x == 0) {
    out[1] = 42;
    __nv_atomic_store_n(out, 1, __NV_ATOMIC_RELEASE);
  } else {
    while (__nv_atomic_load_n(out, __NV_ATOMIC_ACQUIRE) == 0) {
    }
    out[1 + blockIdx.x] = out[1];
  }
}

__device__ int best;
// finds: race between blocks: blocks run in any order
__global__ void racy_variable(int *) {
  const int value = blockIdx.x * 3 + 1;
  if (value > best) best = value;  // HERE
}
__global__ void fixed_variable(int *) {
  const int value = blockIdx.x * 3 + 1;
  atomicMax(&best, value);
}

__managed__ int total;
// finds: race between blocks: blocks run in any order
__global__ void racy_managed(int *) { total += blockIdx.x + 1; }  // HERE
__global__ void fixed_managed(int *) { atomicAdd(&total, blockIdx.x + 1); }

// Threads of one block and of others meet at the same place: both are told of.
// finds: race between blocks: blocks run in any order
__global__ void racy_counts(int *out) {
  const int value = (blockIdx.x * blockDim.x + threadIdx.x) * 7 % 16;
  if (threadIdx.x % 32 == 0) ++out[value];  // HERE
}
__global__ void fixed_counts(int *out) {
  const int value = (blockIdx.x * blockDim.x + threadIdx.x) * 7 % 16;
  if (threadIdx.x % 32 == 0) atomicAdd(&out[value], 1);
}

int main() {
  PAIR(in_block, 1, 64);
  PAIR(stencil, 64, 1);
  PAIR(sum, 4, 32);
  PAIR(mixed, 4, 32);
  PAIR(last_read, 1, 32);
  PAIR(scope, 4, 32);
  PAIR(hidden_scope, 4, 32);
  PAIR(publish, 3, 1);
  PAIR(look, 3, 1);
  PAIR(narrow_fence, 3, 33);
  PAIR(last_block, 4, 1);
  PAIR(lock, 4, 1);
  PAIR(two_locks, 4, 1);
  PAIR(relaxed, 3, 1);
  PAIR(variable, 4, 1);
  PAIR(managed, 4, 1);
  PAIR(counts, 4, 64);
  return finish();
}
