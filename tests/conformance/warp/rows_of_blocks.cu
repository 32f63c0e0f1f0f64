// Collectives in blocks whose rows are shorter than a warp, longer, or no part of one: a warp is 32 consecutive threads
// in every shape of block.
#include <cstdlib>
#include <vector>

#include "../check.h"

constexpr unsigned everybody = 0xffffffff;

template <int width, int height, int depth>
__global__ void collect(const int *in, int *out, int n) {
  const int t = (threadIdx.z * height + threadIdx.y) * width + threadIdx.x, lane = t & 31;
  const int g = blockIdx.x * width * height * depth + t;
  const int own = in[g];
  int sum = own;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(everybody, sum, distance);
    if (lane >= distance) sum += other;
  }
  const unsigned odd = __ballot_sync(everybody, own & 1);
  int mixed = __shfl_xor_sync(everybody, sum, 3) + __shfl_sync(everybody, own, (threadIdx.x + threadIdx.y) & 31);
  if (threadIdx.y & 1)
    mixed += 1000 * threadIdx.x;
  else
    mixed -= threadIdx.z;
  mixed += __reduce_add_sync(everybody, mixed);
  out[g] = sum + 7 * __popc(odd) + mixed + threadIdx.y * n;
}

template <int width, int height, int depth>
static void test(int n) {
  constexpr int threads = width * height * depth, blocks = 5, warps = blocks * threads / 32;
  std::vector<int> in(blocks * threads);
  for (int &number : in) number = rand() % 1000;
  check::DeviceArray<int> from(in), to(in.size());
  collect<width, height, depth><<<blocks, dim3(width, height, depth)>>>(from.get(), to.get(), n);
  LAUNCH_OK();
  const std::vector<int> out = to.download();
  for (int warp = 0; warp < warps; ++warp) {
    const int *own = &in[warp * 32];
    int sums[32], mixed[32], odd = 0, sum = 0, total = 0;
    for (int lane = 0; lane < 32; ++lane) {
      sums[lane] = sum += own[lane];
      odd += own[lane] & 1;
    }
    for (int lane = 0; lane < 32; ++lane) {
      const int t = (warp * 32 + lane) % threads, x = t % width, y = t / width % height, z = t / width / height;
      mixed[lane] = sums[lane ^ 3] + own[(x + y) & 31] + (y & 1 ? 1000 * x : -z);
      total += mixed[lane];
    }
    for (int lane = 0; lane < 32; ++lane) {
      const int y = (warp * 32 + lane) % threads / width % height;
      CHECK_EQ(out[warp * 32 + lane], sums[lane] + 7 * odd + mixed[lane] + total + y * n);
    }
  }
}

int main() {
  test<16, 16, 1>(3);
  test<8, 8, 2>(4);
  test<4, 8, 5>(5);
  test<2, 32, 3>(6);
  test<1, 64, 2>(7);
  test<32, 4, 2>(8);
  test<64, 2, 2>(9);
  test<16, 2, 7>(10);
  test<8, 12, 1>(11);
  test<16, 6, 3>(12);
  test<24, 4, 1>(13);
  test<8, 4, 9>(14);
  test<4, 4, 8>(15);
  return check::finish();
}
