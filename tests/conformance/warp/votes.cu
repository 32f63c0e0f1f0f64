// all, any, uni, ballot and activemask over full, partial and divergent sets of lanes.
#include "../check.h"

struct Votes {
  int all, any;
  unsigned ballot;
};

__global__ void vote(Votes *out, unsigned predicates) {
  const int lane = threadIdx.x % 32, lanes = blockDim.x - threadIdx.x / 32 * 32 < 32 ? blockDim.x % 32 : 32;
  const unsigned mask = lanes == 32 ? 0xFFFFFFFFu : (1u << lanes) - 1;
  const int predicate = predicates >> lane & 1;
  out[threadIdx.x] = {__all_sync(mask, predicate) != 0, __any_sync(mask, predicate) != 0,
                      __ballot_sync(mask, predicate)};
}

__global__ void voteInBranch(Votes *out) {
  const int lane = threadIdx.x;
  if (lane < 10)
    out[lane] = {__all_sync(0x3FFu, lane < 10) != 0, __any_sync(0x3FFu, lane == 31) != 0,
                 __ballot_sync(0x3FFu, lane > 4)};
  else
    out[lane] = {__all_sync(~0x3FFu, lane < 20) != 0, __any_sync(~0x3FFu, lane == 31) != 0, __ballot_sync(~0x3FFu, 1)};
}

__global__ void active(unsigned *out) {
  const unsigned all = __activemask();
  if (!(all >> (threadIdx.x % 32) & 1))
    out[threadIdx.x] = 0;  // the caller is always among them
  else
    out[threadIdx.x] = all;
  if (threadIdx.x % 32 == 3) {
    const unsigned alone = __activemask();
    if (!(alone & 8)) out[threadIdx.x] = 0;
  }
}

// Lanes in one arm of a branch do not count those in the other.
__global__ void activeInArms(unsigned *out) {
  if (threadIdx.x % 3 == 0)
    out[threadIdx.x] = __activemask();
  else
    out[threadIdx.x] = __activemask();
}

static void testArms() {
  check::DeviceArray<unsigned> out(32);
  activeInArms<<<1, 32>>>(out.get());
  LAUNCH_OK();
  const std::vector<unsigned> masks = out.download();
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned arm = lane % 3 == 0 ? 0x49249249u : 0xb6db6db6u;
    CHECK_EQ(masks[lane] & ~arm, 0u);
    CHECK_EQ(masks[lane] >> lane & 1, 1u);
  }
}

int main() {
  testArms();
  for (int threads : {32, 64, 45, 1, 33})
    for (unsigned predicates : {0u, ~0u, 0x80000001u, 0x1FFFu, 0xFFFFFFFEu}) {
      check::DeviceArray<Votes> out(threads);
      vote<<<1, threads>>>(out.get(), predicates);
      LAUNCH_OK();
      const std::vector<Votes> host = out.download();
      for (int i = 0; i < threads; ++i) {
        const int lanes = threads - i / 32 * 32 < 32 ? threads % 32 : 32;
        const unsigned mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
        CHECK_EQ(host[i].ballot, predicates & mask);
        CHECK_EQ(host[i].all, (predicates & mask) == mask);
        CHECK_EQ(host[i].any, (predicates & mask) != 0);
      }
    }
  check::DeviceArray<Votes> out(32);
  voteInBranch<<<1, 32>>>(out.get());
  LAUNCH_OK();
  const std::vector<Votes> host = out.download();
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(host[i].all, i < 10);
    CHECK_EQ(host[i].any, i >= 10);
    CHECK_EQ(host[i].ballot, i < 10 ? 0x3E0u : ~0x3FFu);
  }
  check::DeviceArray<unsigned> masks(45);
  active<<<1, 45>>>(masks.get());
  LAUNCH_OK();
  const std::vector<unsigned> seen = masks.download();
  for (int i = 0; i < 45; ++i) {
    CHECK((seen[i] >> (i % 32) & 1) == 1);
    if (i >= 32) CHECK((seen[i] & ~0x1FFFu) == 0);  // never lanes that do not exist
  }
  return check::finish();
}
