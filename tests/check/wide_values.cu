// Values of more than one number, or of more than 8 bytes: what was there, and what would be, by elements where the
// source says what they are, else by words.
#include "pairs.h"

// finds: race within a block
// says: has written (0, 1.5, 2, -3), this writes (32, 1.5, 2, -3) | has written (32, 1.5, 2, -3), this writes (0, 1.5,
// 2, -3)
__global__ void racy_floats(int *out) {
  float4 *const four = reinterpret_cast<float4 *>(out) + 3;
  if (threadIdx.x == 0) *four = make_float4(0, 1.5f, 2, -3);    // HERE
  if (threadIdx.x == 32) *four = make_float4(32, 1.5f, 2, -3);  // HERE
}
__global__ void fixed_floats(int *out) {
  float4 *const four = reinterpret_cast<float4 *>(out) + 3;
  if (threadIdx.x == 0) *four = make_float4(0, 1.5f, 2, -3);
  __syncthreads();
  if (threadIdx.x == 32) *four = make_float4(32, 1.5f, 2, -3);
}

// Lanes that go in step write one place: what is in memory by then is another lane's.
// finds: race within a warp
// says: , 7, -8, 0)
__global__ void racy_step(int *out) {
  reinterpret_cast<int4 *>(out)[3] = make_int4(threadIdx.x, 7, -8, 0);  // HERE
}
__global__ void fixed_step(int *out) { reinterpret_cast<int4 *>(out)[threadIdx.x] = make_int4(threadIdx.x, 7, -8, 0); }

// Lanes in step that write what the others write race no more than threads that do so one after the other.
// finds: race between blocks
// says: has written (5, 0), this writes (5, 1) | has written (5, 1), this writes (5, 0)
__global__ void racy_same(int *out) {
  reinterpret_cast<int2 *>(out)[3] = make_int2(5, blockIdx.x);  // HERE
}
__global__ void fixed_same(int *out) { reinterpret_cast<int4 *>(out)[3] = make_int4(5, 6, 7, 8); }

// finds: race between blocks
// says: has written (0, 0.25), this writes (1, 0.25) | has written (1, 0.25), this writes (0, 0.25)
__global__ void racy_doubles(int *out) {
  if (threadIdx.x == 0) reinterpret_cast<double2 *>(out)[3] = make_double2(blockIdx.x, 0.25);  // HERE
}
__global__ void fixed_doubles(int *out) {
  if (threadIdx.x == 0) reinterpret_cast<double2 *>(out)[blockIdx.x] = make_double2(blockIdx.x, 0.25);
}

// finds: race between blocks
// says: has written (0, 5, -6, 7), this writes (1, 5, -6, 7) | has written (1, 5, -6, 7), this writes (0, 5, -6, 7)
__global__ void racy_chars(int *out) {
  if (threadIdx.x == 0) reinterpret_cast<char4 *>(out)[3] = make_char4(blockIdx.x, 5, -6, 7);  // HERE
}
__global__ void fixed_chars(int *out) {
  if (threadIdx.x == 0) reinterpret_cast<char4 *>(out)[blockIdx.x] = make_char4(blockIdx.x, 5, -6, 7);
}

// 12 bytes: nothing says that the first access was not of other ones, some of which are the same.
// finds: race between blocks
// says: memory holds (0, 2, 3), this writes (1, 2, 3) | memory holds (1, 2, 3), this writes (0, 2, 3)
__global__ void racy_three(int *out) {
  if (threadIdx.x == 0) reinterpret_cast<float3 *>(out)[3] = make_float3(blockIdx.x, 2, 3);  // HERE
}
__global__ void fixed_three(int *out) {
  if (threadIdx.x == 0) reinterpret_cast<float3 *>(out)[blockIdx.x] = make_float3(blockIdx.x, 2, 3);
}

// Half of what the other one writes.
// finds: race within a block
// says: has written 8 bytes; memory holds (0, 0, 8, 9), this writes (1, 2, 3, 4) | has written 16 bytes; memory holds
// (3, 4), this writes (8, 9)
__global__ void racy_half(int *out) {
  float4 *const four = reinterpret_cast<float4 *>(out);
  if (threadIdx.x == 0) reinterpret_cast<float2 *>(out)[1] = make_float2(8, 9);  // HERE
  if (threadIdx.x == 32) four[0] = make_float4(1, 2, 3, 4);                      // HERE
}
__global__ void fixed_half(int *out) {
  float4 *const four = reinterpret_cast<float4 *>(out);
  if (threadIdx.x == 0) reinterpret_cast<float2 *>(out)[1] = make_float2(8, 9);
  if (threadIdx.x == 32) four[1] = make_float4(1, 2, 3, 4);
}

