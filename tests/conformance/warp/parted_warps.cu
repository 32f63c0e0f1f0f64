// Warps whose lanes part and meet again around collectives, in blocks of many shapes: whole and partial last warps,
// rows that do not fill a warp, lanes that exit early, barriers between.
#include <algorithm>

#include "../check.h"

__device__ unsigned threadInBlock() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
__device__ unsigned threadsOfBlock() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ unsigned lanesOfWarp(unsigned thread) {
  const unsigned left = threadsOfBlock() - thread / 32 * 32;
  return left >= 32 ? ~0u : (1u << left) - 1;
}

// Inclusive sums over the block: shuffles in each warp, then of the warps' sums, with exchanges through shared memory.
__global__ void scan(unsigned *out) {
  __shared__ unsigned sums[32];
  const unsigned thread = threadInBlock(), lane = thread % 32, warp = thread / 32, lanes = lanesOfWarp(thread);
  unsigned sum = thread * 7 % 13;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned below = __shfl_up_sync(lanes, sum, distance);
    if (lane >= distance) sum += below;
  }
  if (lane == 31 || thread + 1 == threadsOfBlock()) sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const unsigned warps = (threadsOfBlock() + 31) / 32;
    unsigned of = lane < warps ? sums[lane] : 0;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const unsigned below = __shfl_up_sync(lanes, of, distance);
      if (lane >= distance) of += below;
    }
    if (lane < warps) sums[lane] = of;
  }
  __syncthreads();
  out[blockIdx.x * threadsOfBlock() + thread] = sum + (warp > 0 ? sums[warp - 1] : 0);
}

// Lanes with the same value work together, one group after the other, and again inside of each group.
__global__ void groups(unsigned *out) {
  const unsigned thread = threadInBlock(), lane = thread % 32, kind = thread * 5 % 3;
  const unsigned lanes = lanesOfWarp(thread);
  unsigned result = 0;
  for (unsigned each = 0; each < 3; ++each) {
    const unsigned mine = __ballot_sync(lanes, kind == each);
    if (kind != each) continue;
    const int leader = __ffs(mine) - 1;
    result = __shfl_sync(mine, thread, leader) * 1000 + __popc(mine) * 10;
    const unsigned odd = __ballot_sync(mine, lane % 2);
    if (lane % 2 == 0) continue;
    result += __reduce_add_sync(odd, 1u) + (__any_sync(odd, thread == 0) ? 5 : 0);
  }
  out[blockIdx.x * threadsOfBlock() + thread] = result;
}

// Each lane has its own number of steps; the warp goes on until all have done theirs.
__global__ void steps(unsigned *out) {
  const unsigned thread = threadInBlock(), lanes = lanesOfWarp(thread);
  unsigned value = thread + 1, count = 0, turns = 0;
  while (__any_sync(lanes, value != 1)) {
    if (value != 1) {
      value = value % 2 ? 3 * value + 1 : value / 2;
      ++count;
    }
    ++turns;
  }
  out[blockIdx.x * threadsOfBlock() + thread] = count * 1000 + turns;
}

// A part of each warp ends; the others go on to shuffles and barriers without it.
__global__ void early(unsigned *out) {
  const unsigned thread = threadInBlock();
  const unsigned stays = __ballot_sync(lanesOfWarp(thread), thread % 4 != 1);
  unsigned *mine = out + blockIdx.x * threadsOfBlock() + thread;
  *mine = 7;
  if (thread % 4 == 1) return;
  const unsigned first = __shfl_sync(stays, thread, __ffs(stays) - 1);
  const int count = __syncthreads_count(thread % 8 == 0);
  const int all = __syncthreads_and(thread % 4 != 1), any = __syncthreads_or(thread == 2);
  *mine = first * 100000 + count * 10 + all * 2 + any;
}

static unsigned stepsOf(unsigned value) {
  unsigned count = 0;
  for (; value != 1; ++count) value = value % 2 ? 3 * value + 1 : value / 2;
  return count;
}

struct Shape {
  dim3 block;
  unsigned threads() const { return block.x * block.y * block.z; }
  unsigned warpEnd(unsigned thread) const { return std::min(thread / 32 * 32 + 32, threads()); }
};

template <class Expected>
static void run(void (*kernel)(unsigned *), const Shape &shape, Expected expected) {
  const unsigned threads = shape.threads(), blocks = 3;
  check::DeviceArray<unsigned> out(blocks * threads);
  kernel<<<blocks, shape.block>>>(out.get());
  LAUNCH_OK();
  const std::vector<unsigned> got = out.download();
  for (unsigned i = 0; i < blocks * threads; ++i) CHECK_EQ(got[i], expected(i % threads));
}

static unsigned expectedGroup(const Shape &shape, unsigned thread) {
  unsigned members = 0, odd = 0, leader = ~0u;
  for (unsigned t = thread / 32 * 32; t < shape.warpEnd(thread); ++t) {
    if (t * 5 % 3 != thread * 5 % 3) continue;
    if (leader == ~0u) leader = t;
    ++members;
    odd += t % 2;
  }
  return leader * 1000 + members * 10 + (thread % 2 ? odd : 0);
}

static void testShape(const Shape &shape) {
  run(scan, shape, [](unsigned thread) {
    unsigned sum = 0;
    for (unsigned t = 0; t <= thread; ++t) sum += t * 7 % 13;
    return sum;
  });
  run(groups, shape, [&](unsigned thread) { return expectedGroup(shape, thread); });
  run(steps, shape, [&](unsigned thread) {
    unsigned most = 0;
    for (unsigned t = thread / 32 * 32; t < shape.warpEnd(thread); ++t) most = std::max(most, stepsOf(t + 1));
    return stepsOf(thread + 1) * 1000 + most;
  });
  unsigned eighths = 0;
  for (unsigned t = 0; t < shape.threads(); ++t) eighths += t % 8 == 0;
  run(early, shape, [&](unsigned thread) {
    if (thread % 4 == 1) return 7u;
    return thread / 32 * 32 * 100000 + eighths * 10 + 2 + (shape.threads() > 2 ? 1 : 0);
  });
}

int main() {
  const dim3 blocks[] = {{32},    {64},    {256},   {1024},    {1},     {50},     {100},
                         {32, 2}, {64, 3}, {16, 4}, {8, 8, 2}, {33, 3}, {7, 5, 3}};
  for (const dim3 &block : blocks) testShape({block});
  return check::finish();
}
