// AES-128 by tables: a thread encrypts 16 bytes; the tables are in shared, the round keys in constant memory.
#include "aes.h"

#include "../harness/cuda.h"

__constant__ uint32_t roundKeys[44];

__device__ inline uint32_t rotate(uint32_t word, int by) { return word >> by | word << (32 - by); }

__device__ inline uint32_t mix(const uint32_t (*t)[256], uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t key) {
  return t[0][a >> 24] ^ t[1][b >> 16 & 255] ^ t[2][c >> 8 & 255] ^ t[3][d & 255] ^ key;
}

__device__ inline uint32_t last(const uint32_t *box, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t key) {
  return (box[a >> 24] << 24 | box[b >> 16 & 255] << 16 | box[c >> 8 & 255] << 8 | box[d & 255]) ^ key;
}

// Blocks of 256 threads.
__global__ void encrypt(const uint4 *in, uint4 *out, const uint32_t *table, const uint32_t *box) {
  __shared__ uint32_t t[4][256], s[256];
  for (int k = 0; k < 4; ++k) t[k][threadIdx.x] = rotate(table[threadIdx.x], 8 * k);
  s[threadIdx.x] = box[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 v = in[i];
  v.x ^= roundKeys[0], v.y ^= roundKeys[1], v.z ^= roundKeys[2], v.w ^= roundKeys[3];
  for (int round = 1; round < 10; ++round) {
    const uint32_t *key = roundKeys + 4 * round;
    v = make_uint4(mix(t, v.x, v.y, v.z, v.w, key[0]), mix(t, v.y, v.z, v.w, v.x, key[1]),
                   mix(t, v.z, v.w, v.x, v.y, key[2]), mix(t, v.w, v.x, v.y, v.z, key[3]));
  }
  out[i] = make_uint4(last(s, v.x, v.y, v.z, v.w, roundKeys[40]), last(s, v.y, v.z, v.w, v.x, roundKeys[41]),
                      last(s, v.z, v.w, v.x, v.y, roundKeys[42]), last(s, v.w, v.x, v.y, v.z, roundKeys[43]));
}

BENCH_CASE(aes) {
  const Aes input;
  bench::Buffer<uint32_t> in(input.in), out(input.in.size()), table(input.table), box(input.box);
  BENCH_CONSTANT(uint32_t, roundKeys, input.keys);
  run.time([&] {
    encrypt<<<Aes::blocks / 256, 256>>>((const uint4 *)(uint32_t *)in, (uint4 *)(uint32_t *)out, table, box);
    bench::finish();
  });
  run.result(out.host());
}
