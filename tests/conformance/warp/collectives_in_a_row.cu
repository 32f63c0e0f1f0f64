// Whole warps that go from one collective to the next with values of every width in between, in blocks of many shapes:
// lanes that part and come together again on the way, loops with shuffles, shared memory read across lanes, results
// that decide where a warp goes next.
#include <cstdint>

#include "../check.h"

constexpr unsigned full = ~0u;

__device__ unsigned threadInBlock() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

// Sums of a warp's 32 numbers, each computed in a loop with as many turns as the number says.
__global__ void sums(uint64_t *out, const unsigned *in) {
  const unsigned thread = threadInBlock(), n = in[thread];
  uint64_t value = thread;
  for (unsigned turn = 0; turn < n % 5; ++turn) value = value * 3 + turn;
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(full, value, distance);
  out[thread] = value;
}

// A scan by shuffles upwards in segments; lanes without a source keep their value.
__global__ void segments(uint64_t *out, const unsigned *in) {
  const unsigned thread = threadInBlock(), lane = thread % 32;
  double sum = in[thread] % 100;
  for (unsigned distance = 1; distance < 8; distance *= 2) {
    const double below = __shfl_up_sync(full, sum, distance, 8);
    if (lane % 8 >= distance) sum += below;
  }
  const unsigned short last = __shfl_sync(full, static_cast<unsigned short>(sum), 7, 8);
  out[thread] = static_cast<uint64_t>(sum) * 1000 + last % 1000;
}

// Where each lane takes its value from is its own number; votes decide about the next step.
__global__ void wander(uint64_t *out, const unsigned *in) {
  const unsigned thread = threadInBlock(), lane = thread % 32;
  unsigned value = in[thread], steps = 0;
  while (steps < 20 && !__all_sync(full, value % 7 == 0)) {
    const unsigned other = __shfl_sync(full, value, value + lane);
    const unsigned odd = __ballot_sync(full, other & 1);
    value = __popc(odd) > 16 ? other / 2 : value + other % 5;
    ++steps;
  }
  out[thread] = uint64_t{value} << 8 | steps;
}

// Sums of warps through shared memory, the first warp adds them; warps of a block part in between.
__global__ void ofBlock(uint64_t *out, const unsigned *in) {
  __shared__ unsigned each[32];
  const unsigned thread = threadInBlock(), lane = thread % 32, warp = thread / 32;
  const unsigned warps = blockDim.x * blockDim.y * blockDim.z / 32;
  unsigned value = in[thread] % 1000;
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(full, value, distance);
  if (lane == 0) each[warp] = value;
  __syncthreads();
  if (thread < 32) {
    value = lane < warps ? each[lane] : 0;
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(full, value, distance);
    if (lane == 0) each[0] = value;
  }
  __syncthreads();
  out[thread] = each[0];
}

// Lanes read what others wrote a __syncwarp() before.
__global__ void throughMemory(uint64_t *out, const unsigned *in) {
  __shared__ unsigned tile[1024];
  const unsigned thread = threadInBlock(), first = thread / 32 * 32;
  unsigned value = in[thread];
  for (int turn = 0; turn < 3; ++turn) {
    tile[thread] = value;
    __syncwarp();
    value = tile[first + (value + turn) % 32] + turn;
    __syncwarp();
  }
  out[thread] = value + uint64_t{__shfl_sync(full, value, 3)} * 1000;
}

using Kernel = void (*)(uint64_t *, const unsigned *);
using Expected = void (*)(uint64_t *, const unsigned *, unsigned);

static void expectSums(uint64_t *out, const unsigned *in, unsigned threads) {
  for (unsigned first = 0; first < threads; first += 32) {
    uint64_t sum = 0;
    for (unsigned t = first; t < first + 32; ++t) {
      uint64_t value = t;
      for (unsigned turn = 0; turn < in[t] % 5; ++turn) value = value * 3 + turn;
      sum += value;
    }
    for (unsigned t = first; t < first + 32; ++t) out[t] = sum;
  }
}

