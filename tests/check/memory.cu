// Accesses outside of the memory that was meant, and to memory that was given back, each beside the same kernel without
// it.
#include <cstdlib>

#include "pairs.h"

// finds: out of bounds: behind the 1000 bytes of cudaMalloc
__global__ void racy_last_index(int *out) {
  const int i = threadIdx.x, n = 250;
  if (i <= n) out[i] = i;  // HERE
}
__global__ void fixed_last_index(int *out) {
  const int i = threadIdx.x, n = 250;
  if (i < n) out[i] = i;
}

// More threads than elements, and no look at the number of elements.
// finds: out of bounds: behind the 1000 bytes of cudaMalloc
__global__ void racy_rounded_up(int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;  // HERE
}
__global__ void fixed_rounded_up(int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 250) out[i] = i;
}

// The first element has no left neighbour.
// finds: out of bounds: before the
__global__ void racy_left_border(int *out) {
  const int i = threadIdx.x;
  if (i < 100) out[i + 100] = out[i - 1] + out[i + 1];  // HERE
}
__global__ void fixed_left_border(int *out) {
  const int i = threadIdx.x;
  if (i > 0 && i < 100) out[i + 100] = out[i - 1] + out[i + 1];
}

// The last element has no right neighbour.
// finds: out of bounds: behind the 1000 bytes of cudaMalloc
__global__ void racy_right_border(int *out) {
  const int i = threadIdx.x + 150;
  if (i < 250) out[i - 150] = out[i] + out[i + 1];  // HERE
}
__global__ void fixed_right_border(int *out) {
  const int i = threadIdx.x + 150;
  if (i < 249) out[i - 150] = out[i] + out[i + 1];
}

// The number of elements is no multiple of four.
// finds: out of bounds: the last 8 bytes of them behind the 1000 bytes of cudaMalloc
__global__ void racy_vector_tail(int *out) {
  const int i = threadIdx.x;
  if (i * 4 < 250) reinterpret_cast<int4 *>(out)[i] = make_int4(i, i, i, i);  // HERE
}
__global__ void fixed_vector_tail(int *out) {
  const int i = threadIdx.x;
  if (i * 4 + 4 <= 250)
    reinterpret_cast<int4 *>(out)[i] = make_int4(i, i, i, i);
  else
    for (int k = i * 4; k < 250; ++k) out[k] = i;
}

__device__ int sink;

// An odd number of 2-byte elements, read in pairs.
// finds: out of bounds: behind the 998 bytes of cudaMalloc
__global__ void racy_odd_pairs(int *out) {
  const auto *pairs = reinterpret_cast<const short2 *>(out);
  const int count = 499;
  int sum = 0;
  for (int i = threadIdx.x; i < (count + 1) / 2; i += blockDim.x) sum += pairs[i].y;  // HERE
  atomicAdd(&sink, sum);
}
__global__ void fixed_odd_pairs(int *out) {
  const auto *pairs = reinterpret_cast<const short2 *>(out);
  const int count = 499;
  int sum = 0;
  for (int i = threadIdx.x; i < count / 2; i += blockDim.x) sum += pairs[i].y;
  atomicAdd(&sink, sum);
}

// Rows of 25 elements, taken for rows of 26.
// finds: out of bounds: behind the 1000 bytes of cudaMalloc
__global__ void racy_pitch(int *out) {
  const int pitch = 26;
  for (int row = 0; row < 10; ++row)
    if (threadIdx.x < 25) out[row * pitch + threadIdx.x] = row;  // HERE
}
__global__ void fixed_pitch(int *out) {
  const int pitch = 25;
  for (int row = 0; row < 10; ++row)
    if (threadIdx.x < 25) out[row * pitch + threadIdx.x] = row;
}

// An image of 14 x 17 whose rows are taken to be as long as its columns.
// finds: out of bounds: behind the 952 bytes of cudaMalloc
__global__ void racy_swapped_sides(int *out) {
  const int width = 14, height = 17, x = threadIdx.x % width, y = threadIdx.x / width;
  if (y < height) out[y * height + x] = x;  // HERE
}
__global__ void fixed_swapped_sides(int *out) {
  const int width = 14, height = 17, x = threadIdx.x % width, y = threadIdx.x / width;
  if (y < height) out[y * width + x] = x;
}