// One number of several that were written.
// finds: race within a block
// says: has written 16 bytes; memory holds 3.5, which this reads | has read 4 bytes; memory holds (0, 0, 0, 0), this
// writes (1, 2, 3.5, 4)
__global__ void racy_member(int *out) {
  float4 *const four = reinterpret_cast<float4 *>(out);
  if (threadIdx.x == 0) four[2] = make_float4(1, 2, 3.5f, 4);         // HERE
  if (threadIdx.x == 32) out[0] = static_cast<int>(four[2].z) + 100;  // HERE
}
__global__ void fixed_member(int *out) {
  float4 *const four = reinterpret_cast<float4 *>(out);
  if (threadIdx.x == 0) four[2] = make_float4(1, 2, 3.5f, 4);
  __syncthreads();
  if (threadIdx.x == 32) out[0] = static_cast<int>(four[2].z) + 100;
}

struct Mixed {
  int count;
  float share;
  double sum;
};

// finds: race within a block
// says: memory holds (0x1, 0x40200000, 0x0, 0x3ff80000), which this reads | memory holds (0x0, 0x0, 0x0, 0x0), this
// writes (0x1, 0x40200000, 0x0, 0x3ff80000)
__global__ void racy_mixed(int *out) {
  Mixed *const mixed = reinterpret_cast<Mixed *>(out);
  if (threadIdx.x == 0) mixed[2] = Mixed{1, 2.5f, 1.5};  // HERE
  if (threadIdx.x == 32) mixed[4] = mixed[2];            // HERE
}
__global__ void fixed_mixed(int *out) {
  Mixed *const mixed = reinterpret_cast<Mixed *>(out);
  if (threadIdx.x == 0) mixed[2] = Mixed{1, 2.5f, 1.5};
  __syncthreads();
  if (threadIdx.x == 32) mixed[4] = mixed[2];
}

// finds: race within a block
// says: has written (1, 2, 3, 4), this writes (-5, 6, 7, 8) | has written (-5, 6, 7, 8), this writes (1, 2, 3, 4)
__global__ void racy_instruction(int *out) {
  if (threadIdx.x == 0) asm("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(out), "r"(1), "r"(2), "r"(3), "r"(4));
  if (threadIdx.x == 32) asm("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(out), "r"(-5), "r"(6), "r"(7), "r"(8));
}
__global__ void fixed_instruction(int *out) {
  out += threadIdx.x / 32 * 4;
  if (threadIdx.x == 0) asm("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(out), "r"(1), "r"(2), "r"(3), "r"(4));
  if (threadIdx.x == 32) asm("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(out), "r"(-5), "r"(6), "r"(7), "r"(8));
}

// finds: race within a block
// says: has written (5, -6), which this reads | has read (0, 0), this writes (5, -6)
__global__ void racy_instruction_read(int *out) {
  long long first = 0, second = 0;
  if (threadIdx.x == 0) asm("st.global.v2.s64 [%0], {%1, %2};" ::"l"(out), "l"(5ll), "l"(-6ll));
  if (threadIdx.x == 32) asm volatile("ld.global.v2.s64 {%0, %1}, [%2];" : "=l"(first), "=l"(second) : "l"(out));
  out[threadIdx.x + 8] = first > second;
}
__global__ void fixed_instruction_read(int *out) {
  long long first = 0, second = 0;
  if (threadIdx.x == 0) asm("st.global.v2.s64 [%0], {%1, %2};" ::"l"(out), "l"(5ll), "l"(-6ll));
  __syncthreads();
  if (threadIdx.x == 32) asm volatile("ld.global.v2.s64 {%0, %1}, [%2];" : "=l"(first), "=l"(second) : "l"(out));
  out[threadIdx.x + 8] = first > second;
}

int main() {
  PAIR(floats, 1, 64);
  PAIR(step, 1, 32);
  PAIR(same, 2, 32);
  PAIR(doubles, 2, 32);
  PAIR(chars, 2, 32);
  PAIR(three, 2, 32);
  PAIR(half, 1, 64);
  PAIR(member, 1, 64);
  PAIR(mixed, 1, 64);
  PAIR(instruction, 1, 64);
  PAIR(instruction_read, 1, 64);
  return finish();
}
