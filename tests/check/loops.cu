// Loops that do not wait tell of all their reads at once, and accesses to shared memory are looked at when they matter.
#include "pairs.h"

// All threads read all of the tile, and one writes to it while others may still be reading.
// finds: race: __syncthreads()
__global__ void racy_sum_of_tile(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 64; ++k) sum += tile[k];  // HERE
  tile[threadIdx.x] = sum;                      // HERE
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void fixed_sum_of_tile(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 64; ++k) sum += tile[k];
  __syncthreads();
  tile[threadIdx.x] = sum;
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// The loop reads what was written before it, in the same interval.
// finds: race: __syncthreads()
__global__ void racy_loop_behind_write(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;  // HERE
  int sum = 0;
  for (int k = 63; k >= 0; --k) sum += tile[k];  // HERE
  out[threadIdx.x] = sum;
}
__global__ void fixed_loop_behind_write(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int sum = 0;
  for (int k = 63; k >= 0; --k) sum += tile[k];
  out[threadIdx.x] = sum;
}

// Each thread makes as many turns as it likes; the last of them read the part of the next block.
// finds: race: blocks run in any order
__global__ void racy_uneven(int *out) {
  int *const mine = out + blockIdx.x * 64;
  int sum = 0;
  for (unsigned k = 0; k <= threadIdx.x; ++k) sum += mine[k + 1];  // HERE
  out[1024 + blockIdx.x * 64 + threadIdx.x] = sum;
  if (threadIdx.x == 0) mine[0] = 1;  // HERE
}
__global__ void fixed_uneven(int *out) {
  int *const mine = out + blockIdx.x * 64;
  int sum = 0;
  for (unsigned k = 0; k < threadIdx.x; ++k) sum += mine[k + 1];
  out[1024 + blockIdx.x * 64 + threadIdx.x] = sum;
  if (threadIdx.x == 0) mine[0] = 1;
}

// A strided loop of the grid, one turn too many.
// finds: out of bounds
__global__ void racy_one_turn_more(int *out) {
  int sum = 0;
  for (int k = threadIdx.x; k <= 1 << 18; k += blockDim.x) sum += out[k];  // HERE
  out[threadIdx.x] = sum;
}
__global__ void fixed_one_turn_more(int *out) {
  int sum = 0;
  for (int k = threadIdx.x; k < 1 << 18; k += blockDim.x) sum += out[k];
  __syncthreads();
  out[threadIdx.x] = sum;
}

// The first row of the table is what a loop reads in each turn, and what another thread writes.
// finds: race: __syncthreads()
__global__ void racy_same_each_turn(int *out) {
  __shared__ int table[2][64];
  table[1][threadIdx.x] = 0;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 32; ++k) sum += table[0][0] + table[1][k];  // HERE
  if (threadIdx.x == 63) table[0][0] = 1;                         // HERE
  out[threadIdx.x] = sum;
}
__global__ void fixed_same_each_turn(int *out) {
  __shared__ int table[2][64];
  table[1][threadIdx.x] = 0;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 32; ++k) sum += table[0][0] + table[1][k];
  __syncthreads();
  if (threadIdx.x == 63) table[0][0] = 1;
  out[threadIdx.x] = sum;
}

// Each thread swaps two numbers of its own, but for the last one, which takes its neighbour's.
// finds: race: __syncthreads()
__global__ void racy_own_pairs(int *out) {
  __shared__ int numbers[128];
  numbers[threadIdx.x] = threadIdx.x;
  numbers[threadIdx.x + 64] = threadIdx.x;
  __syncthreads();
  const int at = (threadIdx.x * 2) % 128, other = threadIdx.x == 63 ? 1 : at + 1;
  const int a = numbers[at], b = numbers[other];  // HERE
  numbers[at] = b;
  numbers[other] = a;  // HERE
  __syncthreads();
  out[threadIdx.x] = numbers[127 - threadIdx.x];
}
__global__ void fixed_own_pairs(int *out) {
  __shared__ int numbers[128];
  numbers[threadIdx.x] = threadIdx.x;
  numbers[threadIdx.x + 64] = threadIdx.x;
  __syncthreads();
  const int at = (threadIdx.x * 2) % 128, other = at + 1;
  const int a = numbers[at], b = numbers[other];
  numbers[at] = b;
  numbers[other] = a;
  __syncthreads();
  out[threadIdx.x] = numbers[127 - threadIdx.x];
}