// Doubles in memory that was made for floats.
// finds: out of bounds: writes 8 bytes at
__global__ void racy_wider_type(int *out) {
  auto *values = reinterpret_cast<double *>(out);
  if (threadIdx.x < 130) values[threadIdx.x] = 1;  // HERE
}
__global__ void fixed_wider_type(int *out) {
  auto *values = reinterpret_cast<float *>(out);
  if (threadIdx.x < 130) values[threadIdx.x] = 1;
}

// Points of 12 bytes, the last of which is read as 16.
struct Point {
  float x, y, z;
};
// finds: out of bounds: reads 16 bytes at
__global__ void racy_three_as_four(int *out) {
  const auto *points = reinterpret_cast<const Point *>(out);
  const float4 last = *reinterpret_cast<const float4 *>(points + 80 + 4 * threadIdx.x);  // HERE
  out[threadIdx.x] = static_cast<int>(last.x + last.y);
}
__global__ void fixed_three_as_four(int *out) {
  const auto *points = reinterpret_cast<const Point *>(out);
  const Point last = points[80 + threadIdx.x];
  out[threadIdx.x] = static_cast<int>(last.x + last.y);
}

// One structure more than there are.
struct Particle {
  int position[3], speed[3];
  int kind, padding;
};
// finds: out of bounds: behind the 1000 bytes of cudaMalloc
__global__ void racy_structures(int *out) {
  auto *particles = reinterpret_cast<Particle *>(out);
  if (threadIdx.x < 32) ++particles[threadIdx.x].kind;  // HERE
}
__global__ void fixed_structures(int *out) {
  auto *particles = reinterpret_cast<Particle *>(out);
  if (threadIdx.x < 1000 / sizeof(Particle)) ++particles[threadIdx.x].kind;
}

// A text without room for the zero at its end.
// finds: out of bounds: writes 1 byte at
__global__ void racy_text_end(int *out) {
  auto *text = reinterpret_cast<char *>(out);
  const int length = 998;
  for (int i = threadIdx.x; i <= length; i += blockDim.x) text[i] = i < length ? 'a' : '\0';  // HERE
}
__global__ void fixed_text_end(int *out) {
  auto *text = reinterpret_cast<char *>(out);
  const int length = 997;
  for (int i = threadIdx.x; i <= length; i += blockDim.x) text[i] = i < length ? 'a' : '\0';
}

// The offsets of a sparse matrix are one more than its rows.
// finds: out of bounds: behind the 1000 bytes of cudaMalloc
__global__ void racy_row_offsets(int *out) {
  const int row = threadIdx.x, rows = 250;
  int length = 0;
  if (row < rows) length = out[row + 1] - out[row];  // HERE
  __syncthreads();
  if (row < rows) out[row] = length;
}
__global__ void fixed_row_offsets(int *out) {
  const int row = threadIdx.x, rows = 249;
  int length = 0;
  if (row < rows) length = out[row + 1] - out[row];
  __syncthreads();
  if (row < rows) out[row] = length;
}

// The highest value comes to a bin of its own.
// finds: out of bounds: updates 4 bytes at
__global__ void racy_highest_bin(int *out) {
  const int value = threadIdx.x;
  atomicAdd(out + value * 250 / 255, 1);  // HERE
}
__global__ void fixed_highest_bin(int *out) {
  const int value = threadIdx.x;
  atomicAdd(out + value * 250 / 256, 1);
}

// Bytes and elements taken for each other.
// finds: out of bounds: of malloc() in a kernel
// says: in racy_heap_size\n            int *mine = static_cast<int *>(malloc(n));\n          by kernel
// racy_heap_size(int*), block (0,0,0), thread (
__global__ void racy_heap_size(int *out) {
  const int n = 16;
  int *mine = static_cast<int *>(malloc(n));
  for (int i = 0; i < n; ++i) mine[i] = i;  // HERE
  out[threadIdx.x] = mine[0];
  free(mine);
}
__global__ void fixed_heap_size(int *out) {
  const int n = 16;
  int *mine = static_cast<int *>(malloc(n * sizeof(int)));
  for (int i = 0; i < n; ++i) mine[i] = i;
  out[threadIdx.x] = mine[0];
  free(mine);
}

