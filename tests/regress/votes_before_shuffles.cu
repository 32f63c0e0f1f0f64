// Lanes leave a loop of votes in different turns. Those that have left wait at the next shuffle for the others: a warp
// must not go through it as one vector that lacks lanes.
#include <cooperative_groups.h>

#include "../conformance/check.h"

namespace cg = cooperative_groups;

__device__ __noinline__ unsigned mixed(unsigned x, unsigned y) { return (x ^ (y >> 7)) * 0x9E3779B1u + y; }
__device__ __noinline__ unsigned ownPlace(unsigned x, unsigned y) {
  return x * threadIdx.x + y * (threadIdx.y + 1) + blockIdx.x;
}
__device__ __noinline__ unsigned byIndex(unsigned x, unsigned y) {
  unsigned values[4] = {x, y, x + y, threadIdx.x};
  return values[x & 3] + values[y & 3] * 2;
}
__device__ __noinline__ unsigned choose(unsigned x, unsigned y) {
  if (x % 3 == 0) return y + threadIdx.x;
  for (unsigned i = 0; i < (y & 3); ++i) x = x * 5 + (i & 1 ? threadIdx.y : threadIdx.x);
  return x;
}

// lanesOf(): the lanes of the thread's warp that there are in a block of so many threads.
__device__ unsigned lanesOf(unsigned count, unsigned local) {
  const unsigned left = count - (local & ~31u);
  return left >= 32 ? ~0u : (1u << left) - 1;
}

using Function = unsigned (*)(unsigned, unsigned);
__device__ Function table[4] = {mixed, ownPlace, byIndex, choose};

constexpr unsigned threads = 96;
static volatile unsigned one = 1;  // which the compiler does not know

// `asks`: what each lane gets from its tile is known otherwise, too.
template <bool asks>
__global__ void __cluster_dims__(2, 1, 1) run(unsigned *out, const unsigned *in, unsigned flag) {
  __shared__ unsigned shared[threads];
  const unsigned l = threadIdx.x, t = blockIdx.x * threads + l;
  unsigned u0 = in[t & 255], u1 = t * 2654435761u, u2 = flag + l, u3 = in[(t * 7 + 3) & 255] >> 3;
  unsigned long long q0 = u1 * 0x100000001ull;
  short s0 = (short)u0;
  const unsigned char b0 = (unsigned char)u1;
  shared[l] = l * 3 + 1;
  {
    const unsigned turns = (unsigned)q0 % 5u;
    unsigned mask = lanesOf(threads, l);
    for (unsigned i = 0;; ++i) {
      mask = __ballot_sync(mask, i < turns);
      if (i >= turns) break;
      s0 = (short)(s0 + u2);
    }
  }
  for (unsigned i = 0; i < in[245] % 3u + 1; ++i) {
    u2 += table[u1 & 3](u0, __funnelshift_r((unsigned)b0, flag, u0));
    if constexpr (asks) {
      const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
      u3 ^= (unsigned)tile.shfl_xor(i, 0);
      u0 = (unsigned)tile.match_any(blockDim.x & 3);
      u3 = (unsigned)tile.match_any(threadIdx.y & 3);
    } else {
      u3 = ~0u;
      u0 = ~0u;
    }
    cg::this_cluster().sync();
    unsigned left = 3u;
    if (l % 7 == 1) goto middle;
  top:
  middle:
    if (left-- != 0) goto top;
  }
  u3 += s0 + u2;
  out[t * 2 + (u0 > u1)] = u3;
}

int main() {
  std::vector<unsigned> numbers(256);
  for (unsigned i = 0; i < 256; ++i) numbers[i] = (i * 2654435761u) >> (i & 7);
  numbers[245] = 1;
  check::DeviceArray<unsigned> in(numbers), out(4 * threads), expected(4 * threads);
  CUDA_OK(cudaMemset(out.get(), 0, 16 * threads));
  CUDA_OK(cudaMemset(expected.get(), 0, 16 * threads));
  run<true><<<2, threads * one>>>(out.get(), in.get(), 0);
  LAUNCH_OK();
  run<false><<<2, threads * one>>>(expected.get(), in.get(), 0);
  LAUNCH_OK();
  const std::vector<unsigned> results = out.download(), known = expected.download();
  for (unsigned i = 0; i < 4 * threads; ++i) CHECK_EQ(results[i], known[i]);
  return check::finish();
}
