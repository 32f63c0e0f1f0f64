// Lanes that leave a loop of votes among those still in it, and begin anew with everybody, stand at the same vote as
// those that stayed: a lane's mask may name others whose masks do not name it. They met, and got each other's results.
#include "../conformance/check.h"

constexpr int threads = 64;

__global__ void count(const int *turns, const int *rounds, unsigned *votes) {
  const unsigned t = threadIdx.x;
  unsigned sum = 0;
  for (int round = 0; round < *rounds; ++round) {
    unsigned among = ~0u;
    for (int i = 0;; ++i) {
      among = __ballot_sync(among, i < turns[t]);
      sum += __popc(among) << (i & 7);
      if (i >= turns[t]) break;
    }
  }
  votes[t] = sum;
}

int main() {
  std::vector<int> turns;
  for (int t = 0; t < threads; ++t) turns.push_back(t * 7 % 5);
  check::DeviceArray<int> in(turns);
  for (int rounds : {1, 2, 3}) {
    check::DeviceArray<int> rounded(std::vector<int>{rounds});
    check::DeviceArray<unsigned> votes(threads, 0u);
    count<<<1, threads>>>(in.get(), rounded.get(), votes.get());
    LAUNCH_OK();
    const std::vector<unsigned> result = votes.download();
    for (int t = 0; t < threads; ++t) {
      unsigned expected = 0;
      for (int i = 0; i <= turns[t]; ++i) {
        unsigned more = 0;
        for (int other = t / 32 * 32; other < t / 32 * 32 + 32; ++other) more += i < turns[other];
        expected += more << (i & 7);
      }
      CHECK_EQ(result[t], expected * static_cast<unsigned>(rounds));
    }
  }
  return check::finish();
}
