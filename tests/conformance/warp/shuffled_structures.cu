// Structures that are shuffled word by word, as libraries do: of even and odd numbers of words, with padding, among all
// lanes and among some, in blocks with an incomplete warp; and the smallest of them, found by references to one of two.
#include <algorithm>
#include <cstring>

#include "../check.h"

struct Place {
  int value;
  long long index;
};

struct Five {
  int words[5];
};

template <typename T>
__device__ T shuffledDown(unsigned mask, const T &from, int delta, int width) {
  constexpr int count = sizeof(T) / sizeof(unsigned);
  unsigned words[count];
  memcpy(words, &from, sizeof(T));
#pragma unroll
  for (int i = 0; i < count; ++i) words[i] = __shfl_down_sync(mask, words[i], delta, width);
  T to;
  memcpy(&to, words, sizeof(T));
  return to;
}

__host__ __device__ const Place &smaller(const Place &a, const Place &b) {
  if (a.value < b.value) return a;
  if (b.value < a.value) return b;
  return a.index < b.index ? a : b;
}

__device__ Place smallestOf(unsigned mask, Place best, int lanes) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int delta = 1; delta < 32; delta *= 2) {
    const Place other = shuffledDown(mask, best, delta, 32);
    if (lane + delta < lanes) best = smaller(best, other);
  }
  return best;
}

__host__ __device__ Place placeOf(int i) { return {(i * 37 + 11) % 13 - 6, i * 0x100000001LL - (1LL << 40)}; }

__global__ void smallest(Place *out, int threads) {
  const int first = threadIdx.x / 32 * 32, lanes = min(32, threads - first);
  const unsigned mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
  out[threadIdx.x] = smallestOf(mask, placeOf(threadIdx.x), lanes);
}

// Each half of the lanes has a way of its own.
__global__ void ofHalves(Place *out) {
  const unsigned mask = threadIdx.x % 2 ? 0xAAAAAAAAu : 0x55555555u;
  const Place own = placeOf(threadIdx.x);
  if (threadIdx.x % 2)
    out[threadIdx.x] = shuffledDown(mask, own, 2, 32);
  else
    out[threadIdx.x] = shuffledDown(mask, own, 4, 16);
}

__global__ void sums(Five *out, int delta) {
  Five sum;
  for (int i = 0; i < 5; ++i) sum.words[i] = threadIdx.x * 5 + i;
#pragma unroll
  for (int turn = 0; turn < 5; ++turn) {
    const Five other = shuffledDown(~0u, sum, delta + turn, 32);
    for (int i = 0; i < 5; ++i) sum.words[i] += 3 * other.words[i];
  }
  out[threadIdx.x] = sum;
}

static void checkSmallest(int threads) {
  check::DeviceArray<Place> out(threads);
  smallest<<<1, threads>>>(out.get(), threads);
  LAUNCH_OK();
  const std::vector<Place> host = out.download();
  for (int first = 0; first < threads; first += 32) {
    Place best = placeOf(first);
    for (int i = first; i < std::min(first + 32, threads); ++i) best = smaller(best, placeOf(i));
    CHECK_EQ(host[first].value, best.value);
    CHECK_EQ(host[first].index, best.index);
  }
}

static void checkHalves() {
  check::DeviceArray<Place> out(64);
  ofHalves<<<1, 64>>>(out.get());
  LAUNCH_OK();
  const std::vector<Place> host = out.download();
  for (int i = 0; i < 64; ++i) {
    const int delta = i % 2 ? 2 : 4, width = i % 2 ? 32 : 16;
    const Place expected = placeOf(i % width + delta < width ? i + delta : i);
    CHECK_EQ(host[i].value, expected.value);
    CHECK_EQ(host[i].index, expected.index);
  }
}

static void checkSums() {
  check::DeviceArray<Five> out(64);
  sums<<<1, 64>>>(out.get(), 2);
  LAUNCH_OK();
  const std::vector<Five> host = out.download();
  for (int word = 0; word < 5; ++word) {
    std::vector<int> sum(64);
    for (int i = 0; i < 64; ++i) sum[i] = i * 5 + word;
    for (int turn = 0; turn < 5; ++turn) {
      const std::vector<int> before = sum;
      for (int i = 0; i < 64; ++i) sum[i] += 3 * before[i % 32 + 2 + turn < 32 ? i + 2 + turn : i];
    }
    for (int i = 0; i < 64; ++i) CHECK_EQ(host[i].words[word], sum[i]);
  }
}

int main() {
  for (const int threads : {64, 45, 7}) checkSmallest(threads);
  checkHalves();
  checkSums();
  return check::finish();
}