// finds: out of bounds: in a kernel
// says: in racy_new_array\n            int *mine = new int[n];\n          by kernel racy_new_array(int*), block
// (0,0,0), thread (
__global__ void racy_new_array(int *out) {
  const int n = out[0] + 5;
  int *mine = new int[n];
  for (int i = 0; i < n; ++i) mine[i] = i;
  out[1 + threadIdx.x] = mine[n];  // HERE
  delete[] mine;
}
__global__ void fixed_new_array(int *out) {
  const int n = out[0] + 5;
  int *mine = new int[n];
  for (int i = 0; i < n; ++i) mine[i] = i;
  out[1 + threadIdx.x] = mine[n - 1];
  delete[] mine;
}

// The scratch memory is given back at once when there is nothing to do, and used nevertheless.
__device__ __noinline__ int *scratch(int count, int used) {
  int *made = static_cast<int *>(malloc(count * sizeof(int)));
  if (used == 0) free(made);
  return made;
}
// finds: use after free: of malloc() in a kernel
// says: in scratch\n            int *made = static_cast<int *>(malloc(count * sizeof(int)));\n          by kernel
// racy_given_back(int*), block (0,0,0), thread ( says: in scratch\n            if (used == 0) free(made);\n          by
// kernel racy_given_back(int*), block (0,0,0), thread (
__global__ void racy_given_back(int *out) {
  int *mine = scratch(8, out[0]);
  mine[2] = threadIdx.x;           // HERE
  out[1 + threadIdx.x] = mine[2];  // HERE
}
__global__ void fixed_given_back(int *out) {
  int *mine = scratch(8, out[0] + 1);
  mine[2] = threadIdx.x;
  out[1 + threadIdx.x] = mine[2];
  free(mine);
}

// One array's end is the next one's beginning.
// finds: out of bounds: of 'racy_shared_halo(int*)::tile'
__global__ void racy_shared_halo(int *out) {
  __shared__ int tile[64], other[64];
  tile[threadIdx.x % 64] = 1;
  other[threadIdx.x % 64] = 2;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x % 64 + 1] + other[threadIdx.x % 64];  // HERE
}
__global__ void fixed_shared_halo(int *out) {
  __shared__ int tile[65], other[64];
  tile[threadIdx.x % 64] = 1;
  if (threadIdx.x == 64) tile[64] = 1;
  other[threadIdx.x % 64] = 2;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x % 64 + 1] + other[threadIdx.x % 64];
}