// Bytes of one word that threads write are theirs, one of them is not.
// finds: race: __syncwarp()
__global__ void racy_bytes(int *out) {
  __shared__ unsigned char bytes[130];
  bytes[threadIdx.x] = 1;                                                // HERE
  if (threadIdx.x % 32 == 5) out[threadIdx.x] = bytes[threadIdx.x + 1];  // HERE
}
__global__ void fixed_bytes(int *out) {
  __shared__ unsigned char bytes[130];
  bytes[threadIdx.x] = 1;
  if (threadIdx.x % 32 == 5) out[threadIdx.x] = bytes[threadIdx.x];
}

// Counting is atomic, and so is nothing else.
// finds: race: one of the two is atomic
__global__ void racy_counts(int *out) {
  __shared__ int counts[32];
  if (threadIdx.x < 32) counts[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&counts[threadIdx.x * 7 % 32], 1);                   // HERE
  if (threadIdx.x < 32) out[threadIdx.x] = counts[threadIdx.x];  // HERE
}
__global__ void fixed_counts(int *out) {
  __shared__ int counts[32];
  if (threadIdx.x < 32) counts[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&counts[threadIdx.x * 7 % 32], 1);
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = counts[threadIdx.x];
}

// Reads that nobody has looked at yet when a value is written, by whom it was read first.
// finds: race: __syncthreads()
// says: has read 7, this writes 8
__global__ void racy_late_write(int *out) {
  __shared__ int flag, others[64];
  if (threadIdx.x == 0) flag = 7;
  __syncthreads();
  others[threadIdx.x] = flag;       // HERE
  if (threadIdx.x == 40) flag = 8;  // HERE
  __syncthreads();
  out[threadIdx.x] = others[63 - threadIdx.x];
}
__global__ void fixed_late_write(int *out) {
  __shared__ int flag, others[64];
  if (threadIdx.x == 0) flag = 7;
  __syncthreads();
  others[threadIdx.x] = flag;
  __syncthreads();
  if (threadIdx.x == 40) flag = 8;
  out[threadIdx.x] = others[63 - threadIdx.x];
}

// Loops that write, too, tell of their reads at once.
// finds: race: __syncthreads()
__global__ void racy_sum_in_memory(int *out) {
  out[threadIdx.x] = threadIdx.x;  // HERE
  out[64 + threadIdx.x] = 0;
  for (int k = 0; k < 64; ++k) out[64 + threadIdx.x] += out[k];  // HERE
}
__global__ void fixed_sum_in_memory(int *out) {
  out[threadIdx.x] = threadIdx.x;
  out[64 + threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < 64; ++k) out[64 + threadIdx.x] += out[k];
}

// Each turn reads what the one before has written, and the last ones what the next block writes.
// finds: race: blocks run in any order
__global__ void racy_recurrence(int *out) {
  int *const mine = out + blockIdx.x * 32;
  for (int k = 0; k < 33; ++k) mine[k + 1] = mine[k] + 1;  // HERE
}
__global__ void fixed_recurrence(int *out) {
  int *const mine = out + blockIdx.x * 64;
  for (int k = 0; k < 33; ++k) mine[k + 1] = mine[k] + 1;
}

// finds: race: blocks run in any order
__global__ void racy_products(int *out) {
  int *const sum = out + 2048 + blockIdx.x / 2 * 64 + threadIdx.x;
  *sum = 0;                                                                                       // HERE
  for (int k = 0; k < 16; ++k) *sum += 1 + out[blockIdx.x * 16 + k] * out[k * 64 + threadIdx.x];  // HERE
}
__global__ void fixed_products(int *out) {
  int *const sum = out + 2048 + blockIdx.x * 64 + threadIdx.x;
  *sum = 0;
  for (int k = 0; k < 16; ++k) *sum += 1 + out[blockIdx.x * 16 + k] * out[k * 64 + threadIdx.x];
}

int main() {
  PAIR(sum_of_tile, 1, 64);
  PAIR(loop_behind_write, 1, 64);
  PAIR(uneven, 3, 64);
  PAIR(one_turn_more, 1, 64);
  PAIR(same_each_turn, 1, 64);
  PAIR(own_pairs, 1, 64);
  PAIR(bytes, 1, 128);
  PAIR(counts, 1, 128);
  PAIR(late_write, 1, 64);
  PAIR(sum_in_memory, 1, 64);
  PAIR(recurrence, 3, 1);
  PAIR(products, 4, 64);
  // Rows that are no multiple of a warp.
  PAIR(sum_of_tile, 1, 48);
  PAIR(one_turn_more, 1, 33);
  PAIR(bytes, 1, 100);
  PAIR(counts, 1, 100);
  return finish();
}