static void expectSegments(uint64_t *out, const unsigned *in, unsigned threads) {
  for (unsigned first = 0; first < threads; first += 8) {
    uint64_t sum = 0, sums[8];
    for (unsigned i = 0; i < 8; ++i) sums[i] = sum += in[first + i] % 100;
    for (unsigned i = 0; i < 8; ++i) out[first + i] = sums[i] * 1000 + sums[7] % 1000;
  }
}

static void expectWander(uint64_t *out, const unsigned *in, unsigned threads) {
  for (unsigned first = 0; first < threads; first += 32) {
    unsigned value[32], steps = 0;
    for (unsigned lane = 0; lane < 32; ++lane) value[lane] = in[first + lane];
    for (bool goesOn = true; steps < 20 && goesOn;) {
      goesOn = false;
      for (const unsigned each : value) goesOn |= each % 7 != 0;
      if (!goesOn) break;
      unsigned other[32], odd = 0;
      for (unsigned lane = 0; lane < 32; ++lane) other[lane] = value[(value[lane] + lane) % 32];
      for (const unsigned each : other) odd += each & 1;
      for (unsigned lane = 0; lane < 32; ++lane)
        value[lane] = odd > 16 ? other[lane] / 2 : value[lane] + other[lane] % 5;
      ++steps;
    }
    for (unsigned lane = 0; lane < 32; ++lane) out[first + lane] = uint64_t{value[lane]} << 8 | steps;
  }
}

static void expectOfBlock(uint64_t *out, const unsigned *in, unsigned threads) {
  unsigned sum = 0;
  for (unsigned t = 0; t < threads; ++t) sum += in[t] % 1000;
  for (unsigned t = 0; t < threads; ++t) out[t] = sum;
}

static void expectThroughMemory(uint64_t *out, const unsigned *in, unsigned threads) {
  for (unsigned first = 0; first < threads; first += 32) {
    unsigned value[32], before[32];
    for (unsigned lane = 0; lane < 32; ++lane) value[lane] = in[first + lane];
    for (unsigned turn = 0; turn < 3; ++turn) {
      for (unsigned lane = 0; lane < 32; ++lane) before[lane] = value[lane];
      for (unsigned lane = 0; lane < 32; ++lane) value[lane] = before[(before[lane] + turn) % 32] + turn;
    }
    for (unsigned lane = 0; lane < 32; ++lane) out[first + lane] = value[lane] + uint64_t{value[3]} * 1000;
  }
}

static void compare(const char *name, Kernel kernel, Expected expected, dim3 block) {
  const unsigned threads = block.x * block.y * block.z;
  uint64_t *out = nullptr, right[1024];
  unsigned *in = nullptr;
  CHECK(cudaMallocManaged(&out, sizeof(right)) == cudaSuccess);
  CHECK(cudaMallocManaged(&in, 1024 * sizeof(unsigned)) == cudaSuccess);
  for (unsigned i = 0; i < 1024; ++i) in[i] = i * 2654435761u >> 7;
  kernel<<<1, block>>>(out, in);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  expected(right, in, threads);
  for (unsigned t = 0; t < threads; ++t)
    if (out[t] != right[t]) {
      printf("%s, block %u x %u x %u, thread %u: %llu instead of %llu\n", name, block.x, block.y, block.z, t,
             static_cast<unsigned long long>(out[t]), static_cast<unsigned long long>(right[t]));
      CHECK(out[t] == right[t]);
      break;
    }
  cudaFree(in);
  cudaFree(out);
}

int main() {
  for (const dim3 block : {dim3(32), dim3(64), dim3(1024), dim3(16, 16), dim3(32, 4), dim3(64, 2, 2), dim3(8, 4, 2)}) {
    compare("sums", sums, expectSums, block);
    compare("segments", segments, expectSegments, block);
    compare("wander", wander, expectWander, block);
    compare("ofBlock", ofBlock, expectOfBlock, block);
    compare("throughMemory", throughMemory, expectThroughMemory, block);
  }
  return check::finish();
}
