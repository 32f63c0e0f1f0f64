// MTGP32 in kernels: the threads of a block, up to 256 of them, draw from one state together [cuRAND, device API].
#ifndef HOSTWARP_CURAND_MTGP32_KERNEL_H
#define HOSTWARP_CURAND_MTGP32_KERNEL_H
#define CURAND_MTGP32_KERNEL_H

#include "curand_mtgp32.h"
#include "hostwarp/random/prelude.h"

namespace hostwarp {
namespace random {

// mtgpTempering() is four bits of a word before, an index into the tempering tables.
QUALIFIERS unsigned mtgpTempering(const curandStateMtgp32_t *state, unsigned index) {
  unsigned t = state->s[(state->offset + index + state->k->pos_tbl[state->pIdx] - 1) & MTGP32_STATE_MASK];
  t ^= t >> 16;
  t ^= t >> 8;
  return t & 15;
}

// mtgpNext() computes the word that thread `index` adds to the ring.
QUALIFIERS unsigned mtgpNext(curandStateMtgp32_t *state, unsigned index) {
  const mtgp32_kernel_params_t &k = *state->k;
  const int set = state->pIdx;
  const unsigned at = state->offset + index;
  unsigned x = (state->s[at & MTGP32_STATE_MASK] & k.mask[0]) ^ state->s[(at + 1) & MTGP32_STATE_MASK];
  x ^= x << k.sh1_tbl[set];
  const unsigned y = x ^ (state->s[(at + k.pos_tbl[set]) & MTGP32_STATE_MASK] >> k.sh2_tbl[set]);
  const unsigned word = y ^ k.param_tbl[set][y & 15];
  state->s[(at + MTGPDC_N) & MTGP32_STATE_MASK] = word;
  return word;
}

// mtgpAdvance() moves the ring's begin, when all threads of the block have read it.
QUALIFIERS void mtgpAdvance(curandStateMtgp32_t *state, unsigned index, unsigned threads) {
  __syncthreads();
  if (index == 0) state->offset = (state->offset + threads) & MTGP32_STATE_MASK;
  __syncthreads();
}

// mtgpInteger() is the number of thread `index`, before the ring moves on.
QUALIFIERS unsigned mtgpInteger(curandStateMtgp32_t *state, unsigned index) {
  return mtgpNext(state, index) ^ state->k->temper_tbl[state->pIdx][mtgpTempering(state, index)];
}
QUALIFIERS unsigned mtgpInteger(curandStateMtgp32_t *state, unsigned index, unsigned threads) {
  const unsigned result = mtgpInteger(state, index);
  mtgpAdvance(state, index, threads);
  return result;
}

// mtgpSingle() makes the word the fraction of a float from 1 to 2, as MTGP's authors and cuRAND do; cuRAND's page says
// from 0 to 1.
QUALIFIERS float mtgpSingle(curandStateMtgp32_t *state, unsigned index, unsigned threads) {
  const unsigned word = mtgpNext(state, index);
  const unsigned bits = (word >> 9) ^ state->k->single_temper_tbl[state->pIdx][mtgpTempering(state, index)];
  mtgpAdvance(state, index, threads);
  float result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

QUALIFIERS unsigned threadOfBlock() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
QUALIFIERS unsigned threadsOfBlock() { return blockDim.x * blockDim.y * blockDim.z; }

}  // namespace random
}  // namespace hostwarp

// pre of all four: every thread of the block calls, since they wait for each other.
QUALIFIERS unsigned int curand(curandStateMtgp32_t *state) {
  return hostwarp::random::mtgpInteger(state, hostwarp::random::threadOfBlock(), hostwarp::random::threadsOfBlock());
}
QUALIFIERS float curand_mtgp32_single(curandStateMtgp32_t *state) {
  return hostwarp::random::mtgpSingle(state, hostwarp::random::threadOfBlock(), hostwarp::random::threadsOfBlock());
}
// With _specific, n threads draw, and `index` tells each which it is.
QUALIFIERS unsigned int curand_mtgp32_specific(curandStateMtgp32_t *state, unsigned char index, unsigned char n) {
  return hostwarp::random::mtgpInteger(state, index, n);
}
QUALIFIERS float curand_mtgp32_single_specific(curandStateMtgp32_t *state, unsigned char index, unsigned char n) {
  return hostwarp::random::mtgpSingle(state, index, n);
}

#endif  // HOSTWARP_CURAND_MTGP32_KERNEL_H
