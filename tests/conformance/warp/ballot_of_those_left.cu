// Lanes leave a loop by a vote, each when it has had enough, and go through it once more while others are still in it.
#include "../check.h"

__global__ void turns(const int *wanted, unsigned *out, int rounds) {
  const int mine = wanted[threadIdx.x];
  unsigned sum = 0;
  for (int round = 0; round < rounds; ++round) {
    unsigned left = 0xffffffffu;
    for (int turn = 0;; ++turn) {
      left = __ballot_sync(left, turn < mine);
      if (turn >= mine) break;
      sum = sum * 3 + left;
    }
  }
  out[threadIdx.x] = sum;
}

int main() {
  constexpr int threads = 96, rounds = 3;
  std::vector<int> wanted(threads);
  for (int i = 0; i < threads; ++i) wanted[i] = i * 7 % (i < 32 ? 5 : i < 64 ? 2 : 11);
  check::DeviceArray<int> w(wanted);
  check::DeviceArray<unsigned> out(threads, 0u);
  turns<<<1, threads>>>(w.get(), out.get(), rounds);
  LAUNCH_OK();
  const std::vector<unsigned> sums = out.download();
  for (int i = 0; i < threads; ++i) {
    unsigned sum = 0;
    for (int round = 0; round < rounds; ++round)
      for (int turn = 0; turn < wanted[i]; ++turn) {
        unsigned left = 0;
        for (int lane = 0; lane < 32; ++lane) left |= unsigned(turn < wanted[i / 32 * 32 + lane]) << lane;
        sum = sum * 3 + left;
      }
    CHECK_EQ(sums[i], sum);
  }
  return check::finish();
}
