// AES-128 by the same tables. The processor's own instructions for AES would be faster by far, but no compiler finds
// them in tables.
#include "aes.h"

#include "../harness/native.h"

struct Tables {
  uint32_t t[4][256], box[256], keys[44];
  explicit Tables(const Aes &aes) {
    for (uint32_t i = 0; i < 256; ++i) {
      box[i] = aes.box[i];
      t[0][i] = aes.table[i];
      for (int k = 1; k < 4; ++k) t[k][i] = t[0][i] >> (8 * k) | t[0][i] << (32 - 8 * k);
    }
    std::memcpy(keys, aes.keys.data(), sizeof keys);
  }
};

static void encrypt(const Tables &tables, const uint32_t *from, uint32_t *to) {
  uint32_t v[4], w[4];
  for (int i = 0; i < 4; ++i) v[i] = from[i] ^ tables.keys[i];
  for (int round = 1; round < Aes::rounds; ++round) {
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i)
      w[i] = tables.t[0][v[i] >> 24] ^ tables.t[1][v[(i + 1) % 4] >> 16 & 255] ^
             tables.t[2][v[(i + 2) % 4] >> 8 & 255] ^ tables.t[3][v[(i + 3) % 4] & 255] ^ tables.keys[4 * round + i];
    std::memcpy(v, w, sizeof v);
  }
  const uint32_t *box = tables.box;
  for (int i = 0; i < 4; ++i)
    to[i] = (box[v[i] >> 24] << 24 | box[v[(i + 1) % 4] >> 16 & 255] << 16 | box[v[(i + 2) % 4] >> 8 & 255] << 8 |
             box[v[(i + 3) % 4] & 255]) ^
            tables.keys[4 * Aes::rounds + i];
}

BENCH_CASE(aes) {
  const Aes input;
  const Tables tables(input);
  const bench::Memory<uint32_t> in(input.in);
  bench::Memory<uint32_t> out(input.in.size());
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (size_t block = 0; block < Aes::blocks; ++block) encrypt(tables, &in[4 * block], &out[4 * block]);
  });
  run.result(out.data(), out.size());
}