// finds: out of bounds: of 'racy_shared_rows(int*)::tile'
__global__ void racy_shared_rows(int *out) {
  __shared__ int before[8], tile[16][16];
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  if (threadIdx.x < 8) before[threadIdx.x] = 1;
  tile[y][x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = *(&tile[y][0] + x - 1) + before[x % 8];  // HERE
}
__global__ void fixed_shared_rows(int *out) {
  __shared__ int before[8], tile[16][16];
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  if (threadIdx.x < 8) before[threadIdx.x] = 1;
  tile[y][x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[y][x > 0 ? x - 1 : 15] + before[x % 8];
}

// Every thread has an element of its own, but the launch gives 64 elements only.
// finds: out of bounds: of 'buffer', which has 256 bytes
__global__ void racy_dynamic_size(int *out) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = threadIdx.x;  // HERE
  out[threadIdx.x] = threadIdx.x;
}
__global__ void fixed_dynamic_size(int *out) {
  extern __shared__ int buffer[];
  if (threadIdx.x < 64) buffer[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = threadIdx.x;
}

// The second array in the dynamic part begins behind four bytes for each short, not two.
// finds: out of bounds: of 'buffer', which has 256 bytes
__global__ void racy_dynamic_parts(int *out) {
  extern __shared__ int buffer[];
  const int n = 40;
  reinterpret_cast<short *>(buffer)[threadIdx.x] = threadIdx.x;
  buffer[n + threadIdx.x] = 1;  // HERE
  out[threadIdx.x] = threadIdx.x;
}
__global__ void fixed_dynamic_parts(int *out) {
  extern __shared__ int buffer[];
  const int n = 40;
  reinterpret_cast<short *>(buffer)[threadIdx.x] = threadIdx.x;
  buffer[n / 2 + threadIdx.x] = 1;
  out[threadIdx.x] = threadIdx.x;
}

// finds: out of bounds: of a local variable
__global__ void racy_local_window(int *out) {
  int window[5];
  const int radius = 3 + out[0];
  for (int i = 0; i < 5; ++i) window[i] = i * threadIdx.x;
  int sum = 0;
  for (int i = 0; i < 2 * radius; ++i) sum += window[i];  // HERE
  out[1 + threadIdx.x] = sum;
}
__global__ void fixed_local_window(int *out) {
  int window[5];
  const int radius = 2 + out[0];
  for (int i = 0; i < 5; ++i) window[i] = i * threadIdx.x;
  int sum = 0;
  for (int i = 0; i < 2 * radius + 1; ++i) sum += window[i];
  out[1 + threadIdx.x] = sum;
}

// A stack is read below its bottom: whether it is empty is asked too late.
// finds: out of bounds: of a local variable
__global__ void racy_local_stack(int *out) {
  int stack[8], top = 0, sum = 0;
  for (int i = 0; i < 8; ++i) stack[i] = 0;
  for (int i = out[0]; i < 3; ++i) stack[top++] = i;
  do {
    sum += stack[top - 1];  // HERE
  } while (--top >= 0);
  out[1 + threadIdx.x] = sum;
}
__global__ void fixed_local_stack(int *out) {
  int stack[8], top = 0, sum = 0;
  for (int i = 0; i < 8; ++i) stack[i] = 0;
  for (int i = out[0]; i < 3; ++i) stack[top++] = i;
  while (--top >= 0) sum += stack[top];
  out[1 + threadIdx.x] = sum;
}

// The function counts from the end of what it is given, and is told the wrong length. It sees no variable, only an
// address.
__device__ int lastOf(const int *numbers, int count) {
  int last = 0;
  for (int i = count; i > 0 && last == 0; --i) last = numbers[i - 1];  // HERE
  return last;
}
// finds: out of bounds: of a local variable
__global__ void racy_local_argument(int *out) {
  int numbers[6] = {};
  numbers[out[0]] = threadIdx.x;
  numbers[out[0] + 1] = 1;
  out[1 + threadIdx.x] = lastOf(numbers, out[0] + 7);
}
__global__ void fixed_local_argument(int *out) {
  int numbers[6] = {};
  numbers[out[0]] = threadIdx.x;
  numbers[out[0] + 1] = 1;
  out[1 + threadIdx.x] = lastOf(numbers, out[0] + 6);
}

// Weights for a radius of 4 are nine; the tenth belongs to somebody else.
__constant__ int weights[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
// finds: out of bounds: of 'weights', which has 36 bytes
__global__ void racy_constant(int *out) {
  int sum = 0;
  for (int k = -4; k <= 4; ++k) sum += weights[k + 5 + out[0]];  // HERE
  out[1 + threadIdx.x] = sum;
}
__global__ void fixed_constant(int *out) {
  int sum = 0;
  for (int k = -4; k <= 4; ++k) sum += weights[k + 4 + out[0]];
  out[1 + threadIdx.x] = sum;
}

__device__ int counts[16];
// finds: out of bounds: of 'counts', which has 64 bytes
__global__ void racy_device_variable(int *out) {
  ++counts[1 + threadIdx.x];  // HERE
  out[threadIdx.x] = threadIdx.x;
}
__global__ void fixed_device_variable(int *out) {
  ++counts[threadIdx.x];
  out[threadIdx.x] = threadIdx.x;
}

__device__ int before_table[8], table[8];
// finds: out of bounds: 'table'
__global__ void racy_before_variable(int *out) {
  out[threadIdx.x] = table[static_cast<int>(threadIdx.x % 8) - 1] + before_table[threadIdx.x % 8];  // HERE
}
__global__ void fixed_before_variable(int *out) {
  out[threadIdx.x] = table[(threadIdx.x + 7) % 8] + before_table[threadIdx.x % 8];
}

// Copies in the kernel, one element too far on.
// finds: out of bounds: behind the 1000 bytes of cudaMalloc
__global__ void racy_memcpy(int *out) {
  if (threadIdx.x == 0) memcpy(out + 126, out, 125 * sizeof(int));  // HERE
}
__global__ void fixed_memcpy(int *out) {
  if (threadIdx.x == 0) memcpy(out + 125, out, 125 * sizeof(int));
}

// finds: out of bounds: behind the 1000 bytes of
__global__ void racy_managed(int *out) { out[threadIdx.x] = 1; }  // HERE
__global__ void fixed_managed(int *out) {
  if (threadIdx.x < 250) out[threadIdx.x] = 1;
}

// finds: out of bounds: behind the 1000 bytes of
__global__ void racy_pinned(int *out) { out[threadIdx.x] = 1; }  // HERE
__global__ void fixed_pinned(int *out) {
  if (threadIdx.x < 250) out[threadIdx.x] = 1;
}

// The host has given the memory back before the launch.
// finds: use after free: of cudaMalloc
__global__ void racy_stale(int *out) { out[threadIdx.x] = 1; }  // HERE
__global__ void fixed_stale(int *out) { out[threadIdx.x] = 1; }

int *small(size_t bytes = 1000) {
  int *made;
  cudaMalloc(&made, bytes);
  cudaMemset(made, 0, bytes);
  return made;
}

#define SMALL(name, blocks, threads, ...)                     \
  racy_##name<<<blocks, threads, 256>>>(small(__VA_ARGS__));  \
  cudaDeviceSynchronize();                                    \
  fixed_##name<<<blocks, threads, 256>>>(small(__VA_ARGS__)); \
  cudaDeviceSynchronize()

__device__ int bins[16];
// An atomic function knows the variable that it is about.
// finds: out of bounds: of 'bins', which has 64 bytes
__global__ void racy_bins(int *out) {
  atomicAdd(&bins[1 + threadIdx.x % 16], 1);  // HERE
  out[threadIdx.x] = threadIdx.x;
}
__global__ void fixed_bins(int *out) {
  atomicAdd(&bins[threadIdx.x % 16], 1);
  out[threadIdx.x] = threadIdx.x;
}

int main() {
  PAIR(bins, 1, 32);
  SMALL(last_index, 1, 256);
  SMALL(rounded_up, 4, 64);
  small(250);
  SMALL(left_border, 1, 128);
  SMALL(right_border, 1, 128);
  SMALL(vector_tail, 1, 64);
  SMALL(odd_pairs, 1, 256, 998);
  SMALL(pitch, 1, 32);
  SMALL(swapped_sides, 1, 256, 14 * 17 * 4);
  SMALL(wider_type, 1, 160, 520);
  SMALL(three_as_four, 1, 1, 81 * 12);
  SMALL(structures, 1, 32);
  SMALL(text_end, 1, 32, 998);
  SMALL(row_offsets, 1, 256);
  SMALL(highest_bin, 1, 256);
  SMALL(heap_size, 1, 2);
  SMALL(new_array, 1, 2);
  SMALL(given_back, 1, 2);
  PAIR(shared_halo, 1, 65);
  PAIR(shared_rows, 1, 256);
  PAIR(dynamic_size, 1, 65);
  PAIR(dynamic_parts, 1, 40);
  SMALL(local_window, 1, 2);
  SMALL(local_stack, 1, 2);
  SMALL(local_argument, 1, 2);
  SMALL(constant, 1, 2);
  SMALL(device_variable, 1, 16);
  SMALL(before_variable, 1, 32);
  SMALL(memcpy, 1, 1);
  int *memory;
  cudaMallocManaged(&memory, 1000);
  racy_managed<<<1, 256>>>(memory);
  cudaDeviceSynchronize();
  fixed_managed<<<1, 256>>>(memory);
  cudaDeviceSynchronize();
  cudaHostAlloc(&memory, 1000, cudaHostAllocMapped);
  racy_pinned<<<1, 256>>>(memory);
  cudaDeviceSynchronize();
  fixed_pinned<<<1, 256>>>(memory);
  cudaDeviceSynchronize();
  memory = small();
  fixed_stale<<<1, 32>>>(memory);
  cudaDeviceSynchronize();
  cudaFree(memory);
  racy_stale<<<1, 32>>>(memory);
  cudaDeviceSynchronize();
  return 0;
}
