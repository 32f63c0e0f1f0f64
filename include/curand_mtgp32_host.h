// Setting up MTGP32 states from host code [cuRAND, device API].
#ifndef HOSTWARP_CURAND_MTGP32_HOST_H
#define HOSTWARP_CURAND_MTGP32_HOST_H
#define CURAND_MTGP32_HOST_H

#include <string.h>

#include <new>

#include "cuda_runtime.h"
#include "curand.h"
#include "curand_mtgp32.h"
#include "curand_mtgp32dc_p_11213.h"

namespace hostwarp {
namespace random {

// mtgpSeed() fills a state as MTGP's authors do: a byte of the parameters everywhere, then Knuth's recurrence over it.
inline void mtgpSeed(unsigned int *state, const mtgp32_params_fast_t &parameters, unsigned int seed) {
  const int size = MTGPDC_N;
  const unsigned int hidden = parameters.tbl[4] ^ (parameters.tbl[8] << 16);
  unsigned int filler = hidden + (hidden >> 16);
  filler += filler >> 8;
  memset(state, static_cast<int>(filler & 0xff), size * sizeof *state);
  state[0] = seed;
  state[1] = hidden;
  for (int i = 1; i < size; ++i) state[i] ^= 1812433253U * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
}

// mtgpState() makes the i-th of the states of a seed.
inline void mtgpState(curandStateMtgp32_t &state, const mtgp32_params_fast_t *parameters,
                      mtgp32_kernel_params_t *tables, int i, unsigned long long seed) {
  const unsigned int folded = static_cast<unsigned int>(seed) ^ static_cast<unsigned int>(seed >> 32);
  mtgpSeed(state.s, parameters[i], folded + static_cast<unsigned int>(i) + 1);
  state.offset = 0;
  state.pIdx = i;
  state.k = tables;
}

inline void mtgpTables(const mtgp32_params_fast_t *parameters, mtgp32_kernel_params_t &tables) {
  tables.mask[0] = parameters[0].mask;
  for (int i = 0; i < CURAND_NUM_MTGP32_PARAMS; ++i) {
    const mtgp32_params_fast_t &set = parameters[i];
    tables.pos_tbl[i] = static_cast<unsigned int>(set.pos);
    tables.sh1_tbl[i] = static_cast<unsigned int>(set.sh1);
    tables.sh2_tbl[i] = static_cast<unsigned int>(set.sh2);
    memcpy(tables.param_tbl[i], set.tbl, sizeof set.tbl);
    memcpy(tables.temper_tbl[i], set.tmp_tbl, sizeof set.tmp_tbl);
    memcpy(tables.single_temper_tbl[i], set.flt_tmp_tbl, sizeof set.flt_tmp_tbl);
  }
}

inline curandStatus_t mtgpUpload(void *to, const void *from, size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice) == cudaSuccess ? CURAND_STATUS_SUCCESS
                                                                            : CURAND_STATUS_INITIALIZATION_FAILED;
}

}  // namespace random
}  // namespace hostwarp

// curandMakeMTGP32Constants() copies all 200 parameter sets to *p in device memory.
static inline curandStatus_t curandMakeMTGP32Constants(const mtgp32_params_fast_t params[], mtgp32_kernel_params_t *p) {
  mtgp32_kernel_params_t *tables = new (std::nothrow) mtgp32_kernel_params_t;
  if (!tables) return CURAND_STATUS_ALLOCATION_FAILED;
  hostwarp::random::mtgpTables(params, *tables);
  const curandStatus_t status = hostwarp::random::mtgpUpload(p, tables, sizeof *tables);
  delete tables;
  return status;
}

// curandMakeMTGP32KernelState() seeds n states s in device memory, the i-th with parameter set i and seed + i.
// pre: n is at most 200, or `params` has as many sets.
static inline curandStatus_t curandMakeMTGP32KernelState(curandStateMtgp32_t *s, mtgp32_params_fast_t params[],
                                                         mtgp32_kernel_params_t *k, int n, unsigned long long seed) {
  curandStateMtgp32_t *states = new (std::nothrow) curandStateMtgp32_t[n]();
  if (!states) return CURAND_STATUS_ALLOCATION_FAILED;
  for (int i = 0; i < n; ++i) hostwarp::random::mtgpState(states[i], params, k, i, seed);
  const curandStatus_t status = hostwarp::random::mtgpUpload(s, states, sizeof *states * static_cast<size_t>(n));
  delete[] states;
  return status;
}

#endif  // HOSTWARP_CURAND_MTGP32_HOST_H
